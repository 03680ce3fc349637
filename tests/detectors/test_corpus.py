"""The labelled recordings: what the detectors were measured at must not get worse.

The floors are the measured figures; whoever raises a figure raises its floor. Times are the recordings' own.
"""

from __future__ import annotations

from functools import cache

import pytest

from tests.scoreboard import casts_under
from tests.scoring.labels import CORPUS
from tests.scoring.scores import LabelScore, score_cast
from tests.scoring.tables import figures_of

FLOORS: dict[str, dict[str, float]] = {
    "claude": {"recall": 1.0, "kind": 0.99, "question": 1.0, "options": 0.97, "settle": 0.35},
    "codex": {"recall": 1.0, "kind": 1.0, "question": 1.0, "options": 1.0, "settle": 0.2},
    "gemini": {"recall": 1.0, "kind": 1.0, "question": 1.0, "options": 1.0, "settle": 0.35},
    "qwen": {"recall": 1.0, "kind": 1.0, "question": 1.0, "options": 1.0, "settle": 0.35},
    "copilot": {"recall": 1.0, "kind": 0.98, "question": 0.95, "options": 1.0, "settle": 0.8},
    "opencode": {"recall": 1.0, "kind": 0.98, "question": 0.95, "options": 0.97, "settle": 0.8},
    "pi": {"recall": 1.0, "kind": 0.98, "question": 0.95, "options": 0.97, "settle": 0.8},
    "aider": {"recall": 1.0, "kind": 0.98, "question": 0.95, "options": 0.97, "settle": 0.8},
    "classic": {"recall": 0.99, "kind": 0.99, "question": 0.98, "options": 0.97, "settle": 0.8},
    "classic_more": {"recall": 1.0, "kind": 1.0, "question": 1.0, "options": 1.0, "settle": 0.8},
    "decoys": {"recall": 1.0, "kind": 1.0, "settle": 0.8},
}
CLIS = sorted(FLOORS)


@cache
def scores_of(cli: str) -> list[LabelScore]:
    return [score for path in casts_under([CORPUS], [cli]) for score in score_cast(path)]


@pytest.mark.row("CP-4", "CP-20", "CP-21", "CP-22", "CP-28", "CP-31", "CP-75")
@pytest.mark.parametrize("cli", CLIS)
@pytest.mark.parametrize("what", ["recall", "kind", "question", "options"])
def test_prompts_are_read_as_well_as_before(cli: str, what: str) -> None:
    figure = figures_of(scores_of(cli))[what]
    assert figure is None or figure >= FLOORS[cli].get(what, 0.95)


@pytest.mark.row("CP-27")
@pytest.mark.parametrize("cli", CLIS)
def test_prompts_settle_as_soon_as_before(cli: str) -> None:
    settle = figures_of(scores_of(cli))["settle"]
    assert settle is None or settle <= FLOORS[cli]["settle"]


@pytest.mark.row("CP-28", "CP-33")
@pytest.mark.parametrize("cli", CLIS)
def test_nothing_is_reported_as_waiting_while_busy(cli: str) -> None:
    assert [(score.where, score.false_waiting) for score in scores_of(cli) if score.false_waiting] == []


@pytest.mark.row("CP-33")
@pytest.mark.invariant(7)
@pytest.mark.parametrize("cli", CLIS)
def test_nothing_is_answered_where_nothing_is_asked(cli: str) -> None:
    assert [(score.where, score.got) for score in scores_of(cli) if score.answered_wrongly] == []
