"""Pictures of the replay: at a permission, a held prompt, a take-over, a destructive one, and its pages."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.replay.golden import GOLDEN
from tests.ui.harness import pressing
from tests.ui.picture_files import FOLDER
from tests.ui.replay_harness import replay_of

Compare = Callable[..., bool]
SIZES = {"80x24": (80, 24), "120x40": (120, 40), "200x60": (200, 60)}
VIEWS: dict[str, tuple[str, str, str, tuple[str, ...]]] = {
    "permission": ("demo-full", "200x60", "dark", ("n", "d")),
    "permission-light": ("demo-full", "120x40", "light", ("n", "d")),
    "permission-small": ("demo-full", "80x24", "dark", ("n", "d")),
    "held": ("demo-person", "120x40", "dark", ("h", "h", "h")),
    "take-over": ("demo-person", "200x60", "light", ("t", "t", "t", "t")),
    "destructive": ("claude-rm-rf", "120x40", "dark", ("n", "n", "d")),
    "panel-small": ("claude-rm-rf", "80x24", "dark", ("n", "n", "d", "p")),
    "verdict": ("demo-full", "120x40", "dark", ("n", "v")),
    "context": ("demo-full", "120x40", "dark", ("n", "c")),
    "help": ("demo-full", "120x40", "dark", ("question_mark",)),
}


@pytest.mark.parametrize("view", VIEWS)
def test_replay(snap_compare: Compare, view: str) -> None:
    name, size, theme, keys = VIEWS[view]
    app = replay_of(GOLDEN / name, theme=theme)
    assert snap_compare(app, terminal_size=SIZES[size], run_before=pressing(*keys))


def test_no_picture_is_a_leftover() -> None:
    assert {path.stem for path in (FOLDER / "replay").glob("*.svg")} == set(VIEWS)
