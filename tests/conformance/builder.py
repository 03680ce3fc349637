"""`TerminalScreen` as the conformance harness and the benchmark want it (their docstrings say how)."""

from __future__ import annotations

from collections.abc import Iterable

from copilot.screen import TerminalScreen
from copilot.screen.rows import Row
from copilot.screen.sgr import BLINK, BOLD, CONCEAL, DIM, ITALIC, REVERSE, STRIKE, UNDERLINES
from copilot.screen.styles import DEFAULT

Cell = tuple[str, int | str, int | str, set[str], int]
NAMES = (
    (BOLD, "bold"),
    (DIM, "dim"),
    (ITALIC, "italic"),
    (UNDERLINES, "underline"),
    (BLINK, "blink"),
    (REVERSE, "reverse"),
    (CONCEAL, "hidden"),
    (STRIKE, "strike"),
)


def _colour(colour: int | str) -> int | str:
    return colour.removeprefix("#") if isinstance(colour, str) else colour


class Adapter:
    def __init__(self, columns: int, rows: int, history: int) -> None:
        self.screen = TerminalScreen(columns, rows, history)
        self.feed = self.screen.feed
        self._replies = b""

    def _cells(self, row: Row) -> list[Cell]:
        missing = self.screen.columns - len(row.chars)
        chars = row.chars + [" "] * missing
        cells: list[Cell] = []
        for x, (text, style) in enumerate(zip(chars, row.styles + [DEFAULT] * missing, strict=True)):
            wide = 0 if not text else 2 if chars[x + 1 : x + 2] == [""] else 1
            names = {name for flag, name in NAMES if style.flags & flag}
            cells.append((text, _colour(style.foreground), _colour(style.background), names, wide))
        return cells

    def _all(self, rows: Iterable[Row]) -> list[list[Cell]]:
        return [self._cells(row) for row in rows]

    def rows(self) -> list[list[Cell]]:
        return self._all(self.screen.visible_row(y) for y in range(self.screen.lines))

    def history_rows(self) -> list[list[Cell]]:
        return self._all(self.screen.scrollback_row(y) for y in range(len(self.screen.scrollback)))

    def cursor(self) -> tuple[int, int]:
        cursor = self.screen.snapshot().cursor
        return cursor.column, cursor.row

    def replies(self) -> bytes:
        self._replies += self.screen.take_replies()
        return self._replies

    def resize(self, columns: int, rows: int) -> None:
        self.screen.resize(columns, rows)


def build(columns: int, rows: int, history: int) -> Adapter:
    return Adapter(columns, rows, history)
