"""Writing text with the pen: wrapping, wide characters, clusters, insert mode, charsets; and the pen itself.

The parser writes plain runs that fit the row itself; everything else comes here. However a text is
cut, the cells come out the same: what joins the cell before it is decided by that cell alone.
"""

from __future__ import annotations

from typing import Any

from copilot.screen.grid import Grid
from copilot.screen.modes import AUTO_WRAP, INSERT, Modes
from copilot.screen.rows import SPACER
from copilot.screen.sgr import PROTECTED
from copilot.screen.tokens import clean
from copilot.widths import JOINER, extend, layout, widens, width


class Writer:
    """`draw` takes any text, `write` text without control characters."""

    def __init__(self, grid: Grid, modes: Modes) -> None:
        self._grid = grid
        self._modes = modes
        self._cursor = grid.cursor
        self.last_drawn = ""
        """The character that ended the stream so far, if no control followed it (for REP)."""

    def draw(self, data: str) -> None:
        self.write(clean(data))

    def write(self, text: str) -> None:
        modes = self._modes
        if modes.single_shift or modes.charsets[modes.charset] is not None:
            text = modes.translated(text)
        start = 0
        while start < len(text) and self._joins(text[start]):
            start += 1
        if start:
            text = text[start:]
        if not text:
            return
        cells, plain = layout(text)
        columns = self._grid.columns
        fits = self._cursor.x + len(cells) <= columns
        if INSERT in modes.numbers or not (fits or (AUTO_WRAP in modes.numbers and columns > 1)):
            self._write_singly(text)
        else:
            self._place(cells, plain)

    def _place(self, cells: list[str], plain: bool) -> None:
        """Write cells from the cursor on, wrapping at the right edge."""
        cursor, columns, style = self._cursor, self._grid.columns, self._cursor.style
        at, total = 0, len(cells)
        while at < total:
            if cursor.x >= columns:
                self._wrap()
            row = self._grid.rows[cursor.y]
            end = min(at + columns - cursor.x, total)
            part = cells[at:end]
            if end < total and not cells[end]:
                part[-1] = SPACER
                end -= 1
            row.write(cursor.x, part, style, plain)
            cursor.x += len(part)
            at = end

    def _wrap(self) -> None:
        self._grid.rows[self._cursor.y].wrapped = True
        self._cursor.x = 0
        self._grid.next_row()

    def _write_singly(self, text: str) -> None:
        """Insert mode, or no wrapping: one character after the other."""
        cursor, columns = self._cursor, self._grid.columns
        for character in text:
            if self._joins(character):
                continue
            size = width(character)
            if size > columns or not self._make_room(size):
                continue
            row = self._grid.rows[cursor.y]
            if INSERT in self._modes.numbers:
                row.insert(cursor.x, size, cursor.style, columns)
            row.write(cursor.x, [character, ""][:size], cursor.style, size == 1)
            cursor.x += size

    def _make_room(self, size: int) -> bool:
        """Put the cursor where `size` cells fit; False if they fit nowhere."""
        cursor, columns = self._cursor, self._grid.columns
        if cursor.x + size <= columns:
            return True
        if AUTO_WRAP not in self._modes.numbers:
            if size == 1:
                cursor.x = columns - 1
            return size == 1
        if cursor.x < columns:
            self._grid.rows[cursor.y].write(cursor.x, [SPACER], cursor.style, True)
        self._wrap()
        return True

    def _joins(self, character: str) -> bool:
        """Whether a character goes into the cell before the cursor (or nowhere). If so, puts it there."""
        size = 1 if " " <= character <= "~" else width(character)
        x = self._cursor.x
        row = self._grid.rows[self._cursor.y]
        if size and (row.plain or not x or x > len(row.chars)):
            return False
        if not x:
            return True
        row.pad(x)
        x -= 1 if row.chars[x - 1] else 2
        cluster = row.chars[x]
        if size and cluster[-1] != JOINER:
            return False
        extended = extend(cluster, character)
        if extended != cluster:
            if x + 1 == self._cursor.x and widens(extended):
                self._widen(x, extended)
            else:
                row.chars[x] = extended
            row.plain = False
            row.picture = None
        return True

    def _widen(self, x: int, cluster: str) -> None:
        """The cell at `x`, just before the cursor, now takes two."""
        cursor, columns, numbers = self._cursor, self._grid.columns, self._modes.numbers
        row = self._grid.rows[cursor.y]
        style = row.styles[x]
        if x + 1 < columns:
            if INSERT in numbers:
                row.insert(x + 1, 1, style, columns)
            row.write(x, [cluster, ""], style, False)
            cursor.x = x + 2
        elif AUTO_WRAP in numbers and columns > 1:
            row.write(x, [SPACER], style, True)
            self._wrap()
            self._grid.rows[cursor.y].write(0, [cluster, ""], style, False)
            cursor.x = 2

    def repeat(self, count: int | None = None) -> None:
        """REP: the character just before it again. Of what fills the screen over and over, the last two
        screenfuls are drawn: a few bytes must not cost more."""
        count = count or 1
        a_row = max(self._grid.columns // max(width(self.last_drawn), 1), 1) if self.last_drawn else 1
        enough = 2 * a_row * self._grid.lines
        if count > enough:
            count = enough + (count - enough) % a_row
        self.write(self.last_drawn * count)

    def select_graphic_rendition(self, *attrs: int, **_kwargs: Any) -> None:
        """SGR by its numbers, as pyte calls it."""
        self.restyle(";".join(map(str, attrs)))

    def restyle(self, parameters: str) -> None:
        """SGR."""
        self._cursor.style = self._grid.styles.follow(self._cursor.style, parameters + "m")

    def protect(self, how: int) -> None:
        """DECSCA: 1 protects what is drawn from selective erasure."""
        foreground, background, flags, colour, link = self._cursor.style.attributes
        flags = flags | PROTECTED if how == 1 else flags & ~PROTECTED
        self._cursor.style = self._grid.styles.intern((foreground, background, flags, colour, link))

    def link_to(self, target: str) -> None:
        """OSC 8: what is drawn from now on links to `target`; empty ends it."""
        self._cursor.style = self._grid.styles.intern((*self._cursor.style.attributes[:4], target))
