"""Plain programs whose question the cursor is not behind: whole runs, a real child, and what it got."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.front_door import copilot

YES = "choice: 'yes'"
SPINNER = """
import itertools, sys, threading, time
sys.stdout.write("\\033[2J\\033[3;1HCommit changes? [y/n]")
def spin():
    for glyph in itertools.cycle("|/-\\\\"):
        sys.stdout.write("\\033[1;60H" + glyph)
        sys.stdout.flush()
        time.sleep(0.15)
threading.Thread(target=spin, daemon=True).start()
open("answer", "w").write(sys.stdin.readline())
"""
ONE_KEY = """
import os, sys, time, tty
print("Commit changes? [y/n]")
tty.setcbreak(0)
open("answer", "w").write(os.read(0, 1).decode())
sys.stdout.write("\\033[2J\\033[Hcommitting")
sys.stdout.flush()
time.sleep(4)
"""
ASK = "Commit changes? [y/n]"
PROGRAMS: dict[str, tuple[str, ...]] = {
    "python": (sys.executable, "-c", f"print('{ASK}'); open('answer','w').write(input())"),
    "bash": ("bash", "-c", f"echo '{ASK}'; read -r a; echo $a > answer"),
    "perl": ("perl", "-e", f"$|=1; print qq({ASK}\\n); open(F,'>answer'); print F scalar <STDIN>"),
    "a spinner in a corner": (sys.executable, "-c", SPINNER),
    "a key without Enter": (sys.executable, "-c", ONE_KEY),
    "a box": (
        sys.executable,
        "-c",
        f"print('╭'+'─'*40+'╮'); print('│ {ASK:<38} │'); print('╰'+'─'*40+'╯'); open('answer','w').write(input())",
    ),
}


def answered(folder: Path, child: tuple[str, ...], reply: str = YES) -> tuple[str, int, str]:
    """What the child got, copilot's exit code, and its last line."""
    project = folder / "project"
    project.mkdir()
    replies = f"order: any\nreplies:\n  - {{{reply}, times: any, optional: true}}\n"
    (folder / "replies.yml").write_text(replies, "utf-8")
    words: list[str | Path] = [
        "--headless",
        "--autonomy",
        "full",
        "--provider",
        "playbook",
        "--timeout",
        "40s",
    ]
    words += ["--playbook", folder / "replies.yml", "--log", folder / "run"]
    done = copilot(*words, "--", *child, cwd=project, environment={"HOME": str(folder)})
    answer = project / "answer"
    return answer.read_text("utf-8").strip() if answer.exists() else "", done.code, done.last


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_question_is_answered_wherever_the_cursor_is(tmp_path: Path, name: str) -> None:
    if shutil.which(PROGRAMS[name][0]) is None:
        pytest.skip(f"needs {PROGRAMS[name][0]}")
    got, code, last = answered(tmp_path, PROGRAMS[name])
    assert (got, code) == ("y", 0), last


@pytest.mark.parametrize(
    ("asks", "reply", "typed"),
    [
        ("Enter file path:", "text: 'src/app.py'", "src/app.py"),
        ("What is your name?", "text: 'Ada'", "Ada"),
        ("1) Build\\n2) Test\\nChoose an option (1-2):", "choice: 'Test'", "2"),
    ],
)
def test_a_line_is_typed_though_the_question_ends_in_a_newline(
    tmp_path: Path, asks: str, reply: str, typed: str
) -> None:
    child = (sys.executable, "-c", f"print('{asks}'); open('answer','w').write(input())")
    got, code, last = answered(tmp_path, child, reply)
    assert (got, code) == (typed, 0), last


@pytest.mark.invariant(2)
def test_a_question_that_the_program_does_not_wait_for_gets_nothing(tmp_path: Path) -> None:
    works = f"import time; print('{ASK}'); time.sleep(4); print('done')"
    got, code, last = answered(tmp_path, (sys.executable, "-c", works))
    assert (got, code) == ("", 0), last
