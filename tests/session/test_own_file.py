"""A CLI that writes over a file of its own project is answered yes by the rules, and one elsewhere is not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.front_door import copilot

DIALOG = """
import os, sys, tty
rule = "─" * 120
dots = "╌" * 120
rows = ["❯ mend it", "", "● Write(" + sys.argv[1] + ")", "", rule, " Overwrite file", " " + sys.argv[1], dots,
        "  1 print('hello')", dots, " Do you want to overwrite " + sys.argv[1] + "?", " ❯ 1. Yes",
        "   2. Yes, and switch to accept edits (auto-approve file edits) for this session (shift+tab)", "   3. No",
        "", " Esc to cancel · Tab to amend"]
tty.setraw(0)
os.write(1, ("\\x1b[?25l" + "\\r\\n".join(rows)).encode())
open("answer", "wb").write(os.read(0, 64))
"""


@pytest.mark.parametrize(("name", "typed", "code"), [("app.py", b"1", 0), ("../other/app.py", b"\x1b", 3)])
def test_the_rules_let_a_project_file_be_overwritten(
    tmp_path: Path, name: str, typed: bytes, code: int
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "app.py").write_text("print('hello'\n", "utf-8")
    (project / "cli.py").write_text(DIALOG, "utf-8")
    words = ("--headless", "--autonomy", "full", "--profile", "claude", "--log", tmp_path / "run")
    child = ("--", sys.executable, "cli.py", name)
    done = copilot(*words, *child, cwd=project, environment={"HOME": str(tmp_path)})
    answer = (project / "answer").read_bytes() if (project / "answer").exists() else b""
    assert (answer, done.code) == (typed, code), done.out
    assert code == 0 or "refused «Do you want to overwrite" in done.last
