"""What the guard calls high is named with its reason, and `--yes` alone does not accept it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.proposals.documents import create, edit, hash_of, objects, result, span
from tests.proposals.test_apply import A, Apply, apply, project, world

__all__ = ["apply", "project"]
LONG = "total = 1\n" * 5001
HIGH = {
    ".github/workflows/ci.yml": (create(".github/workflows/ci.yml", "on: push\n"), "write", "run or trusted by other tools"),
    "AGENTS.md": (create("AGENTS.md", "Do as I say.\n"), "edit", "trusted by other tools"),
    "conftest.py": (create("conftest.py", "x = 1\n"), "write", "run by a tool of its own accord"),
    ".env": (create(".env", "x\n"), "write", "may hold secrets"),
    "src/x.py": (create("src/x.py", "import subprocess\n"), "write", "runs a program"),
    "src/long.py": (create("src/long.py", LONG), "write", "more than 5000 lines"),
    "dos.txt": ({"op": "delete", "path": "dos.txt", "before_hash": hash_of("one\r\ntwo\r\n")}, "delete", "deletes a file"),
    "Makefile": ({"op": "rename", "path": "sub/b.txt", "before_hash": hash_of("no newline at the end"), "new_path": "Makefile"}, "write", "of its own accord"),
}  # fmt: skip


@pytest.mark.row("VR-13")
@pytest.mark.parametrize("path", HIGH)
def test_a_high_change_is_named_and_needs_its_own_word(
    path: str, project: Path, apply: Apply, tmp_path: Path
) -> None:
    op, action, why = HIGH[path]
    document, before = result(edit("a.py", A, span((1, 1), (1, 4), "ONE")), objects(op)), world(project)
    shown = apply(document, "--dry-run")
    (line,) = [one for one in shown.out.splitlines() if f": {path}  (high: " in one]
    assert why in line and shown.code == 0 and "change: a.py\n" in shown.out
    held = apply(document, "--yes", "--allow", f"{action}:other/**")
    assert held.code == 3 and world(project) == before
    assert held.last.startswith(f"Nothing is changed: {path}") and why in held.last
    ended = apply(document, "--yes", "--log", str(tmp_path / "log"), "--allow", f"{action}:{path}")
    assert ended.code == 0 and f": {path}  (medium: allowed: " in ended.out, ended
    assert (project / "a.py").read_text().startswith("ONE")
    risks = json.loads((tmp_path / "log" / "proposals.json").read_text())["risks"]
    assert why in risks[path][1] and risks["a.py"][0] == "low"


@pytest.mark.parametrize("path", [".claude/settings.json", ".npmrc", "sub/.mcp.json"])
def test_what_is_forbidden_is_refused_whatever_is_allowed(path: str, project: Path, apply: Apply) -> None:
    before = world(project)
    document = result(objects(create(path, "{}\n")))
    assert f"create: {path}  (forbidden: " in apply(document, "--dry-run").out
    ended = apply(document, "--yes", "--allow", "write:**")
    assert ended.code == 2 and f"{path}: forbidden: " in ended.err and ended.err.count("\n") == 1
    assert world(project) == before


def test_a_grant_counts_its_uses(project: Path, apply: Apply) -> None:
    document = result(objects(create("AGENTS.md", "x\n"), create("CLAUDE.md", "x\n")))
    once, twice = (f"write[times={times}]:*.md" for times in (1, 2))
    assert apply(document, "--yes", "--allow", once).code == 3 and not (project / "AGENTS.md").exists()
    assert apply(document, "--yes", "--allow", twice).code == 0 and (project / "AGENTS.md").exists()


def test_one_line_of_a_long_file_and_a_move_are_everyday(project: Path, apply: Apply) -> None:
    (project / "long.py").write_text(LONG)
    (project / "test_a.py").write_text("def test_it() -> None: ...\n")
    first, last = span((1, 1), (1, 6), "whole"), span((5001, 9), (5001, 10), "2")
    moved = {"op": "rename", "path": "a.py", "before_hash": hash_of(A), "new_path": "src/b.py"}
    assert apply(result(edit("long.py", LONG, last), objects(moved))).code == 0
    assert (project / "src" / "b.py").read_text() == A
    changed = (project / "long.py").read_text()
    held = apply(result(edit("long.py", changed, first, span((5001, 9), (5001, 10), "3"))))
    assert held.code == 3 and "more than 5000 lines" in held.last
    test = hash_of((project / "test_a.py").read_text())
    away = apply(result(objects({**moved, "path": "test_a.py", "before_hash": test, "new_path": "src/c.py"})))
    assert away.code == 3 and "test_a.py is high: deletes a file" in away.last


def test_only_grants_for_files_are_taken(project: Path, apply: Apply) -> None:
    ended = apply(result(objects(create("AGENTS.md"))), "--yes", "--allow", "shell:rm *")
    assert ended.code == 2 and "write, edit, delete" in ended.err and ended.err.count("\n") == 1


@pytest.mark.parametrize(("answer", "code"), [(True, 0), (False, 3)])
def test_a_person_is_asked_with_the_number_of_high_ones(
    answer: bool, code: int, project: Path, apply: Apply, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def confirm(question: str, **_: object) -> bool:
        asked.append(question)
        return answer

    monkeypatch.setattr("click.confirm", confirm)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
    ended = apply(result(objects(create("AGENTS.md", "x\n"), create("notes.md", "x\n"))), "--cwd", ".")
    assert ended.code == code and asked == ["Change 2 paths, 1 of them high?"]
    assert (project / "AGENTS.md").exists() is answer
