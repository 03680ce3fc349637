"""A step that ends at a text ends also where the program shows it before the prompt is known to be taken."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.front_door import copilot

PLAN = """\
name: fast
steps:
  - {name: one, send: say it, ends: {shows: "^READY to go"}}
  - {name: two, send: leave, ends: {shows: "^bye"}}
"""
CHILD = """
import sys
print("READY to go")
for answer in ("READY to go", "bye", ""):
    print("> ", end="", flush=True)
    sys.stdin.readline()
    print(answer)
"""


@pytest.mark.row("CP-70")
def test_what_a_fast_program_shows_ends_the_step(tmp_path: Path) -> None:
    (tmp_path / "plan.yml").write_text(PLAN, "utf-8")
    (tmp_path / "child.py").write_text(CHILD, "utf-8")
    words: list[str | Path] = ["--headless", "--autonomy", "full", "--plan", tmp_path / "plan.yml"]
    words += ["--log", tmp_path / "run", "--", sys.executable, "child.py"]
    done = copilot(*words, cwd=tmp_path, environment={"HOME": str(tmp_path)})
    assert done.code == 0, done.last
