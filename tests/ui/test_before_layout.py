"""What the cockpit draws fits its room, whether the layout comes before or after the messages about it."""

from __future__ import annotations

from typing import Any

import pytest
from textual.events import Key
from textual.pilot import Pilot
from textual.widgets import Static

from copilot.tui.widgets.reply_box import ReplyBox
from tests.ui.harness import LEADER, cockpit
from tests.ui.scenes import permission
from tests.ui.steady import until_idle


async def press_before_layout(pilot: Pilot[Any], *keys: str) -> None:
    """Press keys, and let all that they set off be handled before the screen is laid out once."""
    with pilot.app.batch_update():
        for key in keys:
            pilot.app.post_message(Key(key, key if len(key) == 1 else None))
        await until_idle()
    await pilot.pause()


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_the_instruction_fits_when_the_panel_is_laid_out_late(size: tuple[int, int]) -> None:
    async with cockpit(permission(), size) as (pilot, screen):
        await press_before_layout(pilot, LEADER, "r")
        assert screen.query_one(ReplyBox).max_scroll_y == 0


async def test_the_text_is_as_wide_as_the_panel_once_a_scroll_bar_has_gone() -> None:
    async with cockpit(permission(), (80, 24)) as (pilot, screen):
        await pilot.press(LEADER, "r")
        box, text = screen.query_one(ReplyBox), screen.query_one("#reply-text", Static)
        before = str(text.content)
        box.show_vertical_scrollbar = True
        screen.updates.show_reply()
        assert str(text.content) != before
        await pilot.pause()
        assert not box.show_vertical_scrollbar
        assert str(text.content) == before
