"""What is really drawn can be read: the contrast of all text of ours in the running cockpit, in each theme."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise, product
from typing import Any

import pytest
from rich.color import ColorType
from rich.segment import Segment
from textual.geometry import Region
from textual.pilot import Pilot
from textual.screen import Screen

from copilot.screen.theme import hex_contrast
from copilot.tui.screens.session import SessionScreen
from copilot.tui.themes import ANSI_DARK, ANSI_LIGHT, BUILT_IN, DARK, LIGHT, AppTheme
from copilot.tui.widgets.terminal_picture import TerminalPicture
from tests.replay.golden import GOLDEN
from tests.ui.harness import LEADER, app_of, cockpit, left
from tests.ui.places import PLACES
from tests.ui.replay_harness import replaying
from tests.ui.scenes import SCENES
from tests.ui.test_replay_snapshots import SIZES, VIEWS
from tests.ui.test_themes import XTERM

LEAST = 4.5
IN_TURN = (DARK, ANSI_LIGHT, LIGHT, ANSI_DARK)
"""One theme for each place; all of them at every place take four times as long."""
SHOWN = {
    **{
        scene: (scene, ()) for scene in ("permission", "countdown", "drafts", "withdrawn", "stale", "granted")
    },
    **{place: way for place, way in PLACES.items() if place != "palette"},
    "instruction written": ("permission", (LEADER, "r", *"be brief")),
}


SCENES_SHOWN = sorted({scene for scene, _ in SHOWN.values()})


@pytest.fixture(params=[False, pytest.param(True, marks=pytest.mark.slow)], ids=["one", "all"])
def every(request: pytest.FixtureRequest) -> bool:
    """Whether each place is drawn in each theme, or in one of them."""
    return bool(request.param)


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


@pytest.mark.parametrize("scene", SCENES_SHOWN)
async def test_all_text_of_ours_can_be_read(scene: str, every: bool) -> None:
    async with cockpit(SCENES[scene](), (120, 40)) as (pilot, screen):
        for number, (place, (of_scene, keys)) in enumerate(SHOWN.items()):
            if of_scene == scene:
                await pilot.press(*keys)
                await _assert_readable_in_themes(pilot, place, BUILT_IN if every else [IN_TURN[number % 4]])
                await left(pilot, screen)


async def _assert_readable_in_themes(
    pilot: Pilot[Any], place: str, skins: Iterable[AppTheme], *words: str
) -> None:
    """One app shows all themes, one after the other: opening it is what takes the time."""
    drawn = []
    for skin in skins:
        pilot.app.theme = skin.name
        await pilot.pause()
        pairs = drawn_pairs(pilot.app.screen, skin)
        for word in words:
            assert any(word in text.lower() for text, _, _ in pairs), place
        _assert_readable(pairs, skin, place)
        drawn.append({(front, ground) for _, front, ground in pairs})
    assert all(one != other for one, other in pairwise(drawn)), "the theme did change"


async def test_all_text_of_the_palette_can_be_read() -> None:
    """Its lines keep the colours that they were made with: no theme is changed under an open palette."""
    async with cockpit(SCENES["permission"](), (120, 40)) as (pilot, _):
        for skin in BUILT_IN:
            pilot.app.theme = skin.name
            await pilot.press(LEADER, "colon")
            for written in ("", "theme"):
                await pilot.press(*written)
                await pilot.pause()
                await pilot.pause()
                _assert_readable(drawn_pairs(pilot.app.screen, skin), skin, "palette")
                if skin.ansi:
                    _assert_chosen_stands_out(pilot.app.screen, skin)
            await pilot.press("escape")
            await pilot.pause()


def _assert_chosen_stands_out(screen: Screen[object], skin: AppTheme) -> None:
    """The ground of the chosen command is far from the terminal's own, so that it is seen whatever that is."""
    box = screen.query_one("CommandList").content_region
    strip = screen._compositor.render_strips()[box.y].crop(box.x, box.right)
    styles = [one.style for one in strip if _words(one) and one.style is not None]
    grounds = {style.bgcolor.number for style in styles if style.bgcolor is not None}
    assert styles and len(grounds) == 1 and None not in grounds, skin.word
    ground = list(XTERM.values())[grounds.pop() or 0]
    assert hex_contrast(ground, "#000000" if skin.dark else "#ffffff") >= LEAST, skin.word


async def test_text_of_several_sessions_can_be_read() -> None:
    app = app_of([SCENES["busy"](), SCENES["permission"]()])
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.press(LEADER, "plus", "enter")
        for _ in range(100):
            await pilot.pause()
            if len(app.tabs) == 2 and isinstance(app.screen, SessionScreen):
                break
        for keys in ((), (LEADER, "y")):
            await pilot.press(*keys)
            await _assert_readable_in_themes(pilot, f"tabs {keys}", BUILT_IN, "held")


@pytest.mark.parametrize("run", sorted({view[0] for view in VIEWS.values()}))
async def test_all_text_of_the_replay_can_be_read(run: str, every: bool) -> None:
    async with replaying(GOLDEN / run) as (pilot, screen):
        for number, (view, (name, size, _, keys)) in enumerate(VIEWS.items()):
            if name == run:
                await pilot.resize_terminal(*SIZES[size])
                await pilot.pause(0.1)
                await pilot.press("home", *keys)
                await _assert_readable_in_themes(pilot, view, BUILT_IN if every else [IN_TURN[number % 4]])
                await pilot.press("escape")
                assert pilot.app.screen is screen


@pytest.mark.parametrize("run", ["demo-full", "demo-person", "claude-rm-rf"])
async def test_marked_rows_of_a_replay_can_be_read(run: str) -> None:
    """Text of the program, dim text too: these rows are what one is to look at."""
    async with replaying(GOLDEN / run) as (pilot, _):
        for size, skin in product(((80, 24), (120, 40)), (DARK, LIGHT)):
            pairs = set()
            pilot.app.theme = skin.name
            await pilot.resize_terminal(*size)
            await pilot.pause(0.1)
            await pilot.press("home")
            for _ in range(3):
                await pilot.press("n", "d")
                await pilot.pause()
                await pilot.pause()
                pairs |= _pairs_on(pilot.app.screen, skin.variables["evidence"])
            _assert_readable(pairs, skin, f"{run} {size}")


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


def _assert_readable(pairs: set[tuple[str, str, str]], skin: AppTheme, place: str) -> None:
    assert len(pairs) >= 3, (place, skin.word)
    poor = {pair: round(hex_contrast(*pair[1:]), 2) for pair in pairs if hex_contrast(*pair[1:]) < LEAST}
    assert not poor, (place, skin.word)
