"""The clocks: one in sight goes on each second while something works, all in steps while nothing does."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual.widgets import Static

from copilot.tui.layout import LayoutPreferences
from copilot.tui.screens.session import SessionScreen
from copilot.tui.widgets.detector_panel import DetectorPanel
from copilot.tui.widgets.status_bar import StatusBar
from copilot.tui.widgets.terminal import TerminalView
from tests.fakes.fake_session import FakeSession
from tests.ui.harness import cockpit
from tests.ui.scenes import busy, question, writing


def ticked(screen: SessionScreen, session: FakeSession, now: float, clock: type[Static] = StatusBar) -> bool:
    """Whether a tick at `now` changes what that widget shows."""
    before = str(screen.query_one(clock).render())
    session.now = now
    screen.updates.tick()
    return str(screen.query_one(clock).render()) != before


@pytest.mark.parametrize("scene", [busy, writing])
async def test_each_second_while_something_works(scene: Callable[[], FakeSession]) -> None:
    session = scene()
    async with cockpit(session, (120, 40)) as (_, screen):
        assert [ticked(screen, session, now, DetectorPanel) for now in (101.0, 102.0, 103.0)] == [True] * 3
        assert [ticked(screen, session, now) for now in (106.0, 107.0, 108.0, 111.0)] == [
            True,
            False,
            False,
            True,
        ]


@pytest.mark.parametrize(
    "preferences", [LayoutPreferences(hidden=frozenset({"detector"})), LayoutPreferences(one_line=True)]
)
async def test_each_second_in_the_status_bar_where_no_other_clock_is_in_sight(
    preferences: LayoutPreferences,
) -> None:
    session = busy()
    async with cockpit(session, (120, 40)) as (pilot, screen):
        screen.placement.prefer(preferences)
        await pilot.pause()
        ticked(screen, session, 101.0)
        assert [ticked(screen, session, now) for now in (102.0, 103.0, 104.0)] == [True] * 3


async def test_in_steps_while_nothing_does() -> None:
    session = question()
    async with cockpit(session, (120, 40)) as (_, screen):
        seen = [ticked(screen, session, now) for now in (101.0, 102.0, 105.0, 106.5, 107.0)]
        assert seen == [True, False, False, True, False]


async def test_a_clock_that_goes_on_arranges_nothing_anew_and_another_state_does() -> None:
    session = busy()
    async with cockpit(session, (160, 45)) as (pilot, screen):
        panel = screen.query_one(DetectorPanel)
        wanted: list[bool] = []
        panel.refresh = lambda *regions, layout=False, **more: wanted.append(layout)  # type: ignore[assignment,method-assign]
        session.now += 3
        screen.updates.tick()
        session.show(detection=question().view.detection)
        await pilot.pause()
        assert wanted[0] is False
        assert True in wanted[1:]


async def test_while_output_floods_panels_come_a_moment_later_and_without_at_once() -> None:
    session = busy()
    async with cockpit(session, (120, 40)) as (_, screen):
        shown: list[None] = []
        screen.updates.show_all = lambda: shown.append(None)  # type: ignore[method-assign]
        screen.updates.show_soon()
        assert len(shown) == 1
        pacer = screen.query_one(TerminalView).pacer
        pacer.crowded(session.clock())
        screen.updates.show_soon()
        screen.updates.show_soon()
        assert len(shown) == 1
        screen.updates.show_late()
        assert len(shown) == 2
        session.now += 1
        screen.updates.show_soon()
        assert len(shown) == 3


async def test_a_clock_that_fires_while_the_panels_are_taken_down_breaks_nothing() -> None:
    """Seen on a busy machine: the application ended between two ticks."""
    async with cockpit(busy(), (120, 40)) as (pilot, screen):
        screen.notes.show("a note")
        await screen.query_one(DetectorPanel).remove()
        screen.updates.tick()
        screen.updates.tick_countdown()
        screen.updates.show_late()
        screen.notes.expire()
        assert pilot.app.is_running
