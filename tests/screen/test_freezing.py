"""A frozen screen goes on as if it had never been frozen, and does not feel what the other one does."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from copilot.screen import TerminalScreen
from copilot.screen.freezing import freeze, thaw
from tests.conformance.test_recordings import CASTS, read
from tests.screen.streams import everything

SOME = sorted(CASTS)[::12]
ODD = (
    "\x1b[?1049h \x1b[31;44mred\x1b[K\x1b[?1049l \x1b7\x1b[5;9H\x1b[4h in\x1b[4l\x1b8 \x1b(0qqq\x1b(B "
    "\x1b[2;6r\x1b[6;1H\n\n\x1b[r 漢字漢字漢字漢字漢字 e\u0301 👩‍💻 \x1b]2;title\x07\x1b[22t\x1b]0;x\x07\x1b[23t "
    "\x1b[?2004h\x1b[>1u\x1b[3g\x1b[1;20H\x1bH\t \x1b]8;;http://a.b\x07link\x1b]8;;\x07 wrap wrap wrap wrap\r\n"
) * 3
WAITING = ("replies", "events")
"""What a frozen screen leaves out."""
PIECES = st.lists(st.integers(0, len(ODD.encode())), min_size=1, max_size=6)


def looks(screen: TerminalScreen) -> tuple[object, ...]:
    shown = screen.snapshot()
    past = [
        screen.scrollback_row(line).picture_of(screen.columns).text for line in range(len(screen.scrollback))
    ]
    return (shown.lines, shown.styles, shown.cursor, shown.title, shown.wrapped, past, frozenset(screen.mode))


@pytest.mark.parametrize("name", SOME)
def test_a_recording_goes_on_from_any_place(name: str) -> None:
    columns, lines, data = read(Path(CASTS[name]))
    data = data[:60_000]
    whole, screen = TerminalScreen(columns, lines, 200), TerminalScreen(columns, lines, 200)
    start = 0
    for cut in [*sorted(random.Random(name).sample(range(len(data)), 4)), len(data)]:
        screen.feed(data[start:cut])
        screen = thaw(freeze(screen))
        start = cut
    whole.feed(data)
    assert looks(whole) == looks(screen)


@given(PIECES, st.booleans())
def test_odd_output_cut_anywhere(cuts: list[int], resized: bool) -> None:
    data = ODD.encode()
    whole, screen = TerminalScreen(30, 8), TerminalScreen(30, 8)
    start = 0
    for cut in [*sorted(cuts), len(data)]:
        whole.feed(data[start:cut])
        screen.feed(data[start:cut])
        screen = thaw(freeze(screen))
        start = cut
    if resized:
        whole.resize(44, 12)
        screen.resize(44, 12)
    assert looks(whole) == looks(screen)
    state = everything(screen)
    assert all(state[what] == value for what, value in everything(whole).items() if what not in WAITING)


def test_frozen_and_thawed_do_not_feel_each_other() -> None:
    screen = TerminalScreen(20, 4)
    screen.feed(b"one\r\ntwo\r\n\x1b[31mthree\r\nfour\r\nfive")
    kept = freeze(screen)
    before = thaw(kept).snapshot().lines
    screen.feed(b"\x1b[2J\x1b[Hother\x1b]2;t\x07" * 3)
    once = thaw(kept)
    once.feed(b"\x1b[1;1Hxxxx\x1b[3;1Hyyyy\r\n\r\n\r\n")
    assert thaw(kept).snapshot().lines == before
