"""Where typed text shows: before the terminal's cursor, or before the one that a program draws itself."""

from __future__ import annotations

from copilot.core.probe import FieldView, is_back, shows
from copilot.core.snapshot import UNKNOWN_FACTS
from copilot.engine.field_view import before_cursor, field_view
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


def field_of(output: str) -> FieldView:
    screen = TerminalScreen(40, 8)
    screen.feed(output.encode())
    found = field_view(screen.snapshot(), UNKNOWN_FACTS)
    assert found is not None
    return found


PAINTED = "\x1b[47m \x1b[m"
BOX = "╭" + "─" * 38 + "╮\r\n│ ❯ {}\x1b[2;40H│\r\n╰" + "─" * 38 + "╯\x1b[?25l\x1b[6;1H"


def test_a_letter_takes_the_place_of_the_placeholder_before_a_painted_cursor() -> None:
    empty = field_of(BOX.format(f"\x1b[2mAsk me anything\x1b[m{PAINTED}"))
    typed = field_of(BOX.format(f"j{PAINTED}"))
    assert (empty.row, empty.column) == (1, 4)
    assert shows(empty, typed)
    assert is_back(empty, field_of(BOX.format(f"\x1b[2mAsk me anything\x1b[m{PAINTED}")))


def test_a_picture_above_the_field_may_move_and_a_list_may_not() -> None:
    rule = "─" * 40
    empty = f"{{}}\r\n{rule}❯ {{}}\r\n{rule}\x1b[3;{{}}H"
    before = field_of(empty.format(" @@  @@\r\n", "", 3).replace("\x1b[3;", "\x1b[4;"))
    for picture, same in ((" +@  @#\r\n", True), (" @@ no @@\r\n", False), (" ❯\r\n", False)):
        after = field_of(empty.format(picture, "j", 4).replace("\x1b[3;", "\x1b[4;"))
        assert shows(before, after) is same
