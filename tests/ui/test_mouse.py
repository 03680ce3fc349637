"""The mouse: passed through by the child's modes, selection, the key bar; none of it counts as typing."""

from __future__ import annotations

import pytest
from textual.events import MouseScrollUp

from copilot.tui.keymap import Place
from copilot.tui.widgets.key_bar import KeyBar
from copilot.tui.widgets.terminal import TerminalView
from tests.fakes.fake_session import FakeSession
from tests.ui.scenes import countdown, permission
from tests.ui.test_keys import cockpit


async def test_press_and_release_reach_a_child_that_listens() -> None:
    session = FakeSession()
    session.screen.feed(b"\x1b[?1000h\x1b[?1006h")
    async with cockpit(session) as (pilot, _):
        await pilot.click(TerminalView, offset=(4, 2))
        assert session.typed == b"\x1b[<0;5;3M"
        assert session.reported == b"\x1b[<0;5;3m"


async def test_motion_does_not_withdraw_a_reply() -> None:
    session = permission()
    session.screen.feed(b"\x1b[?1003h\x1b[?1006h")
    async with cockpit(session) as (pilot, _):
        await pilot.hover(TerminalView, offset=(4, 2))
        assert session.typed == b""
        assert session.view.proposal is not None
        assert b"\x1b[<35;5;3M" in session.reported


async def test_focus_is_reported_to_a_child_that_asks() -> None:
    session = permission()
    session.screen.feed(b"\x1b[?1004h")
    async with cockpit(session) as (pilot, _screen):
        session.reported = b""
        await pilot.press("ctrl+right_square_bracket", "p")
        assert session.reported == b"\x1b[O"
        await pilot.press("escape")
        await pilot.pause()
        assert session.reported == b"\x1b[O\x1b[I"
        assert session.typed == b""


async def test_drag_selects_and_copies() -> None:
    session = FakeSession()
    session.screen.feed(b"hello world\r\nsecond line")
    async with cockpit(session) as (pilot, screen):
        await pilot.mouse_down(TerminalView, offset=(6, 0))
        await pilot.hover(TerminalView, offset=(5, 1))
        await pilot.mouse_up(TerminalView, offset=(5, 1))
        await pilot.pause()
        assert pilot.app.clipboard == "world\nsecond"
        assert session.typed == b""
        await pilot.press("x")
        assert session.typed == b"x"
        assert not screen.query_one(TerminalView).selection.there


async def test_wheel_scrolls_back_where_the_child_does_not_listen() -> None:
    session = FakeSession()
    session.screen.feed(b"".join(b"line %d\r\n" % number for number in range(100)))
    async with cockpit(session) as (pilot, screen):
        terminal = screen.query_one(TerminalView)
        terminal.post_message(MouseScrollUp(terminal, 1, 1, 0, 0, 0, False, False, False))
        await pilot.pause()
        assert screen.place is Place.SCROLL
        assert session.typed == b""


@pytest.mark.parametrize("asked_meanwhile", [False, True])
async def test_what_is_typed_after_the_wheel_goes_to_the_child_unless_it_asks_something_new(
    asked_meanwhile: bool,
) -> None:
    session = FakeSession()
    session.screen.feed(b"".join(b"line %d\r\n" % number for number in range(100)))
    async with cockpit(session) as (pilot, screen):
        terminal = screen.query_one(TerminalView)
        terminal.post_message(MouseScrollUp(terminal, 1, 1, 0, 0, 0, False, False, False))
        await pilot.pause()
        await pilot.press("up")
        assert terminal.scrolling
        if asked_meanwhile:
            session.show(detection=permission().view.detection)
            await pilot.pause()
        await pilot.press("n")
        assert (terminal.scrolling, session.typed) == (False, b"" if asked_meanwhile else b"n")
        assert ("was not typed" in "".join(screen.model.notes)) is asked_meanwhile


async def test_click_on_the_terminal_stops_a_countdown() -> None:
    session = countdown()
    session.screen.feed(b"\x1b[?1000h\x1b[?1006h")
    async with cockpit(session) as (pilot, _):
        await pilot.click(TerminalView, offset=(4, 2))
        assert session.calls == [("stop_countdown",)]
        assert session.typed == b""


async def test_offers_of_the_key_bar_can_be_clicked() -> None:
    session = permission()
    async with cockpit(session) as (pilot, screen):
        start, _, action = screen.query_one(KeyBar)._spans[0]
        assert action == "send"
        await pilot.click(KeyBar, offset=(start, 0))
        await pilot.pause()
        assert [call[0] for call in session.calls] == ["send"]
