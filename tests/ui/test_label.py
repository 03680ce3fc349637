"""The box that asks what a screen is: all kinds in it, and the end of that screen beside it."""

from __future__ import annotations

from itertools import product

from textual.screen import Screen

from copilot.core.screen_kinds import ScreenKind
from copilot.tui.screens.label import LABEL_KEYS, label_content
from copilot.tui.widgets.terminal import TerminalView
from tests.fakes.fake_session import FakeSession
from tests.ui.clicking import click_on
from tests.ui.harness import LEADER, begin_again, cockpit, left
from tests.ui.scenes import permission, unknown, with_view


def _asked() -> FakeSession:
    """A prompt at the end of a full screen."""
    return with_view(permission(), unknown=1)


ROWS = {(200, 60): 30, (120, 40): 16, (140, 24): 12, (80, 24): 9, (60, 24): 9, (40, 12): 1}
"""So many of the last rows stay in sight beside the box."""
CLICKED = (ScreenKind.PERMISSION, ScreenKind.PRESS_KEY, ScreenKind.ERROR)


async def test_the_box_leaves_the_end_in_sight_and_shows_every_kind() -> None:
    session = _asked()
    view = session.view
    async with cockpit(session, (200, 60)) as (pilot, screen):
        terminal = screen.query_one(TerminalView)
        for size, rows in ROWS.items():
            await pilot.resize_terminal(*size)
            await pilot.pause(0.1)
            await pilot.press(LEADER, "l")
            await pilot.pause()
            box = pilot.app.screen.query_one("#label-box").region
            last = terminal.last_written_line()
            covered = [y for y in range(last - rows + 1, last + 1) if y in box.line_range]
            assert last >= terminal.region.y + min(rows, 12) - 1, size
            assert covered == [] or not box.overlaps(terminal.region), size
            if size[0] >= 60:
                _assert_no_kind_is_cut(pilot.app.screen, size)
            await left(pilot, screen)
        for size, kind in product(((80, 24), (200, 60)), CLICKED):
            await pilot.resize_terminal(*size)
            await pilot.pause(0.1)
            await begin_again(pilot, session, view)
            await pilot.press(LEADER, "l")
            await pilot.pause()
            await click_on(pilot, next(words for one, words in LABEL_KEYS.values() if one is kind))
            assert session.calls == [("label_screen", kind)], size


def _assert_no_kind_is_cut(screen: Screen[object], size: tuple[int, int]) -> None:
    box, labels = (screen.query_one(one) for one in ("#label-box", "#labels"))
    assert not box.show_vertical_scrollbar, size
    assert labels.region.height == len(str(labels.content).split("\n")), size  # type: ignore[attr-defined]


async def test_the_box_moves_with_the_window() -> None:
    async with cockpit(_asked(), (200, 60)) as (pilot, _):
        await pilot.press(LEADER, "l")
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert pilot.app.screen.query_one("#label-box").region.y == 0


async def test_a_screen_written_at_its_top_alone_is_not_covered_there() -> None:
    async with cockpit(unknown(), (200, 60)) as (pilot, screen):
        for size in ((80, 24), (120, 40), (200, 60)):
            await pilot.resize_terminal(*size)
            await pilot.pause(0.1)
            await pilot.press(LEADER, "l")
            await pilot.pause()
            box = pilot.app.screen.query_one("#label-box").region
            assert box.y > screen.query_one(TerminalView).last_written_line() == 4, size
            await left(pilot, screen)


async def test_the_present_reading_is_the_first_offer() -> None:
    session = _asked()
    async with cockpit(session, (80, 24)) as (pilot, screen):
        offer = " Enter  permission as it is read now\n"
        assert str(label_content(ScreenKind.PERMISSION)).startswith(offer)
        await pilot.press(LEADER, "l", "enter", LEADER, "l")
        await pilot.pause()
        await click_on(pilot, "as it is read now")
        assert session.calls == [("label_screen", ScreenKind.PERMISSION)] * 2
        await left(pilot, screen)
    session = unknown()
    async with cockpit(session, (80, 24)) as (pilot, _):
        await pilot.press(LEADER, "l", "enter")
        assert session.calls == [], "what was not understood offers nothing"


def test_kinds_stand_clear_of_what_is_said_about_them() -> None:
    for line in str(label_content()).split("\n"):
        key, *said = line.split("  ")
        assert key.strip() and len([one for one in said if one.strip()]) <= 2, line
