"""What is really drawn can be read: the contrast of all text of ours in the running cockpit, in each theme."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from rich.color import ColorType
from rich.segment import Segment
from textual.geometry import Region
from textual.pilot import Pilot
from textual.screen import Screen

from copilot.screen.theme import hex_contrast
from copilot.tui.screens.session import SessionScreen
from copilot.tui.themes import BUILT_IN, DARK, LIGHT, AppTheme
from copilot.tui.widgets.terminal_picture import TerminalPicture
from tests.replay.golden import GOLDEN
from tests.ui.harness import LEADER, app_of, cockpit
from tests.ui.places import PLACES
from tests.ui.replay_harness import replaying
from tests.ui.scenes import SCENES
from tests.ui.test_replay_snapshots import SIZES, VIEWS
from tests.ui.test_themes import XTERM

LEAST = 4.5
PALETTES = {
    "palette": PLACES["palette"],
    "palette input": ("permission", (LEADER, "colon", *"theme")),
}
"""Whose lines keep the colours that they were made with: no theme is changed under an open palette."""
SHOWN = {
    **{
        scene: (scene, ()) for scene in ("permission", "countdown", "drafts", "withdrawn", "stale", "granted")
    },
    **{place: way for place, way in PLACES.items() if place not in PALETTES},
    "instruction written": ("permission", (LEADER, "r", *"be brief")),
}


def _words(segment: Segment) -> bool:
    return any(character.isalnum() for character in segment.text)


def _hex(name: str, triplet: object, skin: AppTheme, *, behind: bool) -> str:
    if triplet is not None:
        return str(getattr(triplet, "hex"))  # noqa: B009 - Rich's type is not exported
    return "#000000" if behind == skin.dark else "#ffffff"


def drawn_pairs(screen: Screen[object], skin: AppTheme) -> set[tuple[str, str, str]]:
    """Text, its colour, and that behind it, of the topmost screen: no cells of the program, nothing behind a box."""
    top = screen.query_one(TerminalPicture).region if screen.query(TerminalPicture) else None
    sixteen = list(XTERM.values())
    pairs = set()
    boxes = [box.region for box in screen.query(".dialog, .page, #--input, CommandList")]
    box = Region.from_union(boxes) if boxes else screen.region
    for row, strip in enumerate(screen._compositor.render_strips()):
        if not box.y <= row < box.bottom:
            continue
        left = top.right if top is not None and top.y <= row < top.bottom else box.x
        for segment in strip.crop(min(left, box.right), box.right):
            style = segment.style
            if style is None or not _words(segment) or style.dim:
                continue
            seen = []
            for colour, behind in ((style.color, False), (style.bgcolor, True)):
                if colour is not None and colour.type is ColorType.STANDARD and colour.number is not None:
                    seen.append(sixteen[colour.number])
                else:
                    seen.append(_hex("", colour.triplet if colour is not None else None, skin, behind=behind))
            front, ground = reversed(seen) if style.reverse else seen
            pairs.add((segment.text.strip(), front, ground))
    return pairs


@pytest.mark.parametrize("place", SHOWN)
async def test_all_text_of_ours_can_be_read(place: str) -> None:
    scene, keys = SHOWN[place]
    async with cockpit(SCENES[scene](), (120, 40), theme=BUILT_IN[-1].word) as (pilot, _):
        await pilot.press(*keys)
        await _assert_readable_in_each_theme(pilot)


@pytest.mark.parametrize("skin", BUILT_IN, ids=lambda skin: skin.word)
@pytest.mark.parametrize("place", PALETTES)
async def test_all_text_of_the_palette_can_be_read(place: str, skin: AppTheme) -> None:
    scene, keys = PALETTES[place]
    async with cockpit(SCENES[scene](), (120, 40), theme=skin.word) as (pilot, _):
        await pilot.press(*keys)
        await pilot.pause()
        pairs = drawn_pairs(pilot.app.screen, skin)
    _assert_readable(pairs, skin)


async def _assert_readable_in_each_theme(pilot: Pilot[Any], *words: str) -> None:
    """One app shows all themes, one after the other: opening it is what takes the time."""
    drawn = []
    for skin in BUILT_IN:
        pilot.app.theme = skin.name
        await pilot.pause()
        pairs = drawn_pairs(pilot.app.screen, skin)
        for word in words:
            assert any(word in text.lower() for text, _, _ in pairs)
        _assert_readable(pairs, skin)
        drawn.append({(front, ground) for _, front, ground in pairs})
    assert all(one != other for one, other in pairwise(drawn)), "the theme did change"


@pytest.mark.parametrize("keys", [(), (LEADER, "y")], ids=["tabs", "queue"])
async def test_text_of_several_sessions_can_be_read(keys: tuple[str, ...]) -> None:
    app = app_of([SCENES["busy"](), SCENES["permission"]()], theme=BUILT_IN[-1].word)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.press(LEADER, "plus", "enter")
        for _ in range(100):
            await pilot.pause()
            if len(app.tabs) == 2 and isinstance(app.screen, SessionScreen):
                break
        await pilot.press(*keys)
        await _assert_readable_in_each_theme(pilot, "held")


@pytest.mark.parametrize("view", VIEWS)
async def test_all_text_of_the_replay_can_be_read(view: str) -> None:
    name, size, _, keys = VIEWS[view]
    async with replaying(GOLDEN / name, SIZES[size], theme=BUILT_IN[-1].word) as (pilot, _):
        await pilot.press(*keys)
        await _assert_readable_in_each_theme(pilot)


@pytest.mark.parametrize("skin", [DARK, LIGHT], ids=lambda skin: skin.word)
@pytest.mark.parametrize("run", ["demo-full", "demo-person", "claude-rm-rf"])
@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=str)
async def test_marked_rows_of_a_replay_can_be_read(run: str, skin: AppTheme, size: tuple[int, int]) -> None:
    """Text of the program, dim text too: these rows are what one is to look at."""
    pairs = set()
    async with replaying(GOLDEN / run, size, theme=skin.word) as (pilot, _):
        for _ in range(3):
            await pilot.press("n", "d")
            await pilot.pause()
            await pilot.pause()
            pairs |= _pairs_on(pilot.app.screen, skin.variables["evidence"])
    _assert_readable(pairs, skin)


def _pairs_on(screen: Screen[object], ground: str) -> set[tuple[str, str, str]]:
    found = set()
    for strip in screen._compositor.render_strips():
        for segment in strip:
            style = segment.style
            if style is None or style.bgcolor is None or style.color is None or not _words(segment):
                continue
            if style.bgcolor.get_truecolor().hex == ground:
                found.add((segment.text.strip(), style.color.get_truecolor().hex, ground))
    return found


def _assert_readable(pairs: set[tuple[str, str, str]], skin: AppTheme) -> None:
    assert len(pairs) >= 3
    poor = {pair: round(hex_contrast(*pair[1:]), 2) for pair in pairs if hex_contrast(*pair[1:]) < LEAST}
    assert not poor, skin.word


@pytest.mark.parametrize("skin", [skin for skin in BUILT_IN if skin.ansi], ids=lambda skin: skin.word)
@pytest.mark.parametrize("written", ["", "theme"])
async def test_the_chosen_command_stands_out_in_the_colours_of_a_terminal(
    written: str, skin: AppTheme
) -> None:
    """Its ground is far from the terminal's own, so that it is seen whatever that is."""
    async with cockpit(SCENES["permission"](), (120, 40), theme=skin.word) as (pilot, _):
        await pilot.press(LEADER, "colon", *written)
        await pilot.pause()
        await pilot.pause()
        box = pilot.app.screen.query_one("CommandList").content_region
        strip = pilot.app.screen._compositor.render_strips()[box.y].crop(box.x, box.right)
        styles = [one.style for one in strip if _words(one) and one.style is not None]
    grounds = {style.bgcolor.number for style in styles if style.bgcolor is not None}
    assert styles and len(grounds) == 1 and None not in grounds
    ground = list(XTERM.values())[grounds.pop() or 0]
    assert hex_contrast(ground, "#000000" if skin.dark else "#ffffff") >= LEAST
