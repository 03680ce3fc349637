"""What a plain program gets for its question, and how the run ends: the command, a child, an exit code.

The model says yes or no; the governing prompt allows it or does not. A reply is typed, or its refusal; the
opposite of a reply is never called success.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.front_door import copilot

ALLOWS = "You may install the project's dependencies, run the tests and commit."
CHILD = """
import sys
print(end=sys.argv[1], flush=True)
open("answer", "w").write(sys.stdin.readline())
sys.exit(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
"""
NPX = "Need to install the following packages:\ncreate-vite@9.3.0\nOk to proceed? (y) "
REPLIES = {
    "yes": "  - {choice: 'yes', times: any, optional: true}\n",
    "no": "  - {choice: 'no', times: any, optional: true}\n",
    "yes please": "  - {text: 'yes please', times: any, optional: true}\n",
    "text yes": "  - {text: 'yes', times: any, optional: true}\n",
    "y": "  - {text: 'y', times: any, optional: true}\n",
}


def asked(
    folder: Path, question: str, says: str, governing: str = "", *options: str, status: int = 0
) -> tuple[str, int, str]:
    """What the child got, copilot's exit code, and its last line."""
    project = folder / "project"
    project.mkdir(exist_ok=True)
    (project / "child.py").write_text(CHILD, "utf-8")
    (folder / "replies.yml").write_text(f"order: any\nreplies:\n{REPLIES[says]}", "utf-8")
    words: list[str | Path] = ["--headless", "--autonomy", "full", "--provider", "playbook"]
    words += ["--playbook", folder / "replies.yml", "--log", folder / "run", *options]
    words += ["--prompt", governing] if governing else []
    child = ("--", sys.executable, "child.py", question, str(status))
    done = copilot(*words, *child, cwd=project, environment={"HOME": str(folder)})
    answer = project / "answer"
    return answer.read_text("utf-8").strip() if answer.exists() else "", done.code, done.last


@pytest.mark.parametrize(
    ("question", "says", "governing", "typed", "code"),
    [
        ("Run tests now? [Y/n] ", "yes", "", "y", 0),
        ("Run tests now? [Y/n] ", "no", "", "n", 0),
        ("Format files with prettier? [y/N] ", "yes", "", "y", 0),
        ("Commit changes? ", "y", "", "y", 0),
        ("Proceed to install deps? [y/n] ", "yes", "", "n", 3),
        ("Proceed to install deps? [y/n] ", "yes", ALLOWS, "y", 0),
        ("Proceed to install deps? [y/n] ", "yes", 'when "install deps": yes', "y", 0),
        ("Is this OK? (yes) ", "yes", ALLOWS, "n", 3),
        (NPX, "yes", ALLOWS, "n", 3),
        (NPX, "yes", 'when "create-vite": yes', "y", 0),
        (NPX.replace("vite", "vite bar evil"), "yes", 'when "create-vite": yes', "n", 3),
        ("Installs:\n- foo\n- evil\nOk to proceed? (y) ", "yes", 'when "foo": yes', "n", 3),
        ("Run `rm -rf build/`? [y/n] ", "yes", 'when "rm -rf build": yes', "n", 3),
        ("Run `git clean -fd`? [y/n] ", "yes", 'when "git clean": yes', "n", 3),
        ("Run tests now and drop the database? [Y/n] ", "yes", ALLOWS, "n", 3),
        ("Delete all files?\nRun tests now? [Y/n] ", "yes", ALLOWS, "n", 3),
        ("Alle Dateien leeren? ", "y", ALLOWS, "", 3),
        ("Plan:\n 1. rm -rf data\n 2. pytest\nRun tests now? [y/N] ", "yes", "", "n", 3),
        ("bash -c 'rm -rf data; pytest'\nRun tests now? [y/N] ", "yes", "", "n", 3),
        ("Nuke the cluster? ", "yes please", "", "", 3),
        ("Type yes to nuke the cluster: ", "text yes", "", "", 3),
        ("What is the name? ", "yes please", "", "yes please", 0),
    ],
)
def test_a_yes_counts_by_what_is_allowed_and_the_end_says_what_was_refused(
    tmp_path: Path, question: str, says: str, governing: str, typed: str, code: int
) -> None:
    got, exit_code, last = asked(tmp_path, question, says, governing)
    assert (got, exit_code) == (typed, code), last
    if (typed, code) == ("n", 3):
        assert f"refused «{question.splitlines()[-1].strip()}»" in last
    elif code == 0:
        assert "completed" in last and "refused" not in last


@pytest.mark.parametrize(
    ("question", "governing", "typed", "code"),
    [
        ("Formatting files with prettier...\nProceed? [Y/n] ", "", "y", 0),
        ("create-vite\nOk to proceed? (y) ", 'when "^create-vite$": yes', "y", 0),
        ("Run `npx create-vite`? [y/n] ", 'when "^npx create-vite$": yes', "y", 0),
        ("rm -rf build/\nProceed? [Y/n] ", 'when "build": no', "n", 0),
        ("rm -rf build/\nProceed? [Y/n] ", "", "n", 0),
    ],
)
def test_the_rules_read_what_stands_above_a_question(
    tmp_path: Path, question: str, governing: str, typed: str, code: int
) -> None:
    got, exit_code, last = asked(tmp_path, question, "yes", governing, "--provider", "rules")
    assert (got, exit_code) == (typed, code), last


def test_a_program_that_fails_after_a_refusal_ends_refused_and_not_crashed(tmp_path: Path) -> None:
    got, code, last = asked(tmp_path, "Delete all? [y/N] ", "yes", status=1)
    assert (got, code) == ("n", 3)
    assert "refused «Delete all? [y/N]»" in last


def test_a_lock_file_on_disk_makes_an_install_medium(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    for name in ("package.json", "package-lock.json"):
        (tmp_path / "project" / name).write_text("{}", "utf-8")
    assert asked(tmp_path, "Proceed to install deps? [y/n] ", "yes")[:2] == ("y", 0)


def test_a_project_file_cannot_write_the_governing_prompt(tmp_path: Path) -> None:
    """Not even its start is allowed by an untrusted project; with --trust the file's words are the person's own."""
    settings = tmp_path / "project" / ".copilot"
    settings.mkdir(parents=True)
    (settings / "config.toml").write_text(f'prompt = """{ALLOWS}"""\n', "utf-8")
    typed, code, said = asked(tmp_path, "Proceed to install deps? [y/n] ", "yes")
    assert (typed, code) == ("", 2) and "prompt: would widen this run" in said
    assert asked(tmp_path, "Proceed to install deps? [y/n] ", "yes", "", "--trust")[:2] == ("y", 0)
