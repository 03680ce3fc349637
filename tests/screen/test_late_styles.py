"""Two direct colours that come for the first time are read late, and then as if they had been read at once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from copilot.core.snapshot import Cell
from copilot.screen import TerminalScreen
from copilot.screen.styles import TextStyle

LEVEL = st.sampled_from([0, 9, 10, 25, 26, 99, 100, 199, 200, 249, 250, 255, 256, 300, 999])
BEFORE = [
    "",
    "\x1b[1;4:3;31m",
    "\x1b[58;2;1;2;3m",
    "\x1b]8;;http://x\x1b\\",
    '\x1b[1"q',
    "\x1b[38;2;9;8;7;48;2;6;5;4mo",
]
AFTER = ["", "\x1b[0m", "\x1b[22m", "\x1b[39m", "\x1b[49m", "\x1b[K", "\x1b[7m", "\x1b[38;2;5;5;5m"]


def cells(screen: TerminalScreen) -> tuple[tuple[Cell, ...], ...]:
    return screen.snapshot().rows


@given(
    st.tuples(*[LEVEL] * 6),
    st.sampled_from([";", "m\x1b["]),
    st.sampled_from(BEFORE),
    st.sampled_from(AFTER),
    st.integers(1, 3),
)
def test_reading_late_changes_nothing(
    levels: tuple[int, ...], between: str, before: str, after: str, times: int
) -> None:
    r, g, b, red, green, blue = levels
    sgr = f"38;2;{r};{g};{b}{between}48;2;{red};{green};{blue}"
    stream = f"{before}a" + f"\x1b[{sgr}mb{after}c\r\n" * times
    late, bytewise = TerminalScreen(8, 4), TerminalScreen(8, 4)
    late.feed(stream.encode())
    for byte in stream.encode():
        bytewise.feed(bytes([byte]))
    assert cells(late) == cells(bytewise)
    assert late.cursor.style.attributes == bytewise.cursor.style.attributes


def pen(screen: TerminalScreen, sgr: str) -> TextStyle:
    screen.feed(f"\x1b[{sgr}mx".encode())
    return screen.cursor.style


def test_what_comes_again_is_interned() -> None:
    screen = TerminalScreen(20, 2)
    sgr = "38;2;1;2;3;48;2;4;5;6"
    assert pen(screen, sgr).late
    screen.feed(b"\x1b[m")
    second = pen(screen, sgr)
    screen.feed(b"\x1b[m")
    assert not second.late
    assert pen(screen, sgr) is second


@pytest.mark.parametrize("sgr", ["38;2;256;2;3;48;2;4;5;6", "38;2;1;2;3;48;2;4;5;600", "38;2;1;2;3;48;2;4;5"])
def test_a_colour_that_there_is_not_is_read_at_once(sgr: str) -> None:
    assert not pen(TerminalScreen(20, 2), sgr).late


def test_a_late_style_leads_nowhere() -> None:
    screen = TerminalScreen(20, 2)
    late = pen(screen, "38;2;1;2;3;48;2;4;5;6")
    for colour in range(100):
        screen.feed(f"\x1b[38;5;{colour}mx\x1b[38;5;7mx".encode())
        screen.cursor.style = late
    assert not late.next
