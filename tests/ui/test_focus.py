"""Where keys go can be seen, with colour and without: by a word in the key bar, a border, or a box over all else."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot

from copilot.tui.screens.dialog import Dialog
from copilot.tui.screens.session import SessionScreen
from copilot.tui.widgets.reply_panel import ReplyPanel
from copilot.tui.widgets.terminal import TerminalView
from tests.ui.harness import LEADER, cockpit
from tests.ui.places import BOXES, PLACES
from tests.ui.scenes import SCENES

SIZES = [(80, 24), (120, 40), (200, 60)]
CHIPS = {
    "leader": "CO-PILOT",
    "panel": "REPLY",
    "edit": "EDIT",
    "instruct": "INSTRUCT",
    "search": "SEARCH",
    "scroll": "SCROLL",
}
"""What the key bar says of a place."""


def _rows(pilot: Pilot[Any]) -> list[str]:
    return [strip.text for strip in pilot.app.screen._compositor.render_strips(pilot.app.size)]


def _border(panel: ReplyPanel) -> object:
    return panel.styles.border_top


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize(("place", "word"), [("", "TERMINAL"), *CHIPS.items()])
async def test_the_key_bar_says_in_a_word_where_keys_go(
    place: str, word: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    scene, keys = PLACES.get(place, ("permission", ()))
    async with cockpit(SCENES[scene](), size) as (pilot, screen):
        await pilot.press(*keys)
        await pilot.pause()
        assert _rows(pilot)[-1].split()[0] == word
        focused = screen.focused
        assert focused is not None and screen.region.contains_region(focused.region) and focused.region.area


@pytest.mark.parametrize("theme", ["dark", "light", "ansi-dark", "ansi-light"])
async def test_the_panel_with_the_focus_has_another_border(theme: str) -> None:
    async with cockpit(SCENES["question"](), (120, 40), theme=theme) as (pilot, screen):
        panel = screen.query_one(ReplyPanel)
        seen = [_border(panel)]
        for keys in ((LEADER, "p"), ("e",)):
            await pilot.press(*keys)
            await pilot.pause()
            assert panel.has_focus or panel.editor.has_focus
            seen.append(_border(panel))
        await pilot.press("escape", "escape")
        await pilot.pause()
        assert screen.focused is screen.query_one(TerminalView)
        assert seen[0] not in seen[1:]
        assert _border(panel) == seen[0]


@pytest.mark.parametrize("size", [(40, 12), *SIZES], ids=str)
@pytest.mark.parametrize("name", BOXES)
async def test_a_box_is_whole_lies_over_all_and_says_how_to_leave_it(
    name: str, size: tuple[int, int]
) -> None:
    scene, keys = PLACES[name]
    async with cockpit(SCENES[scene](), size) as (pilot, _):
        await pilot.press(*keys)
        await pilot.pause()
        top = pilot.app.screen
        assert isinstance(top, Dialog) and not isinstance(top, SessionScreen)
        box = top.query(".dialog, .page").first()
        assert top.region.contains_region(box.region)
        edges = [
            _rows(pilot)[row][box.region.x : box.region.right]
            for row in (box.region.y, box.region.bottom - 1)
        ]
        assert all(not edge[0].isalnum() and not edge[-1].isalnum() for edge in edges)
        assert "Esc" in edges[1], edges[1]
