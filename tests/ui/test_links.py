"""Links: what counts as one, where it is shown, and that none opens without a person's word."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from textual.events import MouseDown, MouseMove, MouseUp
from textual.widgets import Static

from copilot.pty.browser import browser_command, open_in_browser
from copilot.screen import TerminalScreen
from copilot.screen.rows import Picture
from copilot.tui.screens import terminal_actions
from copilot.tui.screens.links import LinksScreen, link_lines
from copilot.tui.widgets.links import Link, RowAt, link_at, links_in, web_address
from copilot.tui.widgets.status_bar import StatusBar
from copilot.tui.widgets.terminal import TerminalView
from tests.fakes.fake_session import FakeSession
from tests.ui.harness import LEADER, cockpit

MARKED = b"\x1b]8;;https://example.org/doc?q=1\x1b\\the doc\x1b]8;;\x1b\\"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that were opened."""
    found: list[str] = []
    monkeypatch.setattr(terminal_actions, "open_in_browser", lambda address, _: not found.append(address))  # type: ignore[func-returns-value]
    return found


def _session(text: bytes) -> FakeSession:
    session = FakeSession()
    session.screen.feed(text)
    return session


def _mouse(kind: type, terminal: TerminalView, x: int, y: int, *, ctrl: bool = False, button: int = 1) -> Any:
    return kind(terminal, x, y, 0, 0, button, False, False, ctrl)


async def test_a_link_under_the_pointer_is_shown_in_the_status_and_underlined() -> None:
    async with cockpit(_session(b"see " + MARKED)) as (pilot, screen):
        terminal, status = screen.query_one(TerminalView), screen.query_one(StatusBar)
        terminal.post_message(_mouse(MouseMove, terminal, 6, 0, button=0))
        await pilot.pause()
        assert "https://example.org/doc?q=1" in str(status.render())
        under = "".join(part.text for part in terminal.render_line(0) if part.style and part.style.underline)
        assert under == "the doc"
        terminal.post_message(_mouse(MouseMove, terminal, 1, 0, button=0))
        await pilot.pause()
        assert "example.org" not in str(status.render())


async def test_ctrl_click_asks_and_enter_opens(opened: list[str]) -> None:
    async with cockpit(_session(MARKED + b"\x1b[?1000h\x1b[?1006h")) as (pilot, screen):
        terminal = screen.query_one(TerminalView)
        for kind in (MouseDown, MouseUp):
            terminal.post_message(_mouse(kind, terminal, 2, 0, ctrl=True))
        await pilot.pause()
        assert isinstance(pilot.app.screen, LinksScreen)
        session = screen.session
        assert isinstance(session, FakeSession)
        assert (opened, session.typed) == ([], b"")
        await pilot.press("enter")
        await pilot.pause()
        assert opened == ["https://example.org/doc?q=1"]


async def test_a_plain_click_on_a_link_opens_nothing(opened: list[str]) -> None:
    async with cockpit(_session(MARKED)) as (pilot, screen):
        await pilot.click(TerminalView, offset=(2, 0))
        await pilot.pause()
        assert (pilot.app.screen is screen, opened) == (True, [])


async def test_links_in_view_are_chosen_by_keys_or_copied(opened: list[str]) -> None:
    first, second = "http://a.example/1", "https://b.example/2"
    ways = {("escape",): [], ("q",): [], ("enter",): [second], ("up", "enter"): [first], ("c",): []}
    async with cockpit(_session(f"{first}\r\n{second}".encode())) as (pilot, _):
        for keys, result in ways.items():
            opened.clear()
            await pilot.press(LEADER, "o")
            assert isinstance(pilot.app.screen, LinksScreen), keys
            await pilot.press(*keys)
            await pilot.pause()
            assert opened == result, keys
        assert pilot.app.clipboard == second


async def test_where_no_browser_can_open_the_link_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal_actions, "open_in_browser", lambda *_: False)
    async with cockpit(_session(MARKED)) as (pilot, screen):
        await pilot.press(LEADER, "o", "enter")
        await pilot.pause()
        assert pilot.app.clipboard == "https://example.org/doc?q=1"
        assert "no browser" in screen.model.notes[-1]


async def test_no_link_in_view_is_told() -> None:
    async with cockpit(_session(b"no link, not even javascript:alert(1)")) as (pilot, screen):
        await pilot.press(LEADER, "o")
        await pilot.pause()
        assert pilot.app.screen is screen and screen.model.notes[-1].startswith("no link is in view")


async def test_links_are_never_forwarded_to_the_outer_terminal() -> None:
    async with cockpit(_session(MARKED)) as (pilot, screen):
        strip = screen.query_one(TerminalView).render_line(0)
        assert "the doc" in strip.text
        assert "\x1b]8" not in strip.render(pilot.app.console)


def test_what_is_no_web_address() -> None:
    for text in (
        "javascript:alert(1)",
        "file:///etc/passwd",
        "ftp://example.org",
        "http://",
        "https:///path",
        "https://example.org/\x1b[2J",
        "https://example.org/a b",
        "https://example.org/\u202egnp.exe",
        "https://example.org\\@evil.example/",
        "http://[bad",
        "https://example.org/" + "a" * 3000,
    ):
        assert web_address(text) is None, text


def test_look_alike_hosts_are_shown_as_they_are_asked_for() -> None:
    assert web_address("https://еxample.org/ü") == "https://xn--xample-2of.org/%C3%BC"
    assert web_address("https://example.org/ü") == "https://example.org/%C3%BC"


def _rows(text: str, columns: int = 30) -> RowAt:
    screen = TerminalScreen(columns, 6)
    screen.feed(text.encode())

    def row_at(row: int) -> Picture | None:
        return screen.visible_row(row).picture_of(columns) if 0 <= row < 6 else None

    return row_at


def test_addresses_in_text() -> None:
    for text, address in (
        ("(see https://example.org/a_(b)).", "https://example.org/a_(b)"),
        ("<https://example.org/x>, ok", "https://example.org/x"),
        ('"http://example.org/?a=1&b=2"', "http://example.org/?a=1&b=2"),
        ("HTTPS://EXAMPLE.ORG/x!", "HTTPS://EXAMPLE.ORG/x"),
        ("漢字 https://example.org/漢", "https://example.org/%E6%BC%A2"),
    ):
        assert [link.address for link in links_in(_rows(text, 60), range(6))] == [address]


def test_an_address_that_is_wrapped_is_one() -> None:
    address = "https://example.org/" + "a" * 40
    rows = _rows(f"go to {address} now")
    for row, column in ((0, 10), (1, 5), (2, 2)):
        link = link_at(rows, row, column)
        assert link is not None and link.address == address, (row, column)
        assert [piece.row for piece in link.pieces] == [0, 1, 2]
    assert link_at(rows, 0, 2) is None
    assert link_at(rows, 9, 0) is None


def test_a_marked_link_to_elsewhere_is_none_even_if_its_text_is_an_address() -> None:
    rows = _rows("\x1b]8;;file:///etc/passwd\x1b\\https://example.org\x1b]8;;\x1b\\")
    assert link_at(rows, 0, 3) is None


def test_what_stands_under_such_a_mark_is_not_listed_either() -> None:
    assert links_in(_rows(f"\x1b]8;;file:///etc/passwd\x1b\\{A}\x1b]8;;\x1b\\"), range(6)) == []


A, B = "https://a.example/", "https://b.example/"


def _marks(address: str, text: str) -> str:
    return f"\x1b]8;;{address}\x1b\\{text}\x1b]8;;\x1b\\"


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        (f"{_marks(B, 'the docs')} {A}\r\n{B}", [("the docs", B), (A, A), (B, B)]),
        (f"{A} {_marks(B, 'the docs')}\r\n{A} again", [(A, A), ("the docs", B)]),
        (_marks(B, A), [(A, B)]),
        (f"{_marks(B, 'one')} {_marks(B, 'two')}", [("one", B), ("two", B)]),
        (f"see {_marks(B, 'a text of many words that runs on')}", [("a text of many words that runs on", B)]),
        (f"see {_marks(B, 'two')}\r\n   {_marks(B, 'rows')} on", [("two rows", B)]),
        (f"{_marks(B, 'one')}, or\r\n{_marks(B, 'another')}", [("one", B), ("another", B)]),
        (f"{_marks(B, 'one')}\r\nor {_marks(B, 'another')}", [("one", B), ("another", B)]),
        (f"漢字 {_marks(B, '漢字')}\r\n漢 {_marks(B, 'x')}", [("漢字", B), ("x", B)]),
        (_marks(B, "  "), [(B, B)]),
    ],
)
def test_links_are_listed_as_one_reads_them_each_with_its_text(
    text: str, listed: list[tuple[str, str]]
) -> None:
    assert [(link.text, link.address) for link in links_in(_rows(text), range(6))] == listed


async def test_the_box_shows_text_and_address_of_each_link_in_the_order_of_the_screen() -> None:
    text = f"{_marks(B, A)}\r\nsee {A}, or {_marks(B, 'the docs')}"
    async with cockpit(_session(text.encode())) as (pilot, _):
        await pilot.press(LEADER, "o")
        await pilot.pause()
        shown = str(pilot.app.screen.query_one("#links", Static).content).split("\n")
        assert shown == [f"  {A}", f"    leads to {B}", f"  {A}", "▸ the docs", f"    leads to {B}"]


async def test_of_many_links_the_chosen_one_is_in_sight() -> None:
    lines = "\r\n".join(_marks(f"{A}{number}", f"link {number}") for number in range(15))
    async with cockpit(_session(lines.encode())) as (pilot, _):
        await pilot.press(LEADER, "o")
        box = pilot.app.screen.query_one("#links-list")
        for number in range(14, -1, -1):
            await pilot.pause()
            rows = range(round(box.scroll_y), round(box.scroll_y) + box.size.height)
            assert 2 * number in rows and 2 * number + 1 in rows
            await pilot.press("up")


def test_the_host_that_an_address_leads_to_stands_out() -> None:
    for address, host in (
        ("https://good.example@evil.example/good.example", "evil.example"),
        ("https://https:x@EVIL.example:8/", "EVIL.example"),
        ("http://[::1]:80/", "::1"),
    ):
        (told,) = link_lines([Link(address, "docs", ())], 0, 78)
        styled = [told.plain[span.start : span.end] for span in told.spans if "$warning" in str(span.style)]
        assert styled == [host]


def test_only_a_browser_with_a_window_is_started(tmp_path: Path) -> None:
    program = tmp_path / "xdg-open"
    program.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/asked\n')
    program.chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    assert browser_command({"PATH": path}, "linux") is None
    assert browser_command({"PATH": path, "DISPLAY": ":0"}, "linux") == [str(program)]
    assert browser_command({"PATH": str(tmp_path / "none"), "DISPLAY": ":0"}, "linux") is None
    assert browser_command({}, "darwin") == ["open"]
    assert not open_in_browser("https://example.org", {"PATH": path})
