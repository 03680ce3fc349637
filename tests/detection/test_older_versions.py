"""Older releases of a CLI read by the profile of the newest: what they draw otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from copilot.config.profile_files import load_profile
from copilot.core.screen_kinds import ScreenKind
from copilot.replay.detect import detections_of
from tests.detection.screens import RULE, detect

RECORDINGS = Path(__file__).parents[1] / "recordings"
COMPOSER = f"{RULE}\n\n› ▮\n\n  gpt-5.5 default · /srv/shop"


def test_a_turn_of_codex_that_ends_without_a_time_is_completed() -> None:
    """Up to 0.150 no status is reported and nothing below the answer names how long it took."""
    seen = list(detections_of(RECORDINGS / "codex-0.150.1-turn.cast", load_profile("codex")))
    kinds = [one["kind"] for one in seen]
    assert kinds[-2:] == ["completed", "exited"]
    assert kinds.count("completed") == 1, "the composer at the start is idle"


@pytest.mark.parametrize(
    ("above", "title", "kind"),
    [
        ("• The module is there.", "shop", ScreenKind.COMPLETED),
        ("• The module is there. Shall I use MIT or Apache-2.0?", "shop", ScreenKind.QUESTION),
        ("• Ran python3 -m unittest\n  └ OK", "shop", ScreenKind.IDLE),
        ("› do it", "shop", ScreenKind.IDLE),
        ("• Writing the module.", "⠋ shop", ScreenKind.BUSY),
    ],
)
def test_codex_without_a_status_is_read_by_its_last_words_and_its_title(
    above: str, title: str, kind: ScreenKind
) -> None:
    assert detect("codex", f"{above}\n\n{COMPOSER}", title=title).kind is kind
