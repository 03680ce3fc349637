"""What pyte's users read, on our storage: the cursor, and `buffer[row][column]` as a `Char`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from typing import TypeVar

from pyte.graphics import FG_BG_256
from pyte.screens import Char
from pyte.screens import Cursor as PyteCursor

from copilot.core.snapshot import Colour
from copilot.screen import modes
from copilot.screen.rows import Row
from copilot.screen.styles import DEFAULT, TextStyle

T = TypeVar("T")
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


class View(Mapping[int, T]):
    """Read only: `size` values, each made when asked for."""

    def __init__(self, size: int, make: Callable[[int], T]) -> None:
        self._size = size
        self._make = make

    def __getitem__(self, index: int) -> T:
        return self._make(index)

    def __iter__(self) -> Iterator[int]:
        return iter(range(self._size))

    def __len__(self) -> int:
        return self._size


def row_view(row: Row, columns: int) -> View[Char]:
    """One row of `buffer`. Reading beyond what was written gives blanks."""

    def cell(column: int) -> Char:
        written = column < len(row.chars)
        return char(row.chars[column], row.styles[column]) if written else char(" ", DEFAULT)

    return View(columns, cell)
