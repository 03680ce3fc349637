"""The box that asks what a screen is: all kinds in it, and the end of that screen beside it."""

from __future__ import annotations

import pytest

from copilot.core.detection import ScreenKind
from copilot.tui.screens.label import LABEL_KEYS, label_content
from copilot.tui.widgets.terminal import TerminalView
from tests.fakes.fake_session import FakeSession
from tests.ui.clicking import click_on
from tests.ui.harness import LEADER, cockpit
from tests.ui.scenes import permission, unknown, with_view


def _asked() -> FakeSession:
    """A prompt at the end of a full screen."""
    return with_view(permission(), unknown=1)


@pytest.mark.parametrize(
    ("size", "rows"),
    [((40, 12), 1), ((60, 24), 10), ((80, 24), 10), ((120, 40), 16), ((140, 24), 12), ((200, 60), 30)],
)
async def test_the_end_of_the_screen_that_is_asked_about_stays_in_sight(
    size: tuple[int, int], rows: int
) -> None:
    async with cockpit(_asked(), size) as (pilot, screen):
        terminal = screen.query_one(TerminalView)
        await pilot.press(LEADER, "l")
        await pilot.pause()
        box = pilot.app.screen.query_one("#label-box").region
        last = terminal.last_written_line()
        covered = [y for y in range(last - rows + 1, last + 1) if y in box.line_range]
        assert last >= terminal.region.y + min(rows, 12) - 1
        assert covered == [] or not box.overlaps(terminal.region)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_a_screen_written_at_its_top_alone_is_not_covered_there(size: tuple[int, int]) -> None:
    async with cockpit(unknown(), size) as (pilot, screen):
        await pilot.press(LEADER, "l")
        await pilot.pause()
        box = pilot.app.screen.query_one("#label-box").region
        assert box.y > screen.query_one(TerminalView).last_written_line() == 4


@pytest.mark.parametrize("size", [(60, 24), (80, 24), (120, 40), (140, 24), (200, 60)])
async def test_every_kind_is_in_sight_and_none_is_cut(size: tuple[int, int]) -> None:
    async with cockpit(_asked(), size) as (pilot, _):
        await pilot.press(LEADER, "l")
        await pilot.pause()
        box, labels = (pilot.app.screen.query_one(one) for one in ("#label-box", "#labels"))
        assert not box.show_vertical_scrollbar
        assert labels.region.height == len(str(labels.content).split("\n"))  # type: ignore[attr-defined]


async def test_the_box_moves_with_the_window() -> None:
    async with cockpit(_asked(), (200, 60)) as (pilot, _):
        await pilot.press(LEADER, "l")
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert pilot.app.screen.query_one("#label-box").region.y == 0


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
@pytest.mark.parametrize("kind", [ScreenKind.PERMISSION, ScreenKind.PRESS_KEY, ScreenKind.ERROR])
async def test_a_click_in_either_column_says_that_kind(kind: ScreenKind, size: tuple[int, int]) -> None:
    session = _asked()
    words = next(words for one, words in LABEL_KEYS.values() if one is kind)
    async with cockpit(session, size) as (pilot, _):
        await pilot.press(LEADER, "l")
        await pilot.pause()
        await click_on(pilot, words)
        assert session.calls == [("label_unknown", kind)]


def test_kinds_stand_clear_of_what_is_said_about_them() -> None:
    for line in str(label_content()).split("\n"):
        key, *said = line.split("  ")
        assert key.strip() and len([one for one in said if one.strip()]) <= 2, line
