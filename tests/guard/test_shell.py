"""The shell parser and its second opinion."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from copilot.core.risk import RiskLevel
from copilot.guard.command_risk import judge_command
from copilot.guard.shell_parse import parse_shell
from copilot.guard.shell_tree import ShellProblem, commands_of
from copilot.guard.tree_sitter_check import tree_sitter_agrees

from .command_corpus import SCOPE


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("ls -la | wc && cat a; pwd", ["ls -la", "wc", "cat a", "pwd"]),
        ("cat <<'E' | sh\nrm x\nE\nls", ["cat <<'E'", "sh", "ls"]),
        ('echo "$(ls `pwd`)" <(cat a)', ['echo "$(ls `pwd`)" <(cat a)', "ls `pwd`", "pwd", "cat a"]),
        ("for f in a b; do wc $f; done", ["wc $f"]),
        ("if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]),
        ("(a; b) | { c; } && ! d # e; f", ["a", "b", "c", "d"]),
        ("a \\\n b", ["a \\\n b"]),
    ],
)
def test_what_the_commands_are(text: str, commands: list[str]) -> None:
    tree = parse_shell(text)
    assert sorted(one.source for one in commands_of(tree)) == sorted(commands)
    assert tree_sitter_agrees(text, tree)


@pytest.mark.parametrize(
    "text",
    ["a &&", "| a", "a ||| b", '"a', "'a", "`a", "$(a", "(a", "a)", "f() { a; }", "case a in b) c;; esac", "[[ a && b ]]", "[[ (a) ]]", "[[ a", "((a))", "a=(b)",
     "cat <<E\nx", "${a:-b}", "$\"a\"", "select a in b; do c; done", "a;;b", "if a; fi", "for a; do b; done", "{ a", "a <", "\\"],
)  # fmt: skip
def test_what_is_refused(text: str) -> None:
    with pytest.raises(ShellProblem):
        parse_shell(text)


def test_where_tree_sitter_loses_a_command_they_disagree() -> None:
    text = "cat <<EOF; rm -rf ~\nhi\nEOF\n"
    assert not tree_sitter_agrees(text, parse_shell(text))
    assert judge_command("cat <<EOF; rm -rf ~\nhi\nEOF\n", SCOPE).level is RiskLevel.FORBIDDEN


@pytest.mark.parametrize("text", ["grep -r foo 2>/dev/null src", "echo hi >f a"])
def test_what_they_read_differently_is_held_although_neither_sees_an_error(text: str) -> None:
    assert not tree_sitter_agrees(text, parse_shell(text))
    assert judge_command(text, SCOPE).level >= RiskLevel.HIGH


@given(st.text(alphabet="abrm -'\"\\$(){}|&;<>`#\n*~/=", max_size=40))
def test_any_text_gets_a_verdict(text: str) -> None:
    """Never an exception; and what neither parser reads is not harmless."""
    risk = judge_command(text, SCOPE)
    assert risk.rule
    try:
        parse_shell(text)
    except ShellProblem:
        assert risk.level >= RiskLevel.HIGH


def test_too_long_is_held() -> None:
    assert judge_command("ls " + "a" * 9_000, SCOPE).level is RiskLevel.HIGH
