"""A dialog closes itself and nothing else, however often its key is pressed before it is gone."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import pytest
from textual import events
from textual.screen import ModalScreen

import copilot.tui
from copilot.tui.screens.context import ContextScreen
from copilot.tui.screens.dialog import Dialog, Palette
from copilot.tui.screens.session import SessionScreen
from tests.fakes.fake_session import FakeSession
from tests.ui.harness import LEADER, app_on, cockpit, left
from tests.ui.scenes import permission


async def test_a_second_esc_that_comes_too_soon_closes_nothing_more() -> None:
    session = FakeSession()
    app = app_on(session)
    async with app.run_test() as pilot:
        await pilot.pause()
        below = app.screen
        assert isinstance(below, SessionScreen)
        page = ContextScreen(session.view, session.set_governing_prompt)
        await app.push_screen(page)
        for _ in range(3):
            page.dismiss(None)
        await pilot.pause()
        assert app.screen is below and not app.screen_stack[1:].count(page)


def test_every_modal_screen_is_such_a_dialog() -> None:
    for module in pkgutil.walk_packages(copilot.tui.__path__, "copilot.tui."):
        importlib.import_module(module.name)
    ours = [one for one in _below(ModalScreen) if one.__module__.startswith("copilot.")]
    assert ours and [one for one in ours if not issubclass(one, (Dialog, Palette))] == []


def _below(kind: type[Any]) -> list[type[Any]]:
    return [one for child in kind.__subclasses__() for one in (child, *_below(child))]


@pytest.mark.parametrize("blurred", [False, True])
async def test_a_page_scrolls_at_its_first_opening(blurred: bool) -> None:
    """Also where the terminal said before that its window is not the active one."""
    async with cockpit(permission(), (80, 24)) as (pilot, screen):
        if blurred:
            pilot.app.post_message(events.AppBlur())
            await pilot.pause()
        for key in ("question_mark", "c", "x"):
            await pilot.press(LEADER, key)
            await pilot.pause()
            page = pilot.app.screen.query(".page").first()
            await pilot.press("pagedown")
            await pilot.pause()
            assert page.scroll_y > 0, key
            await left(pilot, screen)


async def test_keys_that_come_before_the_page_is_drawn_scroll_it() -> None:
    async with cockpit(permission(), (80, 24)) as (pilot, screen):
        for key in ("question_mark", "c", "x"):
            for one in (LEADER, key, "down", "down", "down"):
                pilot.app.post_message(events.Key(one, None))
            await pilot.pause()
            await pilot.pause()
            assert pilot.app.screen.query(".page").first().scroll_y == 3, key
            await left(pilot, screen)
