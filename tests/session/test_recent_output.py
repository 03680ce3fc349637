"""What is told to a model of the terminal's past is bounded, however much came by."""

from __future__ import annotations

import pytest

from copilot.screen import TerminalScreen
from copilot.session.recent_output import MOST_ROWS, recent_output


@pytest.mark.row("CP-26")
def test_the_window_and_the_memory_are_bounded() -> None:
    screen = TerminalScreen(80, 24)
    block = b"".join(b"line %d of a long build\r\n" % number for number in range(2000))
    for _ in range(40):
        screen.feed(block)
    lines = recent_output(screen).splitlines()
    assert len(lines) <= MOST_ROWS
    assert lines[-1] == "line 1999 of a long build"
    assert len(screen.scrollback) <= 1000


def test_wrapped_rows_are_one_line() -> None:
    screen = TerminalScreen(10, 4)
    screen.feed(b"one two three four\r\nfive")
    assert recent_output(screen) == "one two three four\nfive"


def test_a_full_screen_program_has_no_past() -> None:
    screen = TerminalScreen(20, 3)
    screen.feed(b"".join(b"old %d\r\n" % number for number in range(9)) + b"\x1b[?1049h\x1b[Hnow")
    assert "old" not in recent_output(screen)
