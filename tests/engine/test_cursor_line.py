"""Where typed text shows: before the terminal's cursor, or before the one that a program draws itself."""

from __future__ import annotations

from copilot.engine.field_view import before_cursor
from copilot.screen import TerminalScreen

PARKED = "\x1b[?25l\x1b[4;9H"


def text_before(output: str) -> str:
    screen = TerminalScreen(40, 6)
    screen.feed(output.encode())
    return before_cursor(screen.snapshot())


def test_the_line_up_to_the_terminals_own_cursor() -> None:
    assert text_before("Name: Ada") == "Name: Ada"
    assert text_before("Name: A\x1b[7md\x1b[ma\x1b[1;9H") == "Name: Ad"


def test_a_drawn_cursor_counts_where_the_real_one_is_hidden() -> None:
    clack = "◆  Project name:\r\n│  my-app{}\r\n└"
    assert text_before(clack.format("\x1b[7m \x1b[m") + PARKED) == "│  my-app"
    assert text_before(clack.format("█") + PARKED) == "│  my-app"


def test_a_highlight_is_no_drawn_cursor() -> None:
    assert text_before("\x1b[7mlong.txt\x1b[m" + PARKED).strip() == ""
    assert text_before("a\x1b[7mb\x1b[mc\r\nd\x1b[7me\x1b[mf" + PARKED).strip() == ""
    assert text_before("██████ 60%" + PARKED).strip() == ""
