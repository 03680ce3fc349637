"""The coding CLIs read as if no profile knew them: what the generic profile sees by form alone.

`python -m tests.scoreboard --unknown` prints the table.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import re2

from copilot.config.profile_files import load_profile, profile_paths
from copilot.replay.detect import detections_of
from tests.scoreboard import CODING_CLIS, UNKNOWN_PATIENCE, UNKNOWN_PROFILE, casts_under
from tests.scoring.labels import CORPUS
from tests.scoring.scores import PLAIN, How, LabelScore, score_cast
from tests.scoring.tables import Figures, unknown_figures_of

AS_UNKNOWN = replace(
    PLAIN, profile=UNKNOWN_PROFILE, feeding=replace(PLAIN.feeding, patience=UNKNOWN_PATIENCE)
)
FLOORS = {"asked_seen": 0.92, "options": 0.98, "ready_seen": 0.97}
NEVER = ("false_waiting", "answered_wrongly", "typed_over")
SAMPLE = (
    "claude/yes_no_text",
    "claude/plan_approve",
    "gemini/edit_session",
    "gemini/yes_no_text",
    "opencode/shell_approve",
    "pi/full_session",
    "qwen/menus_exit",
)
"""Recordings in which prose, code or a footer was read as a choice, and one CLI of each other look."""


def read(only: list[str], how: How = AS_UNKNOWN) -> list[LabelScore]:
    return [score for path in casts_under([CORPUS], only) for score in score_cast(path, how)]


def wrong(scores: list[LabelScore]) -> list[tuple[str, str]]:
    return [
        (score.where, score.got)
        for score in scores
        if score.false_waiting or score.answered_wrongly or score.typed_over
    ]


@pytest.mark.invariant(12)
def test_nothing_is_answered_or_typed_over_that_does_not_ask() -> None:
    scores = read([*SAMPLE, "decoys"])
    assert wrong(scores) == []
    assert unknown_figures_of(scores)["ready_seen"] == 1


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_all_recordings_are_read_as_well_as_before() -> None:
    scores = read([*CODING_CLIS, "decoys"])
    assert wrong(scores) == []
    assert below(FLOORS, unknown_figures_of(scores)) == []


def below(floors: dict[str, float], figures: Figures) -> list[str]:
    return [f"{name}: {figures[name]}" for name, floor in floors.items() if figures[name] < floor]


def test_a_boxed_composer_without_a_terminal_cursor_is_ready() -> None:
    recording = Path(__file__).parents[1] / "recordings" / "grok-0.0.34-composer.cast"
    seen = list(detections_of(recording, load_profile("generic")))
    assert [one["rule"] for one in seen if one["kind"] == "idle"] == ["generic.composer.field"]
    assert {one["kind"] for one in seen} <= {"starting", "busy", "idle", "exited", "unknown"}


def test_the_generic_profile_names_no_coding_cli() -> None:
    words = set(re2.findall(r"\pL+", Path(profile_paths()["generic"]).read_text("utf-8").casefold()))
    names = {*profile_paths(), "cline", "grok", "gptme"} - {"generic", "demo", "cursor"}
    assert names & words == set()
