"""Proposals put into a folder: all or nothing, never outside, refused when stale, taken back by undo."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from copilot.checkpoints.project_writer import ProjectWriter
from tests.front_door import Ended, copilot
from tests.proposals import documents as docs
from tests.proposals.documents import create, edit, hash_of, objects, result, span

Apply = Callable[..., Ended]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "sub").mkdir(parents=True)
    files = {
        "a.py": b"one\ntwo\nthree\n",
        "sub/b.txt": b"no newline at the end",
        "dos.txt": b"one\r\ntwo\r\n",
        "bin": b"\x00\x01",
        "latin": b"caf\xe9\n",
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    (folder / "link").symlink_to(folder / "a.py")
    (folder / "out").symlink_to(tmp_path)
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("x")
    (tmp_path / "outside.txt").write_text("outside\n")
    return folder


@pytest.fixture
def apply(project: Path, tmp_path: Path) -> Apply:
    def run(document: Any, *words: str) -> Ended:
        (tmp_path / "r.json").write_text(json.dumps(document))
        environment = {"XDG_STATE_HOME": str(tmp_path / "state")}
        return copilot(
            "proposals", "apply", "../r.json", *(words or ("--yes",)), cwd=project, environment=environment
        )

    return run


def undo_last(project: Path, tmp_path: Path) -> Ended:
    return copilot(
        "undo", "last", "--yes", cwd=project, environment={"XDG_STATE_HOME": str(tmp_path / "state")}
    )


def world(folder: Path) -> dict[str, Any]:
    """All that is below a folder, also what no proposal may reach."""
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = path.readlink()
        else:
            found[name] = (path.read_bytes() if path.is_file() else None, path.stat().st_mode)
    return found


A = "one\ntwo\nthree\n"


@pytest.mark.row("VR-9", "VR-13", "VR-21")
def test_several_ranges_of_one_base_once_and_again(project: Path, apply: Apply, tmp_path: Path) -> None:
    after = "ONE\ntwo and\nthree\nfour\n"
    ranges = [span((4, 1), (4, 1), "four\n"), span((1, 1), (1, 4), "ONE"), span((2, 4), (2, 4), " and")]
    document = result(
        edit("a.py", A, *ranges, after_hash=hash_of(after), anchors=[{"line": 2, "text": "two"}]),
        edit("dos.txt", b"one\r\ntwo\r\n", span((2, 1), (2, 4), "2\r\n3"), after_hash=hash_of(b"one\r\n2\r\n3\r\n")),
        edit("sub/b.txt", b"no newline at the end", span((1, 22), (1, 22), "."), after_hash=hash_of("no newline at the end.")),
    )  # fmt: skip
    before = world(project)
    assert apply(document, "--dry-run").code == 0 and world(project) == before
    held = apply(document, "--cwd", ".")
    assert held.code == 3 and "nobody has accepted it" in held.out and world(project) == before
    assert apply(document).code == 0
    assert (project / "a.py").read_text() == after
    assert (project / "dos.txt").read_bytes() == b"one\r\n2\r\n3\r\n"
    assert (project / "sub" / "b.txt").read_text() == "no newline at the end."
    once = world(project)
    again = apply(document)
    assert again.code == 0 and again.last == "Nothing to change." and world(project) == once
    undone = undo_last(project, tmp_path)
    assert undone.code == 0 and world(project) == before, undone


@pytest.mark.row("VR-10", "VR-11", "VR-12")
def test_objects_and_resources_are_carried_out_and_recorded(
    project: Path, apply: Apply, tmp_path: Path
) -> None:
    document = result(
        objects(
            create("new/deep/x.sh", "echo\n", executable=True),
            create("empty", kind="folder"),
            {"op": "set", "path": "a.py", "before_hash": hash_of(A), "text": "all new\n", "executable": None},
            {"op": "rename", "path": "dos.txt", "before_hash": hash_of(b"one\r\ntwo\r\n"), "new_path": "n/dos.txt"},
            {"op": "delete", "path": "bin", "before_hash": hash_of(b"\x00\x01")},
        ),
        docs.resources(docs.SEARCH, docs.GENERATE),
        docs.COMPLETION,
    )  # fmt: skip
    before = world(project)
    words = ("--yes", "--allow", "delete:bin")
    ended = apply(document, *words, "--log", str(tmp_path / "log"))
    assert ended.code == 0, ended
    assert (project / "new/deep/x.sh").stat().st_mode & 0o111 and (project / "empty").is_dir()
    assert (project / "a.py").read_text() == "all new\n" and not (project / "bin").exists()
    assert (project / "n" / "dos.txt").read_bytes() == b"one\r\ntwo\r\n" and not (
        project / "dos.txt"
    ).exists()
    recorded = json.loads((tmp_path / "log" / "proposals.json").read_text())
    assert recorded["complete"] and [(one["word"], one["outcome"]) for one in recorded["operations"]] == [
        *((word, "applied") for word in ("create", "create", "set", "rename", "delete")),
        *((word, "simulated") for word in ("search", "generate")),
        ("complete", "ended"),
    ]
    once = world(project)
    assert apply(document).last == "Nothing to change." and world(project) == once
    assert copilot("undo", str(tmp_path / "log"), "--yes", cwd=project).code == 0
    assert world(project) == before


def _set(path: str, base: str | bytes) -> docs.Json:
    return {"op": "set", "path": path, "before_hash": hash_of(base), "text": "x", "executable": None}


def _rename(path: str, base: str | bytes, new_path: str) -> docs.Json:
    return {"op": "rename", "path": path, "before_hash": hash_of(base), "new_path": new_path}


REFUSED = {
    "stale": (edit("a.py", "old\n", span((1, 1), (1, 2), "x")), "a.py: is stale"),
    "anchor": (edit("a.py", A, span((1, 1), (1, 2), "x"), anchors=[{"line": 3, "text": "two"}]), "anchor of line 3"),
    "base text": (edit("a.py", A, span((1, 1), (1, 2), "x"), base_text="other"), "base_text is not"),
    "after": (edit("a.py", A, span((1, 1), (1, 2), "x"), after_hash=hash_of("no")), "do not give after_hash"),
    "overlap": (edit("a.py", A, span((1, 1), (2, 2), "x"), span((2, 1), (2, 3), "y")), "edits.1: overlaps edits.0"),
    "twice there": (edit("a.py", A, span((2, 1), (2, 1), "x"), span((2, 1), (2, 1), "y")), "overlaps"),
    "backwards": (edit("a.py", A, span((2, 1), (1, 1), "x")), "ends before it begins"),
    "line": (edit("a.py", A, span((5, 1), (5, 1), "x")), "line 5: out of range, the base has 4 lines"),
    "column": (edit("a.py", A, span((1, 5), (1, 5), "x")), "column 5: out of range"),
    "no last newline": (edit("sub/b.txt", b"no newline at the end", span((2, 1), (2, 1), "x")), "has no newline"),
    "CRLF": (edit("dos.txt", b"one\r\ntwo\r\n", span((1, 1), (1, 1), "x\n")), "write \\r\\n"),
    "LF": (edit("a.py", A, span((1, 1), (1, 1), "x\r\n")), "write \\n"),
    "binary": (edit("bin", b"\x00\x01", span((1, 1), (1, 1), "x")), "bin: is binary"),
    "not UTF-8": (edit("latin", b"caf\xe9\n", span((1, 1), (1, 1), "x")), "latin: is not UTF-8"),
    "link": (edit("link", A, span((1, 1), (1, 2), "x")), "link: is a link"),
    "through a link": (objects(create("out/new.txt")), "out is a link"),
    "outside by a link": (objects(_set("out/outside.txt", "outside\n")), "out is a link"),
    "repository": (objects(create(".git/hooks/post-commit", "x")), "lies outside the project or in a repository"),
    "missing": (edit("gone", A, span((1, 1), (1, 2), "x")), "gone: is not there"),
    "there already": (objects(create("a.py", "other")), "a.py: is there already"),
    "a file above": (objects(create("a.py/x")), "a.py is a file"),
    "stale set": (objects(_set("a.py", "old")), "a.py: is stale"),
    "stale delete": (objects({"op": "delete", "path": "a.py", "before_hash": hash_of("old")}), "is stale"),
    "onto another": (objects(_rename("a.py", A, "bin")), "bin: is there already"),
    "into itself": (objects(_rename("sub", A, "sub/x")), "sub: is stale"),
}  # fmt: skip


@pytest.mark.row("VR-8", "VR-9")
@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_done_leaves_all_as_it_was(
    name: str, project: Path, apply: Apply, tmp_path: Path
) -> None:
    proposal, said = REFUSED[name]
    before = world(project)
    ended = apply(result(objects(create("first.txt", "x")), proposal))
    assert ended.code == 2 and said in ended.err and ended.err.count("\n") == 1, ended
    assert "proposals.1." in ended.err
    assert world(project) == before and (tmp_path / "outside.txt").read_text() == "outside\n"
    assert not (tmp_path / "state" / "copilot" / "runs").exists()


def test_hard_links_are_left_alone(project: Path, apply: Apply) -> None:
    os.link(project / "a.py", project / "twin.py")
    ended = apply(result(edit("a.py", A, span((1, 1), (1, 2), "x"))))
    assert ended.code == 2 and "hard links" in ended.err


@pytest.mark.row("VR-13")
def test_a_write_that_fails_takes_the_others_back(
    project: Path, apply: Apply, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The third file cannot be written: the first two are put back."""
    put = ProjectWriter.put
    written: list[str] = []

    def failing(self: ProjectWriter, path: str, *rest: Any) -> None:
        if path == "z.txt" and written:
            raise OSError(28, "No space left on device")
        written.append(path)
        put(self, path, *rest)

    monkeypatch.setattr(ProjectWriter, "put", failing)
    before = world(project)
    changed = edit("a.py", A, span((1, 1), (1, 4), "ONE"))
    ended = apply(result(changed, objects(create("m.txt", "m"), create("z.txt", "z"))))
    assert ended.code == 2 and "z.txt: No space left on device; nothing is changed" in ended.err
    assert written[:2] == ["a.py", "m.txt"] and world(project) == before
