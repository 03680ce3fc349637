"""The labelled recordings: what the detectors were measured on must stay so."""

from __future__ import annotations

from functools import cache

import pytest

from copilot.core.detection import WAITING_KINDS
from tests.scoreboard import CORPUS, LabelScore, casts_under, score_cast

_WAITING = {kind.value for kind in WAITING_KINDS}
AIMS = {"claude": 0.98, "codex": 0.99, "classic": 0.99, "decoys": 1.0}


@cache
def scores_of(cli: str) -> list[LabelScore]:
    return [score for path in casts_under([CORPUS], [cli]) for score in score_cast(path)]


@pytest.mark.row("CP-4", "CP-20", "CP-21", "CP-22", "CP-28", "CP-75")
@pytest.mark.parametrize("cli", sorted(AIMS))
def test_prompts_of_the_recordings_are_seen(cli: str) -> None:
    waiting = [score for score in scores_of(cli) if score.kind in _WAITING]
    missed = [
        f"{score.cast} #{score.number} {score.kind}: {score.got}" for score in waiting if not score.seen
    ]
    assert 1 - len(missed) / len(waiting) >= AIMS[cli], missed


@pytest.mark.row("CP-28", "CP-33")
@pytest.mark.parametrize("cli", sorted(AIMS))
def test_nothing_is_reported_as_waiting_while_busy(cli: str) -> None:
    false = [
        (score.cast, score.number, score.false_waiting) for score in scores_of(cli) if score.false_waiting
    ]
    assert false == []


@pytest.mark.row("CP-33")
@pytest.mark.invariant(7)
def test_no_decoy_is_taken_for_a_prompt() -> None:
    asked = [
        (score.cast, text)
        for score in scores_of("decoys")
        if score.decoy and score.kind == "busy"
        for text in score.false_waiting
    ]
    assert asked == []


@pytest.mark.row("CP-31")
@pytest.mark.parametrize("cli", ["claude", "codex"])
def test_questions_and_options_are_read_exactly(cli: str) -> None:
    scores = scores_of(cli)
    questions = [score.question for score in scores if score.question is not None]
    options = [score.options for score in scores if score.options is not None]
    assert sum(questions) / len(questions) >= 0.97
    assert sum(options) / len(options) >= 0.97
