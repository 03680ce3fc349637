"""Every leader key, at rest and at prompts: keys are never kept for long, and no advice leads into the program."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from copilot.core.detection import Detection
from copilot.core.screen_kinds import ScreenKind
from copilot.core.states import RunState
from copilot.tui.keymap import ACTIONS, Place, shown
from copilot.tui.layout import LayoutPreferences
from copilot.tui.screens.session import SessionScreen
from copilot.tui.widgets.key_bar import KeyBar
from copilot.tui.widgets.status_bar import StatusBar
from tests.fakes.fake_session import FakeSession
from tests.ui.harness import LEADER, begin_again, cockpit, keeping, place_in
from tests.ui.scenes import busy, countdown, password, permission, question, unknown, watched

LONGEST_SECONDS = 0.5
_LEAVING = ("quit", "suspend")
KEYS = [key for action in ACTIONS if action.id not in _LEAVING for key in action.keys.get(Place.LEADER, ())]
_ONE_OF_EACH = [
    action.keys[Place.LEADER][0]
    for action in ACTIONS
    if action.id not in _LEAVING and action.keys.get(Place.LEADER)
]
_ADVICE = sorted(
    {shown(key) for action in ACTIONS for keys in action.keys.values() for key in keys if len(key) > 1}
)
_NAMED = re.compile(rf"(?<![\w^]){'(?:' + '|'.join(map(re.escape, _ADVICE)) + ')'}(?!\w)")


def _at_rest() -> FakeSession:
    session = FakeSession()
    session.screen.feed(b"$ ")
    session.show(detection=Detection(ScreenKind.IDLE), state=RunState.AWAITING_INPUT, profile="generic")
    return session


SCENES = (_at_rest, permission)
"""The first has the least to show: what opens a box there opens one everywhere."""
MORE = (_at_rest, watched, unknown, busy, password, question)


def _told(screen: SessionScreen) -> str:
    """What the bars say, without the keys after the leader, which are the leader's."""
    bar, note = str(screen.query_one(KeyBar).content), screen.query_one(StatusBar).note
    leader = screen.options.leader_label
    return (
        re.sub(rf"{re.escape(leader)} then  .*", "", bar)
        + "\n"
        + re.sub(rf"{re.escape(leader)} \S+", "", note)
    )


async def _opened(pilot: Pilot[Any], screen: SessionScreen, key: str) -> str:
    """What the leader and this key opened: "box", "place" or ""; it is closed again."""
    await pilot.press(LEADER, key)
    await pilot.pause()
    opened = "box" if pilot.app.screen is not screen else "" if screen.place is Place.TERMINAL else "place"
    while pilot.app.screen is not screen or screen.place is not Place.TERMINAL:
        await pilot.press("escape")
        await pilot.pause()
    return opened


@pytest.mark.invariant(6)
@pytest.mark.parametrize("scenes", [SCENES, pytest.param(MORE, marks=pytest.mark.slow)], ids=["", "more"])
async def test_after_half_a_second_every_key_is_the_programs_again(
    scenes: tuple[Callable[[], FakeSession], ...],
) -> None:
    keys = KEYS
    for scene in scenes:
        nothing_opened, boxes = [], []
        session = scene()
        async with cockpit(session) as (pilot, screen):
            for key in keys:
                session.now += 60.0
                session.typed = b""
                if opened := await _opened(pilot, screen, key):
                    boxes += [key] if opened == "box" else []
                    continue
                nothing_opened.append(key)
                assert not _NAMED.search(_told(screen)), (scene, key, _told(screen))
                session.now += LONGEST_SECONDS
                await pilot.press("escape")
                assert session.typed == b"\x1b", (scene, key)
                assert not _NAMED.search(_told(screen)), (scene, key, _told(screen))
        assert len(nothing_opened) >= 5, scene
        if scene is _at_rest:
            keys = [key for key in _ONE_OF_EACH if key not in boxes]


async def test_the_note_that_names_a_key_of_the_panel_goes_with_the_panel() -> None:
    session = permission()
    async with cockpit(session, preferences=keeping(LayoutPreferences(one_line=True))) as (pilot, screen):
        await pilot.press(LEADER, "s")
        assert place_in(screen) is Place.REPLY and "Enter sends it" in screen.query_one(StatusBar).note
        await pilot.press("escape")
        assert place_in(screen) is Place.TERMINAL and "Enter" not in _told(screen)


async def test_a_key_for_a_panel_that_has_just_closed_by_itself_is_not_typed() -> None:
    session = permission()
    async with cockpit(session) as (pilot, screen):
        await pilot.press(LEADER, "p")
        assert place_in(screen) is Place.REPLY
        session.show(
            state=RunState.RUNNING, detection=Detection(ScreenKind.BUSY), proposal=None, decision=None
        )
        await pilot.pause()
        assert place_in(screen) is Place.TERMINAL
        await pilot.press("escape")
        assert session.typed == b"", "that Esc was the panel's: it would interrupt the turn"
        session.now += LONGEST_SECONDS
        await pilot.press("escape")
        assert session.typed == b"\x1b"


async def test_a_key_that_comes_just_too_late_to_stop_a_countdown_is_not_typed() -> None:
    session = countdown()
    view = session.view
    async with cockpit(session) as (pilot, screen):
        for paste in (False, True):
            await begin_again(pilot, session, view)
            assert "ANY KEY" in str(screen.query_one(KeyBar).content)
            session.show(state=RunState.ANSWERING, countdown_ends_at=None)
            await pilot.pause()
            if paste:
                screen.focused.post_message(events.Paste("no"))  # type: ignore[union-attr]
                await pilot.pause()
            else:
                await pilot.press("n")
            assert session.typed == b"" and "too late" in screen.model.notes[-1], paste
            session.now += LONGEST_SECONDS
            await pilot.press("n")
            assert session.typed == b"n", paste
        await begin_again(pilot, session, view)
        await pilot.press("x", "n")
        assert session.typed == b"n", "a countdown that a key stopped keeps no further key"


async def test_without_another_draft_the_note_names_the_key_that_acts_here() -> None:
    for keys, told in (((LEADER, "left"), "^] r has"), ((LEADER, "p", "left"), "; r has")):
        session = question()
        assert session.view.proposal is not None
        session.show(proposal=replace(session.view.proposal))
        async with cockpit(session) as (pilot, screen):
            await pilot.press(*keys)
            assert told in screen.model.notes[-1], keys
