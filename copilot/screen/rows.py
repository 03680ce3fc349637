"""Rows of the screen: what is written in them, and the picture of it that is kept until the next write.

A row is only as long as what was written; what lies behind is blank in the default style. A run of
text is written by two slice assignments, no cell by itself.
"""

from __future__ import annotations

from itertools import compress, count, islice
from operator import is_not
from typing import Any

from copilot.core.snapshot import Style
from copilot.screen.styles import DEFAULT, TextStyle
from copilot.screen.widths import JOINER

_numbers = count(1)


class _Spacer(str):
    """A blank like any other, but it can be told from one that was written."""

    __slots__ = ()


SPACER = _Spacer(" ")
"""The last cell of a row where a wide character did not fit any more; reflow takes it out."""


class Picture:
    """What a row looks like. Made when first asked for; dies with the next write to the row.

    `text` is the row as text, wide characters once; `characters`, `pens` and `styles` have exactly one entry
    per column. `number` differs between any two pictures. `strip` is a place for the widget's rendering.
    """

    __slots__ = ("_starts", "_styles", "characters", "number", "pens", "plain", "strip", "text", "wrapped")

    def __init__(self, row: Row, columns: int) -> None:
        missing = columns - len(row.chars)
        characters = row.chars if not missing else row.chars + [" "] * missing
        if not row.plain:
            characters = [cell.rstrip(JOINER) if cell[-1:] == JOINER else cell for cell in characters]
        self.text = "".join(characters)
        self.characters: tuple[str, ...] = tuple(characters)
        self.pens: tuple[TextStyle, ...] = tuple(row.styles + [DEFAULT] * missing if missing else row.styles)
        self.plain = row.plain
        """Each cell holds one narrow character, so columns are places in `text`."""
        self.wrapped = row.wrapped
        self.number = next(_numbers)
        self.strip: Any = None
        self._starts: list[int] | None = None
        self._styles: tuple[Style, ...] | None = None

    @property
    def starts(self) -> list[int]:
        """The columns where another pen begins; the first is 0."""
        starts = self._starts
        if starts is None:
            pens = self.pens
            changes = compress(range(1, len(pens)), map(is_not, islice(pens, 1, None), pens))
            starts = self._starts = [0, *changes]
        return starts

    @property
    def styles(self) -> tuple[Style, ...]:
        """The style of each cell as a snapshot tells it."""
        styles = self._styles
        if styles is None:
            pens, starts, seen = self.pens, self.starts, []
            for start, end in zip(starts, [*starts[1:], len(pens)], strict=True):
                seen += [pens[start].seen] * (end - start)
            styles = self._styles = tuple(seen)
        return styles


class Row:
    """One row. Whoever writes to it sets `picture` to None."""

    __slots__ = ("chars", "picture", "plain", "styles", "wrapped")

    def __init__(self, chars: list[str], styles: list[TextStyle]) -> None:
        self.chars = chars
        """One entry per cell; `""` is the second half of a wide character."""
        self.styles = styles
        self.wrapped = False
        """The row runs on into the next one (a soft wrap)."""
        self.plain = True
        """Each cell holds one narrow character."""
        self.picture: Picture | None = None

    @property
    def strip(self) -> Any:
        """The widget's rendering of the row; None when the row was written to since."""
        return None if self.picture is None else self.picture.strip

    def picture_of(self, columns: int) -> Picture:
        picture = self.picture
        if picture is None or len(picture.characters) != columns or picture.wrapped != self.wrapped:
            picture = self.picture = Picture(self, columns)
        return picture

    def pad(self, length: int) -> None:
        """Make the row at least `length` cells long."""
        missing = length - len(self.chars)
        if missing > 0:
            self.chars += [" "] * missing
            self.styles += [DEFAULT] * missing

    def open(self, start: int, end: int) -> bool:
        """Whether narrow text may be written from `start` up to `end` without a look at its neighbours:
        nothing before it waits to be joined, no wide character is cut in two."""
        chars = self.chars
        length = len(chars)
        if start and start <= length and (chars[start - 1] or chars[start - 2])[-1] == JOINER:
            return False
        return (start >= length or chars[start] != "") and (end >= length or chars[end] != "")

    def part(self, column: int) -> None:
        """Free both halves of a wide character that a write at `column` would cut in two."""
        chars = self.chars
        if 0 < column < len(chars) and chars[column] == "":
            chars[column - 1] = chars[column] = " "

    def write(self, column: int, cells: list[str], style: TextStyle, plain: bool) -> None:
        """Put `cells` at `column`, all in one style."""
        end = column + len(cells)
        self.pad(column)
        if not self.plain:
            self.part(column)
            self.part(end)
        self.chars[column:end] = cells
        self.styles[column:end] = [style] * len(cells)
        self.plain = self.plain and plain
        self.picture = None

    def replace(self, chars: list[str], styles: list[TextStyle]) -> None:
        """Give the row other cells, all narrow."""
        self.chars, self.styles = chars, styles
        self.plain = True
        self.picture = None

    def fill(self, start: int, end: int, style: TextStyle, columns: int) -> None:
        """Erase the cells from `start` up to `end`."""
        self.picture = None
        if not self.plain:
            self.part(start)
            self.part(end)
        if style is DEFAULT and end >= len(self.chars):
            del self.chars[start:]
            del self.styles[start:]
            self.plain = self.plain or not start
            return
        end = min(end, columns)
        self.pad(start)
        self.chars[start:end] = [" "] * (end - start)
        self.styles[start:end] = [style] * (end - start)

    def insert(self, column: int, number: int, style: TextStyle, columns: int) -> None:
        """Insert blank cells at `column`; what is pushed over the right edge is lost."""
        self.picture = None
        self.pad(column)
        self.part(column)
        number = min(number, columns - column)
        self.part(columns - number)
        self.chars[column:column] = [" "] * number
        self.styles[column:column] = [style] * number
        del self.chars[columns:]
        del self.styles[columns:]

    def delete(self, column: int, number: int, style: TextStyle, columns: int) -> None:
        """Delete cells at `column`; blank ones come in at the right edge."""
        self.picture = None
        number = min(number, columns - column)
        if style is not DEFAULT:
            self.pad(columns)
        self.part(column)
        self.part(column + number)
        missing = columns if style is not DEFAULT else 0
        del self.chars[column : column + number]
        del self.styles[column : column + number]
        if missing:
            self.chars += [" "] * (missing - len(self.chars))
            self.styles += [style] * (missing - len(self.styles))

    def cut(self, columns: int) -> None:
        """Make the row at most `columns` long."""
        if len(self.chars) > columns:
            self.picture = None
            self.part(columns)
            del self.chars[columns:]
            del self.styles[columns:]


def blank_row(style: TextStyle, columns: int) -> Row:
    """A new row, its cells erased in `style`."""
    if style is DEFAULT:
        return Row([], [])
    return Row([" "] * columns, [style] * columns)
