"""What is told to a model of the terminal's past is bounded, however much came by."""

from __future__ import annotations

import pytest

from copilot.engine.invisible_characters import InvisibleCharacters
from copilot.screen import TerminalScreen
from copilot.session.recent_output import MOST_ROWS, RecentOutput, recent_output


@pytest.mark.row("CP-26")
def test_the_window_and_the_memory_are_bounded() -> None:
    screen = TerminalScreen(80, 24)
    block = b"".join(b"line %d of a long build\r\n" % number for number in range(2000))
    for _ in range(40):
        screen.feed(block)
    lines = recent_output(screen).text.splitlines()
    assert len(lines) <= MOST_ROWS
    assert lines[-1] == "line 1999 of a long build"
    assert len(screen.scrollback) <= 1000


def test_wrapped_rows_are_one_line() -> None:
    screen = TerminalScreen(10, 4)
    screen.feed(b"one two three four\r\nfive")
    assert recent_output(screen).text == "one two three four\nfive"


def test_a_full_screen_program_has_no_past() -> None:
    screen = TerminalScreen(20, 3)
    screen.feed(b"".join(b"old %d\r\n" % number for number in range(9)) + b"\x1b[?1049h\x1b[Hnow")
    assert "old" not in recent_output(screen).text


def test_hidden_text_is_left_out_and_counted_on_the_screen_and_above_it() -> None:
    screen = TerminalScreen(20, 2)
    screen.feed(b"one\x1b[8mtwo\x1b[m\r\nb\r\nc\x1b[30;40md\x1b[m")
    assert recent_output(screen) == RecentOutput("one\nb\nc", 4)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 100])
def test_characters_without_a_shape_are_counted_however_the_stream_is_cut(size: int) -> None:
    data = "a\u200bb\u202ec\U000e0041d\x1b[1m\u2066\u2067x \ufeff\x1b[31me e\u200d\u0301 \u2019\u2026 a\u061c.".encode()
    dropped = InvisibleCharacters()
    for start in range(0, len(data), size):
        dropped.feed(data[start : start + size])
    assert (dropped.take_count(), dropped.take_count(), dropped.since_answer) == (7, 0, 7)


def test_a_stream_of_nothing_but_characters_without_a_shape_is_counted_and_not_kept() -> None:
    dropped = InvisibleCharacters()
    for _ in range(50):
        dropped.feed("\u200b".encode() * 1000)
    assert dropped.take_count() == 50_000
    assert len(dropped._rest) < 100


@pytest.mark.parametrize("size", [1, 4, 100])
def test_a_cursor_drawn_with_a_zero_width_blank_names_nothing(size: int) -> None:
    data = "> r\x1b[48;5;252m \x1b[49m\u200b\r\n".encode()
    dropped = InvisibleCharacters()
    for start in range(0, len(data), size):
        dropped.feed(data[start : start + size])
    assert dropped.since_answer == 0
