"""Text that is drawn but cannot be seen, by whatever means."""

from __future__ import annotations

import pytest

from copilot.screen import TerminalScreen
from copilot.screen.hidden import seen_text, without_hidden
from copilot.screen.theme import Theme

UNSEEN = {
    "conceal": "\x1b[8m",
    "equal palette colours": "\x1b[31;41m",
    "equal true colours": "\x1b[38;2;9;9;9;48;2;9;9;9m",
    "nearly equal true colours": "\x1b[38;2;40;40;40;48;2;36;36;38m",
    "the palette's red on the same true colour": "\x1b[31;48;2;205;49;49m",
    "the theme's own background": "\x1b[38;2;18;18;18m",
    "black on the dark default": "\x1b[30m",
    "default text on its own colour": "\x1b[48;2;229;229;229m",
    "reversed": "\x1b[7;48;2;229;229;229m",
    "dim and dark": "\x1b[2;38;2;36;36;36m",
    "concealed and coloured": "\x1b[1;32;8m",
}
SEEN = ("\x1b[90m", "\x1b[2m", "\x1b[2;90m", "\x1b[7m", "\x1b[34m", "\x1b[30;47m", "\x1b[2;37;44m", "")


@pytest.mark.invariant(7)
@pytest.mark.parametrize("sgr", UNSEEN.values(), ids=UNSEEN)
def test_what_nobody_can_see_is_blanked_and_counted(sgr: str) -> None:
    screen = TerminalScreen(30, 3)
    screen.feed(f"see {sgr}日ok\x1b[m this".encode())
    seen, counts = without_hidden(screen.snapshot(), screen.theme)
    assert (seen.lines[0].rstrip(), counts) == ("see      this", {0: 3})
    assert len(seen.characters[0]) == 30 and "" not in seen.characters[0]
    assert seen_text(screen._grid.rows[0].picture_of(30), screen.theme) == (seen.lines[0], 3)


@pytest.mark.parametrize("sgr", SEEN)
def test_faint_and_coloured_text_stays(sgr: str) -> None:
    screen = TerminalScreen(30, 3)
    screen.feed(f"see {sgr}this\x1b[m".encode())
    snapshot = screen.snapshot()
    assert without_hidden(snapshot, screen.theme) == (snapshot, {})


def test_blocks_and_lines_are_pictures() -> None:
    screen = TerminalScreen(30, 3)
    screen.feed("\x1b[31;41m██▀─│⣿\x1b[m".encode())
    assert without_hidden(screen.snapshot(), screen.theme)[1] == {}


def test_another_theme_hides_other_text() -> None:
    screen = TerminalScreen(30, 3)
    screen.feed(b"\x1b[38;2;250;250;250mwhite\x1b[m")
    light = Theme(foreground=(30, 30, 30), background=(255, 255, 255))
    assert without_hidden(screen.snapshot(), light)[1] == {0: 5}
    assert without_hidden(screen.snapshot(), screen.theme)[1] == {}
