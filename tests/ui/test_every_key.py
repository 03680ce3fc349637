"""Every key of the registry, pressed in every place where it means something, on the running cockpit."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot

from copilot.tui.keymap import ACTIONS, Place
from copilot.tui.screens.session import SessionScreen
from tests.fakes.fake_session import FakeSession
from tests.ui.harness import LEADER, cockpit
from tests.ui.scenes import log, permission, question

WAYS: dict[Place, tuple[Any, tuple[str, ...]]] = {
    Place.LEADER: (permission, (LEADER,)),
    Place.REPLY: (permission, (LEADER, "p")),
    Place.EDIT: (question, (LEADER, "e")),
    Place.INSTRUCT: (permission, (LEADER, "r")),
    Place.SCROLL: (log, (LEADER, "v")),
    Place.SEARCH: (log, (LEADER, "slash")),
}
"""For each place a scene, and the keys that lead there."""


def watched(screen: SessionScreen) -> list[str]:
    """The actions that are asked for from now on; none is carried out."""
    done: list[str] = []

    def do(action: str) -> None:
        assert callable(screen.actions[action])
        done.append(action)

    screen.do = do  # type: ignore[method-assign]
    return done


async def _go(pilot: Pilot[Any], screen: SessionScreen, place: Place) -> None:
    await pilot.press(*WAYS[place][1])
    await pilot.pause()
    assert screen.place is place


@pytest.mark.parametrize("place", WAYS)
async def test_every_key_does_what_the_registry_says_and_no_other_does_anything(place: Place) -> None:
    wanted = [(action.id, key) for action in ACTIONS for key in action.keys.get(place, ())]
    assert wanted
    session: FakeSession = WAYS[place][0]()
    async with cockpit(session, (120, 40)) as (pilot, screen):
        await _go(pilot, screen, place)
        done = watched(screen)
        for action, key in wanted:
            if place is Place.LEADER and screen.place is not place:
                await pilot.press(LEADER)
            done.clear()
            await pilot.press(_pressed(key))
            assert done == [action], (place, key)
        done.clear()
        for key in _others(place):
            if place is Place.LEADER and screen.place is not place:
                await pilot.press(LEADER)
            await pilot.press(key)
        assert (done, session.typed, session.calls) == ([], b"", [])


def _others(place: Place) -> list[str]:
    """Keys that do nothing there; where a person writes they are text."""
    if place in (Place.EDIT, Place.INSTRUCT):
        return []
    known = {key for action in ACTIONS for key in action.keys.get(place, ())}
    return [key for key in "abcdefghijklmnopqrstuvwxyz0123456789" if key not in known]


def _pressed(key: str) -> str:
    """As a terminal sends it: capitals are told by their own character."""
    return {"upper_n": "N", "upper_g": "G"}.get(key, key)


def test_every_place_is_tried() -> None:
    assert set(WAYS) == {place for action in ACTIONS for place in action.keys}
