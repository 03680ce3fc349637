"""What the person's own terminal sends, as keys: an Escape comes at once, and stays one."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from textual import events
from textual.app import App
from textual.drivers.linux_driver import LinuxDriver
from textual.drivers.web_driver import WebDriver
from textual.message import Message

from copilot.screen import TerminalScreen
from copilot.tui.app import CopilotApp
from copilot.tui.child_input import key_bytes
from copilot.tui.host_app import HostDriver, HostWebDriver, host_driver
from copilot.tui.host_input import ESCAPE_SECONDS, KeyParser
from copilot.tui.replay.app import ReplayApp
from copilot.tui.widgets.reply_box import ReplyBox
from tests.ui.harness import LEADER, cockpit
from tests.ui.scenes import permission, question

PATIENCE_SECONDS = 100.0
A_PERSONS_PAUSE_SECONDS = 0.08


class Listening(HostDriver):
    """The driver without an application: it reads a pipe and keeps what it told, and when."""

    def __init__(self, fileno: int) -> None:
        self.fileno = fileno
        self._debug = False
        self.exit_event = threading.Event()
        self.told: list[tuple[float, str]] = []

    def process_message(self, message: Message) -> None:
        assert isinstance(message, events.Key)
        self.told.append((time.monotonic(), message.key))

    @property
    def keys(self) -> list[str]:
        return [key for _, key in self.told]

    def until(self, count: int) -> list[str]:
        """The keys, when so many are there."""
        end = time.monotonic() + PATIENCE_SECONDS
        while len(self.told) < count and time.monotonic() < end:
            time.sleep(0.002)
        return self.keys


@contextmanager
def listening() -> Iterator[tuple[Listening, int]]:
    """The driver at work, and where to write what its terminal sends."""
    reading, writing = os.pipe()
    driver = Listening(reading)
    thread = threading.Thread(target=driver.run_input_thread)
    thread.start()
    try:
        yield driver, writing
    finally:
        driver.exit_event.set()
        thread.join(PATIENCE_SECONDS)
        os.close(writing)
        os.close(reading)


def test_escape_and_a_letter_typed_fast_are_two_keys() -> None:
    with listening() as (driver, terminal):
        os.write(terminal, b"\x1b")
        time.sleep(A_PERSONS_PAUSE_SECONDS)
        os.write(terminal, b":")
        assert driver.until(2) == ["escape", "colon"]


def test_escape_alone_is_told_without_another_key() -> None:
    with listening() as (driver, terminal):
        os.write(terminal, b"\x1b")
        assert driver.until(1) == ["escape"]


def test_what_comes_in_one_piece_is_one_key() -> None:
    with listening() as (driver, terminal):
        os.write(terminal, b"\x1bx\x1b[A\x1b[1;5Dz")
        assert driver.until(4) == ["alt+x", "up", "ctrl+left", "z"]


def test_bytes_that_are_no_text_end_nothing() -> None:
    with listening() as (driver, terminal):
        os.write(terminal, b"\xe9")
        os.write(terminal, b"a")
        assert driver.until(2)[-1] == "a"


def test_a_character_may_come_in_two_pieces() -> None:
    with listening() as (driver, terminal):
        os.write(terminal, "ä".encode()[:1])
        time.sleep(A_PERSONS_PAUSE_SECONDS)
        os.write(terminal, "ä".encode()[1:])
        assert driver.until(1) == ["ä"]


def test_a_terminal_that_is_gone_is_not_asked_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.close(writing)
    asked: list[int] = []
    read = os.read

    def counted(descriptor: int, most: int) -> bytes:
        asked.append(descriptor)
        return read(descriptor, most)

    monkeypatch.setattr(os, "read", counted)
    driver = Listening(reading)
    thread = threading.Thread(target=driver.run_input_thread)
    thread.start()
    time.sleep(0.5)
    driver.exit_event.set()
    thread.join(PATIENCE_SECONDS)
    os.close(reading)
    assert 1 <= asked.count(reading) < 10


def told(*pieces: str) -> list[str]:
    """Keys and pastes, fed in these pieces without a pause."""
    parser = KeyParser()
    events_ = [event for piece in pieces for event in parser.feed(piece)]
    return [
        event.text if isinstance(event, events.Paste) else getattr(event, "key", "?") for event in events_
    ]


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        ("\x1b:", ["alt+colon"]),
        ("\x1b1", ["alt+1"]),
        ("\x1bb", ["alt+b"]),
        ("\x1bB", ["alt+shift+b"]),
        ("\x1bä", ["alt+ä"]),
        ("\x1b\t", ["alt+tab"]),
        ("\x1b\r", ["alt+enter"]),
        ("\x1b\x7f", ["alt+backspace"]),
        ("\x1b\x03", ["alt+ctrl+c"]),
        ("\x1bb\x1bb", ["alt+b", "alt+b"]),
        ("\x1b\x1bb", ["escape", "alt+b"]),
        ("a\x1b[Ab\x1bcd", ["a", "up", "b", "alt+c", "d"]),
        ("\x1b[200~no \x1bx key\x1b[201~\x1bx", ["no \x1bx key", "alt+x"]),
        ("\x1b[200~\x1b[201~\x1b[200~a\x1b[2b\x1b[201~", ["", "a\x1b[2b"]),
        ("\x1b[1;5D\x1bOP\x1b[Z\x1b[97;3u", ["ctrl+left", "f1", "shift+tab", "alt+a"]),
    ],
)
def test_keys_with_alt_in_one_piece_and_in_every_two(data: str, keys: list[str]) -> None:
    assert told(data) == keys
    for cut in range(1, len(data)):
        assert told(data[:cut], data[cut:]) == keys, cut
    assert told(*data) == keys


@pytest.mark.parametrize(
    ("variable", "seconds"), [("", ESCAPE_SECONDS), ("200", 0.2), ("soon", ESCAPE_SECONDS)]
)
def test_the_time_can_be_chosen_as_elsewhere(
    variable: str, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ESCDELAY", variable)
    assert KeyParser().escape_seconds == seconds


@pytest.mark.parametrize("app", [CopilotApp, ReplayApp])
def test_both_applications_read_so(app: type[App[Any]]) -> None:
    assert app.get_driver_class(app.__new__(app)) is HostDriver


def test_a_browser_has_its_own() -> None:
    assert host_driver(LinuxDriver) is HostDriver and host_driver(WebDriver) is HostWebDriver


def test_alt_and_a_letter_can_be_read_as_escape_and_the_letter() -> None:
    """Also by a program that asked for more of its keys, as vim does: no terminal can tell them apart."""
    screen = TerminalScreen(80, 24)
    screen.feed(b"\x1b[>4;2m")
    assert key_bytes(screen, "alt+colon", None) == b"\x1b:"
    assert key_bytes(screen, "alt+enter", None) == b"\x1b\r"
    assert key_bytes(screen, "alt+shift+b", None) == b"\x1bB"
    assert key_bytes(screen, "ctrl+alt+b", None) == b"\x1b[27;7;98~"


async def test_the_word_keys_of_a_shell_work_in_the_editor() -> None:
    async with cockpit(question()) as (pilot, screen):
        await pilot.press(LEADER, "e")
        editor = screen.query_one(ReplyBox).editor
        editor.text = "one two"
        editor.move_cursor((0, 7))
        await pilot.press("alt+b", "x")
        assert editor.text == "one xtwo"
        await pilot.press("alt+b", "alt+f", "y")
        assert editor.text == "one xtwoy"


async def test_the_word_keys_of_a_shell_work_in_a_line() -> None:
    async with cockpit(permission()) as (pilot, screen):
        await pilot.press(LEADER, "r")
        line = screen.query_one(ReplyBox).instruction
        await pilot.press(*"use", "space", *"pnpm", "alt+b", "x", "alt+f", "y")
        assert line.value == "use xpnpmy"
