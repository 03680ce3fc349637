"""Where keys go can be seen, with colour and without: by a word in the key bar, and a border."""

from __future__ import annotations

import pytest

from copilot.tui.themes import BUILT_IN
from copilot.tui.widgets.reply_box import ReplyBox
from copilot.tui.widgets.terminal import TerminalView
from tests.ui.clicking import lines_of
from tests.ui.harness import LEADER, cockpit, left
from tests.ui.places import PLACES
from tests.ui.scenes import SCENES

SIZES = [(80, 24), (200, 60), (120, 40)]
CHIPS = {
    "leader": "CO-PILOT",
    "panel": "REPLY",
    "edit": "EDIT",
    "instruct": "INSTRUCT",
    "search": "SEARCH",
    "scroll": "SCROLL",
}
"""What the key bar says of a place."""


@pytest.mark.parametrize("scene", ["permission", "question", "log"])
async def test_the_key_bar_says_in_a_word_where_keys_go(scene: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    ways = {word: PLACES[place][1] for place, word in CHIPS.items() if PLACES[place][0] == scene}
    assert ways
    async with cockpit(SCENES[scene](), (120, 40)) as (pilot, screen):
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await pilot.pause(0.1)
            for word, keys in {"TERMINAL": (), **ways}.items():
                await pilot.press(*keys)
                await pilot.pause()
                assert lines_of(pilot)[-1].split()[0] == word, size
                focused = screen.focused
                assert focused is not None and focused.region.area, (word, size)
                assert screen.region.contains_region(focused.region), (word, size)
                await left(pilot, screen)


async def test_the_panel_with_the_focus_has_another_border_in_every_theme() -> None:
    async with cockpit(SCENES["question"](), (120, 40)) as (pilot, screen):
        panel = screen.query_one(ReplyBox)
        for skin in BUILT_IN:
            pilot.app.theme = skin.name
            await pilot.pause()
            first = panel.styles.border_top
            for keys in ((LEADER, "p"), ("e",)):
                await pilot.press(*keys)
                await pilot.pause()
                assert panel.has_focus or panel.editor.has_focus
                assert panel.styles.border_top != first, skin.word
            await pilot.press("escape", "escape")
            await pilot.pause()
            assert screen.focused is screen.query_one(TerminalView)
            assert panel.styles.border_top == first, skin.word
