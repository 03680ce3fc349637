"""The same detections however the output arrives: byte by byte, in large chunks, faster, on a resized screen.

A sample here; `COPILOT_WHOLE_CORPUS=1` takes every recording, as `python -m tests.scoreboard --feedings` does.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from copilot.core.events import ScreenSettled
from copilot.core.screen_kinds import PROMPT_KINDS
from copilot.recording.asciicast import read_cast
from tests.examples import ALL
from tests.scoreboard import casts_under
from tests.scoring.comparisons import FEEDINGS, differences
from tests.scoring.feeding import Feeding
from tests.scoring.labels import ASKING, CORPUS, folded, labels_of
from tests.scoring.scores import How, LabelScore, read_labelled, score_cast, scored

SAMPLE = (
    "claude/two_permissions", "claude/psp_session", "codex/ask_notes", "codex/rm_rf_accept_80x24",
    "qwen/shell_approve", "copilot/ask_menu", "opencode/ask_multi", "aider/add_file", "classic/npm_init",
    "classic/clack_all", "decoys/yn_in_log",
)  # fmt: skip
LARGE = ("qwen/shell_approve", "opencode/ask_multi")
# set by the user, not by the settings of a run; read before the tests' clean environment removes COPILOT_*
WHOLE = bool(os.environ.get("COPILOT_WHOLE_CORPUS"))
CASTS = list(casts_under([CORPUS], [])) if WHOLE else [CORPUS / f"{name}.cast" for name in SAMPLE]
NAMES = [f"{path.parent.name}/{path.stem}" for path in CASTS]


def _fed() -> Iterator[ParameterSet]:
    """Each recording in each way; without all examples byte by byte in one of two, large ones in none."""
    dear = [name for name in FEEDINGS if "1-byte" in name]
    for number, (path, name) in enumerate(zip(CASTS, NAMES, strict=True)):
        half = dear if name in LARGE else [dear[number % len(dear)]]
        left_out = {"as recorded", *([] if ALL or WHOLE else half)}
        for feeding in FEEDINGS:
            if feeding not in left_out:
                yield pytest.param(path, feeding, id=f"{feeding}-{name}")


@cache
def as_recorded(path: Path) -> tuple[list[LabelScore], list[ScreenSettled]]:
    player, settled = read_labelled(path)
    return scored(path, player, settled), settled


@pytest.mark.row("CP-27", "CP-28")
@pytest.mark.examples
@pytest.mark.parametrize(("path", "feeding"), list(_fed()))
def test_the_detections_are_the_same_however_the_output_arrives(path: Path, feeding: str) -> None:
    assert differences(as_recorded(path)[0], score_cast(path, How(feeding=FEEDINGS[feeding]))) == []


def asked(settled: list[ScreenSettled], start: float, end: float) -> list[tuple[object, ...]]:
    """What was asked between two moments, by kind, question and options."""
    return [
        (
            item.detection.kind,
            folded(item.detection.question),
            tuple(folded(option.label) for option in item.detection.options),
        )
        for item in settled
        if start <= item.at < end and item.detection.kind in PROMPT_KINDS
    ]


@pytest.mark.row("CP-32")
@pytest.mark.invariant(2)
@pytest.mark.parametrize("path", CASTS, ids=NAMES)
def test_a_resize_in_mid_dialog_shows_no_other_dialog(path: Path) -> None:
    """Lines that a resize cut make a prompt vanish or be held, never another prompt with other options."""
    labels = labels_of(path)
    header = read_cast(path).header
    feeding = Feeding(resized=(80 if header.columns > 80 else 60, header.lines))
    plain = as_recorded(path)[1]
    _, resized = read_labelled(path, How(feeding=feeding))
    for label in labels:
        if label["state"] not in ASKING:
            continue
        start, end = label["t_start"], label["t_end"]
        known = set(asked(plain, start - 2, end))
        other = [found for found in asked(resized, start, end) if found not in known]
        assert other == [], (label["question"], other)
