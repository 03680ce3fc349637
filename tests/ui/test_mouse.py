"""The mouse: passed through by the child's modes, selection, the key bar; none of it counts as typing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.events import MouseScrollUp, Paste

from copilot.core.detection import Detection
from copilot.core.screen_kinds import ScreenKind
from copilot.tui.keymap import Place
from copilot.tui.widgets.terminal import TerminalView
from tests.fakes.fake_session import FakeSession
from tests.ui.harness import begin_again, cockpit
from tests.ui.scenes import countdown, permission


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


LINES = b"".join(b"line %d\r\n" % number for number in range(100))


def _scrolled() -> FakeSession:
    session = FakeSession()
    session.screen.feed(LINES)
    session.view = replace(session.view, detection=Detection(ScreenKind.BUSY))
    return session


@pytest.mark.invariant(2)
async def test_what_is_typed_after_the_wheel_goes_to_the_child_if_nothing_new_is_asked() -> None:
    """Also where the new prompt has not settled yet, and the view still says that the child is busy."""
    session = _scrolled()
    async with cockpit(session) as (pilot, screen):
        terminal = screen.query_one(TerminalView)
        for meanwhile, typed in (
            (b"", b"n"),
            (b"more output\r\n", b"n"),
            (b"\x1b[2J\x1b[HOverwrite it? [y/N] ", b""),
            ("\x1b[?25l\x1b[2J\x1b[HStrict mode\r\n\r\n❯ Yes\r\n  No\r\n".encode(), b""),
        ):
            session.feed(b"\x1b[2J\x1b[H" + LINES)
            await begin_again(pilot, session, session.view)
            screen.model.notes.clear()
            terminal.post_message(MouseScrollUp(terminal, 1, 1, 0, 0, 0, False, False, False))
            await pilot.pause()
            await pilot.press("up")
            assert screen.place is Place.SCROLL
            session.feed(meanwhile)
            await pilot.press("n")
            assert (terminal.scrolling, session.typed) == (False, typed), meanwhile
            assert ("was not typed" in "".join(screen.model.notes)) is (not typed), meanwhile


@pytest.mark.invariant(2)
async def test_a_paste_while_looking_back_is_not_sent() -> None:
    session = _scrolled()
    async with cockpit(session) as (pilot, screen):
        terminal = screen.query_one(TerminalView)
        terminal.post_message(MouseScrollUp(terminal, 1, 1, 0, 0, 0, False, False, False))
        await pilot.pause()
        terminal.post_message(Paste("y\n"))
        await pilot.pause()
        assert (terminal.scrolling, session.typed) == (False, b"")
        assert "paste again" in screen.model.notes[-1]


async def test_click_on_the_terminal_stops_a_countdown() -> None:
    session = countdown()
    session.screen.feed(b"\x1b[?1000h\x1b[?1006h")
    async with cockpit(session) as (pilot, _):
        await pilot.click(TerminalView, offset=(4, 2))
        assert session.calls == [("stop_countdown",)]
        assert session.typed == b""
