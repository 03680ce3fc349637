"""Rows of the screen: what is written in them, and the picture of it that is kept until the next write.

A row is only as long as what was written; what lies behind is blank in the default style. Most rows are
written from left to right and never touched again: such a row keeps the runs of text as they came. The
first write to its middle spreads it into cells; then a run is written by two slice assignments. No cell is
ever written by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, compress, count, islice
from operator import is_not
from typing import Any

from copilot.core.snapshot import Style
from copilot.screen.styles import DEFAULT, TextStyle
from copilot.widths import JOINER

MOST_PIECES = 32
"""Entries of `Row.pieces` that are packed one by one; of more, runs of one style are joined first."""

_numbers = count(1)


def run_starts(pens: Sequence[TextStyle]) -> list[int]:
    """The columns where another pen begins; the first is 0."""
    return [0, *compress(range(1, len(pens)), map(is_not, islice(pens, 1, None), pens))]


class _Spacer(str):
    """A blank like any other, but different from one that was written."""

    __slots__ = ()


SPACER = _Spacer(" ")
"""The last cell of a row where a wide character did not fit any more; reflow takes it out."""


class Picture:
    """What a row looks like. Made when first asked for; dies with the next write to the row.

    `text` is the row as text, wide characters once; `characters`, `pens` and `styles` have exactly one entry
    per column. `number` differs between any two pictures. `strip` is a place for the widget's rendering.
    """

    __slots__ = (
        *("_starts", "_styles", "characters", "number", "padded", "pens", "plain", "strip", "struck", "text"),
        "wrapped",
    )

    def __init__(self, row: Row, columns: int) -> None:
        if row.length >= 0:
            pieces = row.pieces
            self.text = "".join(pieces[::2]).ljust(columns)
            self.characters: tuple[str, ...] = tuple(self.text)
            pens: list[TextStyle] = []
            for run, style in zip(pieces[::2], pieces[1::2], strict=True):
                pens += [style] * len(run)
        else:
            characters, pens = row.cells, row.pens
            if len(characters) < columns:
                characters = characters + [" "] * (columns - len(characters))
            if not row.plain:
                characters = [cell.rstrip(JOINER) if cell[-1:] == JOINER else cell for cell in characters]
            self.text = "".join(characters)
            self.characters = tuple(characters)
        missing = columns - len(pens)
        self.pens: tuple[TextStyle, ...] = tuple(pens + [DEFAULT] * missing if missing else pens)
        self.struck = row.struck
        self.padded = row.length - len(self.text.rstrip(" ")) if row.length > 0 else 0
        """How many blanks were written behind the text."""
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
            starts = self._starts = run_starts(self.pens)
        return starts

    @property
    def styles(self) -> tuple[Style, ...]:
        """The style of each cell as a snapshot shows it."""
        styles = self._styles
        if styles is None:
            pens, starts, seen = self.pens, self.starts, []
            for start, end in zip(starts, [*starts[1:], len(pens)], strict=True):
                seen += [pens[start].seen] * (end - start)
            styles = self._styles = tuple(seen)
        return styles


class Row:
    """One row. Whoever writes to it sets `picture` to None."""

    __slots__ = (
        "cells",
        "fresh",
        "length",
        "pens",
        "picture",
        "pieces",
        "plain",
        "seen",
        "struck",
        "wrapped",
    )

    def __init__(self, chars: list[str] | None = None, styles: list[TextStyle] | None = None) -> None:
        self.pieces: list[Any] = []
        """While the row has only grown: its runs of text and, after each, the style of the run."""
        self.length = 0
        """How many cells the pieces fill; -1 once the row is spread."""
        if chars and styles:
            self.length = -1
            self.cells: list[str] = chars
            self.pens: list[TextStyle] = styles
            """What `chars` and `styles` are once the row is spread; nothing before."""
        self.wrapped = False
        """The row runs on into the next one (a soft wrap)."""
        self.plain = True
        """Each cell holds one narrow character."""
        self.picture: Picture | None = None
        self.seen = self.fresh = 0
        """Where the cells begin and end that this frame wrote; `fresh` counts once the row is spread."""
        self.struck = False
        """Text in it was written over within one frame, so that nobody has seen it."""

    def begin_frame(self) -> None:
        """What is in the row now has been on the screen."""
        self.seen = self.fresh = self.length

    def strike(self, start: int, run: Sequence[str]) -> None:
        """`run` is about to be written into a row that is spread."""
        end = start + len(run)
        if self.seen < self.fresh <= start:
            self.fresh = end
            return
        if self.fresh <= self.seen:
            self.seen, self.fresh = start, end
            self.struck = self.struck and start > 0
            return
        if not self.struck and start < self.fresh and end > self.seen:
            first, last = max(start, self.seen), min(end, self.fresh)
            before, after = self.cells[first:last], run[first - start : last - start]
            self.struck = any(old != " " and old != new for old, new in zip(before, after, strict=False))
        self.seen, self.fresh = min(start, self.seen), max(end, self.fresh)

    @property
    def chars(self) -> list[str]:
        """One entry per cell; `""` is the second half of a wide character. Spreads the row."""
        if self.length >= 0:
            self.spread()
        return self.cells

    @property
    def styles(self) -> list[TextStyle]:
        """The style of each cell. Spreads the row."""
        if self.length >= 0:
            self.spread()
        return self.pens

    def laid_out(self) -> tuple[list[str], list[TextStyle]]:
        """`chars` and `styles`, without spreading the row."""
        if self.length < 0:
            return self.cells, self.pens
        cells: list[str] = []
        pens: list[TextStyle] = []
        for run, style in zip(self.pieces[::2], self.pieces[1::2], strict=True):
            cells += run
            pens += [style] * len(run)
        return cells, pens

    def spread(self) -> None:
        """Give each cell a place of its own."""
        self.cells, self.pens = self.laid_out()
        self.pieces, self.fresh, self.length = [], self.length, -1

    def append(self, column: int, run: str, style: TextStyle) -> None:
        """Write narrow text at `column`, at or behind the end of a row that has only grown."""
        if column > self.length:
            self.pieces += (" " * (column - self.length), DEFAULT)
        self.pieces += (run, style)
        self.length = column + len(run)
        self.picture = None

    def clear(self) -> None:
        """Make the row as if nothing had been written in it."""
        if self.length < 0:
            del self.cells, self.pens
        self.pieces, self.length = [], 0
        self.plain = True
        self.seen = self.fresh = 0
        self.struck = False
        self.picture = None

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
            self.cells += [" "] * missing
            self.pens += [DEFAULT] * missing

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
        if plain and 0 <= self.length <= column and SPACER is not cells[-1]:
            self.append(column, "".join(cells), style)
            return
        end = column + len(cells)
        self.pad(column)
        if not self.plain:
            self.part(column)
            self.part(end)
        styles = self.styles
        self.strike(column, cells)
        self.chars[column:end] = cells
        styles[column:end] = [style] * len(cells)
        self.plain = self.plain and plain
        self.picture = None

    def replace(self, chars: list[str], styles: list[TextStyle]) -> None:
        """Give the row other cells, all narrow."""
        self.clear()
        self.cells, self.pens = chars, styles
        self.length = -1

    def fill(self, start: int, end: int, style: TextStyle, columns: int) -> None:
        """Erase the cells from `start` up to `end`."""
        if style is DEFAULT and not start and (end >= columns or end >= len(self.chars)):
            self.clear()
            return
        if 0 <= self.length <= start:
            if style is not DEFAULT and start < (end := min(end, columns)):
                self.append(start, " " * (end - start), style)
            return
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
            self.chars.extend([" "] * (missing - len(self.chars)))
            self.styles.extend([style] * (missing - len(self.styles)))

    def cut(self, columns: int) -> None:
        """Make the row at most `columns` long."""
        if not columns:
            self.clear()
        elif not 0 <= self.length <= columns and len(self.chars) > columns:
            self.picture = None
            self.part(columns)
            del self.chars[columns:]
            del self.styles[columns:]


def blank_row(style: TextStyle, columns: int) -> Row:
    """A new row, its cells erased in `style`."""
    if style is DEFAULT:
        return Row()
    return Row([" "] * columns, [style] * columns)


class PackedRow:
    """An old row of the scrollback as text and runs of styles: a twelfth of what cells in two lists take."""

    __slots__ = ("plain", "runs", "spacer", "text", "wrapped")

    def __init__(self, row: Row) -> None:
        self.plain = row.plain
        self.wrapped = row.wrapped
        self.spacer = row.length < 0 and bool(row.cells) and row.cells[-1] is SPACER
        if row.length >= 0 and len(row.pieces) <= MOST_PIECES:
            texts, styles = row.pieces[::2], row.pieces[1::2]
            self.text = "".join(texts)
            ends = [*accumulate(map(len, texts))]
        else:
            cells, pens = row.laid_out()
            self.text = ("" if row.plain else "\0").join(cells)
            ends = [*run_starts(pens)[1:], len(pens)] if pens else []
            styles = [pens[end - 1] for end in ends]
        self.runs: TextStyle | tuple[tuple[TextStyle, int], ...]
        """Each style and the column where its run ends; of a single run the style."""
        self.runs = styles[0] if len(styles) == 1 else tuple(zip(styles, ends, strict=True))

    def unpack(self) -> Row:
        """The row as it was."""
        cells: Sequence[str] = self.text if self.plain else self.text.split("\0")
        runs = self.runs if isinstance(self.runs, tuple) else ((self.runs, len(cells)),)
        row, start = Row(), 0
        for style, end in runs:
            row.pieces += (cells[start:end], style)
            start = end
        row.length = start
        if self.spacer or not self.plain:
            row.spread()
        if self.spacer:
            row.cells[-1] = SPACER
        row.plain = self.plain
        row.wrapped = self.wrapped
        return row


def unpacked(row: Row | PackedRow) -> Row:
    return row if isinstance(row, Row) else row.unpack()
