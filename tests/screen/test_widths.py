"""Cells are counted as Rich counts them, or rows would shear in the widget."""

from __future__ import annotations

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from copilot import sure_widths
from copilot.screen import TerminalScreen


def test_what_is_taken_for_sure_is_so() -> None:
    narrow, wide = re.compile(f"[{sure_widths.NARROW}]"), re.compile(f"[{sure_widths.WIDE}]")
    for code in range(0x20, 0x20000):
        character = chr(code)
        if narrow.match(character):
            assert cell_len(character) == 1, hex(code)
        elif wide.match(character):
            assert cell_len(character) == 2, hex(code)


PIECES = ["a", " ", "é", "漢", "❤", "❤️", "1️⃣", "👩", "\u200d", "👍🏽", "🇬🇧", "e\u0301", "─", "한", "⚠️", "✻"]


@given(st.lists(st.sampled_from(PIECES), max_size=20))
def test_a_row_is_as_wide_as_rich_says(pieces: list[str]) -> None:
    screen = TerminalScreen(60, 2)
    screen.feed("".join(pieces).encode())
    line = screen.snapshot().lines[0]
    assert cell_len(line) == 60


def test_nothing_invisible_stays_in_a_cell() -> None:
    screen = TerminalScreen(60, 2)
    for code in range(0x80, 0xE1000):
        if unicodedata.category(chr(code)) in ("Cf", "Cc", "Zl", "Zp"):
            screen.feed(b"x" + chr(code).encode("utf-8", "ignore") + b"\r")
            text = screen.snapshot().lines[0].rstrip()
            assert text in ("x", "x\u200c", "x\u00ad") or cell_len(text) == 2, hex(code)
