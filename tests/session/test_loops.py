"""A program that asks the same for ever is not answered for ever (W6): what it got, and the exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.session.outside import headless

YES = "  - {kind: yes_no, choice: y, times: any, optional: true}\n"
ALLOWED = [
    word
    for one in ("*Con*tinue*", "Go on*", "Ready*", "Keep*", "Format*")
    for word in ("--allow", f"prompt:{one}")
]
"""So that the guard lets the answers through: only their number is in question here."""
ASKS = """
answers = []
for n in range(12):
    for above, question in BODY(n):
        if above:
            print(above)
        answers.append(input(question))
        open("answers", "w").write(" ".join(answers))
"""
WORDS = "'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split()[n]"
LOOPS = {
    "plain": ("lambda n: [('building', 'Continue? [y/n] ')]", 2),
    "counter above": ("lambda n: [(f'round {n}', 'Continue? [y/n] ')]", 2),
    "words above": ("lambda n: [('step ' + " + WORDS + ", 'Continue? [y/n] ')]", 2),
    "counter inside": ("lambda n: [('building', f'Continue with part {n + 1} of 12? [y/n] ')]", 2),
    "counting word": ("lambda n: [('building', 'Continue the ' + " + WORDS + " + ' time? [y/n] ')]", 2),
    "time of day": ("lambda n: [('building', f'[12:0{n}:4{n} PM] Continue? [y/n] ')]", 2),
    "punctuation": ("lambda n: [('building', 'Continue' + '!' * n + '? [y/n] ')]", 2),
    "other digits": ("lambda n: [('building', 'Continue ' + chr(0x2460 + n) + '? [y/n] ')]", 2),
    "two in turn": ("lambda n: [('building', 'Continue? [y/n] '), ('building', 'Go on? [y/n] ')]", 4),
    "three in turn": ("lambda n: [('building', q + '? [y/n] ') for q in ('Continue', 'Go on', 'Ready')]", 6),
}


@pytest.mark.invariant(10)
@pytest.mark.row("CP-61")
@pytest.mark.parametrize("name", LOOPS)
def test_the_third_time_round_is_answered_by_nobody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    body, most = LOOPS[name]
    run = headless(tmp_path, capsys, ASKS.replace("BODY(n)", f"({body})(n)"), *ALLOWED, replies=YES)
    answers = (tmp_path / "project" / "answers").read_text("utf-8").split()
    assert run.exit_code == 3 and "same question" in run.end["reason"], run.out
    assert answers == ["y"] * most


def test_a_refusal_in_between_is_no_new_start(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The model says yes, yes, no, yes: the third yes is the one too many."""
    replies = "".join(
        f"  - {{kind: yes_no, choice: {choice}, optional: true}}\n"
        for choice in ("y", "y", "n", "y", "y", "y")
    )
    body = "lambda n: [('building', 'Continue? [y/n] ')]"
    run = headless(tmp_path, capsys, ASKS.replace("BODY(n)", f"({body})(n)"), *ALLOWED, replies=replies)
    answers = (tmp_path / "project" / "answers").read_text("utf-8").split()
    assert run.exit_code == 3 and answers == ["y", "y", "n"]


QUESTIONS = ("Keep a.txt", "Keep b.txt", "Format the code", "Go on", "Keep c.txt", "Go on", "Keep the log")


def test_different_questions_are_no_loop(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asks = "; ".join(
        f"print('building'); assert input({question + '? [y/n] '!r}) == 'y'" for question in QUESTIONS
    )
    run = headless(tmp_path, capsys, asks, *ALLOWED, replies=YES)
    assert "same question" not in run.end["reason"]
    assert run.exit_code == 0 and [one["verdict"] for one in run.of("decision")] == ["send"] * len(QUESTIONS)
