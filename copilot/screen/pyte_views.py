"""What pyte's users read, on our storage: the cursor, and `buffer[row][column]` as a `Char`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from pyte.graphics import FG_BG_256
from pyte.screens import Char
from pyte.screens import Cursor as PyteCursor

from copilot.core.snapshot import Colour
from copilot.screen import modes
from copilot.screen.rows import Row
from copilot.screen.styles import DEFAULT, TextStyle

_NAMES = ("black", "red", "green", "brown", "blue", "magenta", "cyan", "white")


def _colour(colour: Colour) -> str:
    if isinstance(colour, str):
        return colour.removeprefix("#")
    if colour < 16:
        return ("" if colour < 8 else "bright") + _NAMES[colour % 8]
    return FG_BG_256[colour]


def char(text: str, style: TextStyle) -> Char:
    """A cell as pyte's `Char`."""
    seen = style.seen
    return Char(
        text,
        _colour(seen.foreground),
        _colour(seen.background),
        bold=seen.bold,
        italics=seen.italic,
        underscore=seen.underline,
        strikethrough=seen.strikethrough,
        reverse=seen.reverse,
        blink=seen.blink,
    )


class TerminalCursor(PyteCursor):
    """pyte's cursor with a `TextStyle` as its pen.

    `x == columns` means that the last column was written and the next character wraps.
    """

    __slots__ = ("_modes", "style")

    def __init__(self, mode_numbers: Set[int], style: TextStyle) -> None:
        self._modes = mode_numbers
        self.x = 0
        self.y = 0
        self.style = style

    @property
    def hidden(self) -> bool:  # type: ignore[override]
        return modes.CURSOR_SHOWN not in self._modes

    @property
    def attrs(self) -> Char:  # type: ignore[override]
        """The pen."""
        return char(" ", self.style)


class RowView(Mapping[int, Char]):
    """One row of `buffer`. Reading beyond what was written gives blanks."""

    def __init__(self, row: Row, columns: int) -> None:
        self._row = row
        self._columns = columns

    def __getitem__(self, column: int) -> Char:
        if column < len(self._row.chars):
            return char(self._row.chars[column], self._row.styles[column])
        return char(" ", DEFAULT)

    def __iter__(self) -> Iterator[int]:
        return iter(range(self._columns))

    def __len__(self) -> int:
        return self._columns


class BufferView(Mapping[int, RowView]):
    """The visible rows, read only."""

    def __init__(self, rows: list[Row], columns: int) -> None:
        self._rows = rows
        self._columns = columns

    def __getitem__(self, line: int) -> RowView:
        return RowView(self._rows[line], self._columns)

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self._rows)))

    def __len__(self) -> int:
        return len(self._rows)
