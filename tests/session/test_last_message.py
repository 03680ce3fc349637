"""A headless run ends with what the CLI said last, in full, and not with its hint how to come back (S6)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from copilot import cli
from tests.session.outside import headless

RULE = "─" * 100
ANSWER = [
    "The tests pass now. The loop in app.py read one line too many, so the last record was lost, and that",
    "made the report wrong.",
    "",
    "What I changed:",
    "- app.py: the loop ends one line earlier",
    "- test_app.py: a test for it",
    *(f"  line {number} of the log" for number in range(60)),
    "The token is ghp_" + "a1B2c3D4e5" * 3 + "F6g7H8.",
]
LEAVES = """
def show(rows):
    os.write(1, "".join(row + "\\r\\n" for row in rows).encode())
tty.setraw(0)
show(["❯ mend it", "", "● Reading app.py", "", "● " + ANSWER[0], *("  " + row for row in ANSWER[1:]), ""])
os.write(1, ("✻ Worked for 4s\\r\\n\\r\\n" + RULE + "\\r\\n❯ \\r\\n" + RULE + "\\r\\n  ? for shortcuts").encode())
os.read(0, 99)
os.write(1, b"\\x1b[2J\\x1b[HResume this session with:\\r\\nclaude --resume 1234\\r\\n")
"""
SCRIPT = f"import os, tty\nANSWER = {ANSWER!r}\nRULE = {RULE!r}\n{LEAVES}"


def test_the_last_message_is_in_the_end_of_the_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also what has scrolled off the screen; lines that the CLI wrapped are one line again."""
    run = headless(tmp_path, capsys, SCRIPT, "--columns", "108", profile="claude")
    assert run.exit_code == 0
    rows = run.end["message"].split("\n")
    assert rows[0] == f"{ANSWER[0]} {ANSWER[1]}" and rows[1:6] == ["", *ANSWER[3:6], ANSWER[6]]
    assert rows[-2] == ANSWER[-2] and rows[-1].startswith("The token is [")
    assert "Reading" not in run.end["message"] and "--resume" not in run.end["message"]
    assert "Worked for" not in run.end["message"]


def test_it_is_told_in_full_to_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "child.py").write_text(SCRIPT, "utf-8")
    words = ["--headless", "--autonomy", "full", "--profile", "claude", "--cwd", str(tmp_path)]
    child = [sys.executable, str(tmp_path / "child.py")]
    assert cli.main([*words, "--log", str(tmp_path / "run"), "--", *child]) == 0
    out = capsys.readouterr().out
    told = [line.partition("│ ")[2] for line in out.splitlines() if "│" in line]
    assert told[0].startswith("The tests pass now.") and "  line 0 of the log" in told
    assert told[-1].startswith("The token is [") and "--resume" not in out
    assert out.splitlines()[-1].split()[1] == "end"


def test_an_error_is_a_message_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = SCRIPT.replace("ANSWER = [", "ANSWER = ['API Error: 529 Overloaded', '']; IGNORED = [")
    script = script.replace("os.read(0, 99)", "import time; time.sleep(1.2)")
    run = headless(tmp_path, capsys, script, profile="claude")
    assert run.exit_code == 1 and run.end["message"] == "API Error: 529 Overloaded"


def test_a_program_that_says_nothing_has_no_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = headless(tmp_path, capsys, "print('built')")
    assert run.end["message"] == "" and run.of("screen")[0]["text"] == "built"
