"""What loops, `read`, `eval` and assignments do to variables, and what `$((…))` computes with."""

from __future__ import annotations

import posixpath

import pytest

from copilot.core.risk import RiskLevel
from copilot.guard.command_risk import judge_command
from copilot.guard.scope import ProjectScope

SCOPE = ProjectScope("/home/me/project", "/home/me", posixpath.normpath)


@pytest.mark.parametrize(
    "command",
    ["for f in a b; do cat $f; done", "for i in 1 2 3; do echo $((i * 2)); done", "x=1; echo $x", "x=$(date); echo \"$x\"",
     "for f in a; do cat $f; done; for f in b; do cat $f; done", "for FILE in a b; do wc -l $FILE; done", "echo $((1 + 2))",
     "export NODE_ENV=test", "while read -r line; do echo \"$line\"; done < a.txt", "eval 'ls src'", "basename $(pwd)",
     "grep -n -e \"$x\" a.txt", "grep -n -- \"$x\" a.txt", "[ \"$x\" = y ] && ls"],
)  # fmt: skip
def test_what_is_certain_is_read(command: str) -> None:
    assert judge_command(command, SCOPE).level is RiskLevel.NONE, judge_command(command, SCOPE)


@pytest.mark.parametrize(
    "command",
    ["for PATH in ./x; do ls; done", "for fpath in x; do ls; done", "for LC_ALL in x; do ls; done", "read -r PATH < x; ls",
     "read IFS; ls", "for c in cat; do for c in rm; do ls; done; $c x; done", "for c in cat; do c=rm; $c x; done",
     "for c in cat; do r'e'ad c; $c x; done", "for c in cat; do builtin read c; $c x; done", "for c in cat; do printf -v c rm; $c x; done",
     "read n; echo $((n))", "for x in 'a[$(id)]'; do echo $((x)); done", "echo $((x = 5))", "n=1; echo $((n))",
     "cat <<EOF\n$((x))\nEOF", "cat <<EOF\n${x[$y]}\nEOF", "eval 'cd x'; ls", "eval x=1", "eval \"$x\"", "[ -n $x ] && ls", "grep $x a.txt",
     "[ \"$x\" -eq 1 ]", "while true; do echo x >> a.md; done", "for f in $(x); do echo a >> b.md; done",
     "seq 1 1000000000000 >> a.md", "printf '%9999999d' 1 >> a.md", "ls\u00a0-la", "cat a\u2003b", "cat =ls", "git log $x", "cd \"$x\" && ls"],
)  # fmt: skip
def test_what_is_not_certain_is_held(command: str) -> None:
    assert judge_command(command, SCOPE).level >= RiskLevel.HIGH


def test_a_commit_message_from_a_document() -> None:
    text = "git commit -m \"$(cat <<'EOF'\nMend x\n\nIt was $HOME and `id`; rm -rf /.\nEOF\n)\""
    assert judge_command(text, SCOPE).level is RiskLevel.MEDIUM
    assert judge_command(text.replace("'EOF'", "EOF"), SCOPE).level >= RiskLevel.HIGH
