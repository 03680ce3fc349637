"""What follows a refusal where nobody is there, with the screens that real CLIs drew.

From the outside: the headless command, a child that draws a recording, the keys that it got, the exit code.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from tests.fakes import replayed_child
from tests.front_door import copilot

TESTS = Path(__file__).parents[1]
PLAN = """version: 1
name: words
steps:
  - {name: say, send: "Write hello.py"}
"""


def run(
    folder: Path, profile: str, cast: str, *marks: float, plan: bool = False
) -> tuple[int, str, list[bytes]]:
    """The exit code, the last line, and the keys that the child got."""
    (folder / "plan.yaml").write_text(PLAN, encoding="utf-8")
    child = [sys.executable, replayed_child.__file__, str(TESTS / cast), *map(str, marks)]
    words = ["--headless", "--autonomy", "full", "--provider", "rules", "--profile", profile]
    words += ["--columns", "120", "--lines", "40", "--timeout", "40s", "--log", "run"]
    words += ["--plan", "plan.yaml"] if plan else []
    ended = copilot(*words, "--", *child, cwd=folder)
    lines = (folder / "keys").read_text("ascii").splitlines()
    return ended.code, ended.last, [ast.literal_eval(line) for line in lines]


@pytest.mark.invariant(12)
@pytest.mark.parametrize("plan", [False, True])
def test_after_a_refusal_of_trust_nothing_more_is_typed(plan: bool, tmp_path: Path) -> None:
    """Codex 0.134 does not leave at C-c: its composer comes up, and whatever is typed there is a task."""
    code, end, keys = run(tmp_path, "codex", "recordings/codex-0.134.0-trust.cast", 0.75, 1.55, plan=plan)
    assert code == 3
    assert keys in ([b"\x03"], [b"\x1b[99;5u"])
    assert "trust" in end


@pytest.mark.invariant(12)
def test_after_a_refusal_of_a_plan_nothing_more_is_typed(tmp_path: Path) -> None:
    code, end, keys = run(tmp_path, "claude", "corpus/claude/plan_approve.cast", 7.8, 3.2)
    assert code == 3
    assert keys == [b"\x1b"]
    assert "plan" in end


def test_a_refusal_that_would_open_a_field_is_typed_as_the_key_that_refuses(tmp_path: Path) -> None:
    """GitHub's CLI: "No, and tell Copilot what to do differently (Esc to stop)" waits for words."""
    _, _, keys = run(tmp_path, "copilot", "recordings/copilot-1.0.102-permission.cast", 18.66)
    assert keys[0] in (b"\x1b", b"\x1b[27u")
    assert b"3" not in b"".join(keys)
