"""A verdict costs a bounded number of steps, whatever the command is."""

from __future__ import annotations

import posixpath
from pathlib import Path

import pytest

from copilot.core.risk import RiskLevel
from copilot.guard.below import expand
from copilot.guard.budget import UNITS, Budget, TooMuch
from copilot.guard.command_risk import judge_command
from copilot.guard.scope import ProjectScope

SCOPE = ProjectScope("/home/me/project", "/home/me", posixpath.normpath)
LETTERS = " ".join("abcdefghijklmnop")
HOSTILE = {
    "folders": "; ".join(f"cd d{number}" for number in range(20)) + "; ls",
    "loops": "".join(f"for {name} in {LETTERS}; do " for name in "abcd") + "echo $a; " + "done; " * 4,
    "loop of reads": "".join(f"for {name} in {LETTERS}; do " for name in "abc") + "cat $a; " + "done; " * 3,
    "watch": "watch " + "ls " * 2000,
    "parallel": "parallel " + "ls " * 2000,
    "operands": "cat " + "a " * 4000,
    "remote": "ssh h " + '"ls -la" ' * 800,
    "wrapper": "sudo -x " * 900 + "ls",
    "substitutions": "echo " + "$(ls) " * 1300,
    "commands": "ls; " * 1900,
    "document": "cat <<EOF\n" + "x $y\n" * 1300 + "EOF",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_too_much_is_held_and_says_so(name: str) -> None:
    risk = judge_command(HOSTILE[name], SCOPE)
    assert (risk.level, risk.rule) == (RiskLevel.HIGH, "parse.budget"), risk
    assert "too much to judge" in risk.reasons


def test_a_budget_is_used_up() -> None:
    budget = Budget(10)
    budget.spend(10)
    with pytest.raises(TooMuch):
        budget.spend(1)


def test_a_large_folder_is_looked_through_only_so_far(tmp_path: Path) -> None:
    for number in range(300):
        (tmp_path / f"f{number}").write_text("")
    scope = ProjectScope(str(tmp_path), "/home/me")
    assert len(expand(scope, "f*", str(tmp_path), Budget(UNITS))) == 300
    with pytest.raises(TooMuch):
        expand(scope, "f*", str(tmp_path), Budget(100))
