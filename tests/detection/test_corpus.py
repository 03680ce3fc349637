"""The labelled recordings: what the detectors were measured at must not get worse.

The floors are the measured figures; whoever raises a figure raises its floor. Times are the recordings' own.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.scoreboard import casts_under
from tests.scoring.labels import CORPUS
from tests.scoring.scores import score_cast
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


@pytest.mark.row("CP-4", "CP-20", "CP-21", "CP-22", "CP-27", "CP-28", "CP-31", "CP-33", "CP-75")
@pytest.mark.invariant(7)
@pytest.mark.parametrize("cli", CLIS)
def test_the_recordings_of_a_cli_are_read_as_well_as_before(cli: str) -> None:
    """One test per CLI: reading its recordings is what takes the time."""
    scores = [score for path in casts_under([CORPUS], [cli]) for score in score_cast(path)]
    assert worse_than(FLOORS[cli], figures_of(scores)) == []
    assert [(score.where, score.false_waiting) for score in scores if score.false_waiting] == []
    assert [(score.where, score.got) for score in scores if score.answered_wrongly] == []


def worse_than(floors: dict[str, float], figures: dict[str, Any]) -> list[str]:
    """What is below its floor, settles too late, or was not measured though it has a floor."""
    found = []
    for what, floor in floors.items():
        figure = figures[what]
        if figure is None:
            found.append(f"{what}: nothing was measured")
        elif figure > floor if what == "settle" else figure < floor:
            found.append(f"{what}: {figure}, the floor is {floor}")
    return found


def test_what_was_not_measured_is_worse_and_what_is_slower_too() -> None:
    assert worse_than(FLOORS["claude"], figures_of([])) == [
        f"{what}: nothing was measured" for what in ("recall", "kind", "question", "options", "settle")
    ]
    measured = {"recall": 1.0, "kind": 0.5, "settle": 0.9, "question": None, "options": None}
    assert worse_than(FLOORS["decoys"], measured) == [
        "kind: 0.5, the floor is 1.0",
        "settle: 0.9, the floor is 0.8",
    ]


def test_every_folder_of_recordings_has_floors() -> None:
    assert sorted(path.name for path in CORPUS.iterdir() if path.is_dir()) == CLIS
