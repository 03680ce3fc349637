"""`shfmt` as the second parser: what it must agree to, and what happens when it cannot be asked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from copilot.core.risk import RiskLevel
from copilot.guard import shfmt_check
from copilot.guard.command_risk import judge_command
from copilot.guard.shell_parse import parse_shell
from copilot.guard.shell_tree import ShellProblem
from copilot.guard.shfmt_check import is_plain, shfmt_agrees, shfmt_program, shfmt_tree
from copilot.guard.tree_sitter_check import tree_sitter_agrees

from .command_corpus import SCOPE


@pytest.mark.parametrize(
    "text",
    ["cat a 2>/dev/null | head -5 && b & c", "time -p A=1 a 'b c' x$y | b || ! c", "cat <<-'E' | sort\n\thi $x\n\tE\nls",
     "for f in a 'b c' $d; do wc \"$f\"; done > out", "if a; then b; elif c; then d; else e; fi &", "(a; { b; }) |& c",
     "export A=b C; echo $(a `b` <(c)) ${x} $((1+2)) $'q' é", "until a; do b; done <<< z 3>&1", "a \\\n b\\c", "cat <<E\n$x\nE"],
)  # fmt: skip
def test_they_read_alike_what_is_alike(text: str) -> None:
    assert shfmt_agrees(text, parse_shell(text), shfmt_tree(text))


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("ls", "rm"), ("ls a", "ls b"), ("a && b", "a || b"), ("a; b", "a & b"), ("a", "a &"), ("a | b", "a |& b"), ("a > b", "a >> b"),
     ("a > b", "a > c"), ("a", "A=1 a"), ("A=1 a", "A=2 a"), ("a", "(a)"), ("for x in a; do b; done", "for x in c; do b; done"),
     ("cat <<E\na\nE", "cat <<E\nb\nE"), ("a 2> b", "a 3> b"), ("a", "a; b"), ("echo $x", "echo ${x:-y}"), ("while a; do b; done", "if a; then b; fi")],
)  # fmt: skip
def test_any_difference_is_seen(ours: str, theirs: str) -> None:
    assert not shfmt_agrees(theirs, parse_shell(ours), shfmt_tree(theirs))


def test_it_catches_what_both_readers_in_process_miss() -> None:
    """Backquotes in a here-document run; tree-sitter and ours both take them for text."""
    text = "cat <<EOF\n`touch x`\nEOF"
    assert tree_sitter_agrees(text, parse_shell(text))
    assert not shfmt_agrees(text, parse_shell(text), shfmt_tree(text))


@pytest.mark.parametrize(
    "text",
    [
        "git commit -F - <<'EOF'\nAdd x\nEOF",
        "cat - <<E | wc -l\na\nE",
        "cat -",
        "git add -A && git commit -qF - <<E\na\nE",
        "cat - a <<< b",
    ],
)
def test_a_bare_dash_before_a_here_document_is_no_difference(text: str) -> None:
    """tree-sitter leaves the word out; `shfmt` still compares it."""
    tree = parse_shell(text)
    assert tree_sitter_agrees(text, tree)
    assert shfmt_agrees(text, tree, shfmt_tree(text))
    assert not shfmt_agrees(text.replace(" -", " x", 1), tree, shfmt_tree(text.replace(" -", " x", 1)))


@pytest.mark.parametrize(
    ("text", "plain"),
    [("ls -la | wc && cat 'a b'; pwd", True), ("ls *.py", True), ("ls > a", False), ("A=1 ls", False), ("ls $x", False), ("ls \\a", False),
     ("(ls)", False), ("ls $(pwd)", False), ("echo {a,b}", False), ("cat $'a'", False)],
)  # fmt: skip
def test_what_counts_as_words_only(text: str, plain: bool) -> None:
    assert is_plain(parse_shell(text)) is plain


def test_it_is_asked_only_where_it_can_still_change_the_verdict() -> None:
    asked: list[str] = []

    def second(text: str) -> dict[str, Any]:
        asked.append(text)
        return shfmt_tree(text)

    for command in (
        "ls -la && cat a",
        "rm x 2>/dev/null",
        "rm -rf /",
        "cat a 2>/dev/null",
        "bash -c 'ls 2>&1'",
    ):
        judge_command(command, SCOPE, second=second)
    assert asked == ["cat a 2>/dev/null", "ls 2>&1"]


def test_a_second_parser_that_fails_holds_and_says_so() -> None:
    def refuses(text: str) -> dict[str, Any]:
        raise ShellProblem("no answer")

    def lies(text: str) -> dict[str, Any]:
        return shfmt_tree("cat a; b 2>/dev/null")

    def broken(text: str) -> dict[str, Any]:
        return {"Type": "CallExpr", "Args": [{}]}

    assert judge_command("cat a 2>/dev/null", SCOPE).level is RiskLevel.NONE
    for second in (refuses, lies, broken):
        risk = judge_command("cat a 2>/dev/null", SCOPE, second=second)
        assert risk.level is RiskLevel.HIGH and risk.rule.startswith("parse."), risk
    assert "no answer" in judge_command("cat a 2>/dev/null", SCOPE, second=refuses).reason


def test_the_binary_is_this_environments_own() -> None:
    program = Path(shfmt_program())
    assert program.is_relative_to(Path(sys.prefix).resolve())
    done = subprocess.run([str(program), "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("v3.")


def test_a_missing_or_slow_binary_is_a_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shfmt_check, "shfmt_program", lambda: str(tmp_path / "none"))
    with pytest.raises(ShellProblem, match="does not start"):
        shfmt_tree("echo missing > x")
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nexec sleep 30\n")
    slow.chmod(0o700)
    monkeypatch.setattr(shfmt_check, "shfmt_program", lambda: str(slow))
    monkeypatch.setattr(shfmt_check, "DEADLINE_SECONDS", 0.05)
    with pytest.raises(ShellProblem, match="no answer in"):
        shfmt_tree("echo slow > x")


@pytest.mark.parametrize("text", ["ls |", "if ls", "\ud800"])
def test_what_shfmt_refuses_is_a_problem(text: str) -> None:
    with pytest.raises(ShellProblem):
        shfmt_tree(text)
