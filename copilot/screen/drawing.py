"""Drawing text: wrapping, wide characters, clusters, insert mode, charsets.

The parser writes plain runs that fit the row itself; everything else comes here. However a text is
cut, the cells come out the same: what joins the cell before it is decided by that cell alone.
"""

from __future__ import annotations

from copilot.screen import modes
from copilot.screen.editing import Editing
from copilot.screen.rows import SPACER
from copilot.screen.tokens import clean
from copilot.widths import JOINER, extend, layout, widens, width


class Drawing(Editing):
    """`draw` and what it needs."""

    def draw(self, data: str) -> None:
        self._draw(clean(data))

    def _draw(self, text: str) -> None:
        if self._single_shift or self._charsets[self.charset] is not None:
            text = self._translated(text)
        start = 0
        while start < len(text) and self._joins(text[start]):
            start += 1
        if start:
            text = text[start:]
        if not text:
            return
        cells, plain = layout(text)
        fits = self.cursor.x + len(cells) <= self.columns
        if modes.INSERT in self.mode or not (fits or (modes.AUTO_WRAP in self.mode and self.columns > 1)):
            self._draw_singly(text)
        else:
            self._place(cells, plain)

    def _translated(self, text: str) -> str:
        first = text[:1]
        if self._single_shift and text:
            first = first.translate(self._charsets[self._single_shift] or {})
            self._single_shift = 0
            self._look_again()
        else:
            first = first.translate(self._charsets[self.charset] or {})
        return first + text[1:].translate(self._charsets[self.charset] or {})

    def _place(self, cells: list[str], plain: bool) -> None:
        """Write cells from the cursor on, wrapping at the right edge."""
        cursor, columns, style = self.cursor, self.columns, self.cursor.style
        at, total = 0, len(cells)
        while at < total:
            if cursor.x >= columns:
                self._wrap()
            row = self._rows[cursor.y]
            end = min(at + columns - cursor.x, total)
            part = cells[at:end]
            if end < total and not cells[end]:
                part[-1] = SPACER
                end -= 1
            row.write(cursor.x, part, style, plain)
            cursor.x += len(part)
            at = end

    def _wrap(self) -> None:
        self._rows[self.cursor.y].wrapped = True
        self.cursor.x = 0
        self._index()

    def _draw_singly(self, text: str) -> None:
        """Insert mode, or no wrapping: one character after the other."""
        cursor, columns = self.cursor, self.columns
        for character in text:
            if self._joins(character):
                continue
            size = width(character)
            if size > columns:
                continue
            if cursor.x + size > columns:
                if modes.AUTO_WRAP not in self.mode:
                    if size > 1:
                        continue
                    cursor.x = columns - 1
                else:
                    if cursor.x < columns:
                        self._rows[cursor.y].write(cursor.x, [SPACER], cursor.style, True)
                    self._wrap()
            row = self._rows[cursor.y]
            if modes.INSERT in self.mode:
                row.insert(cursor.x, size, cursor.style, columns)
            row.write(cursor.x, [character, ""][:size], cursor.style, size == 1)
            cursor.x += size

    def _joins(self, character: str) -> bool:
        """Whether a character goes into the cell before the cursor (or nowhere). If so, puts it there."""
        size = 1 if " " <= character <= "~" else width(character)
        x = self.cursor.x
        row = self._rows[self.cursor.y]
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
            if x + 1 == self.cursor.x and widens(extended):
                self._widen(x, extended)
            else:
                row.chars[x] = extended
            row.plain = False
            row.picture = None
        return True

    def _widen(self, x: int, cluster: str) -> None:
        """The cell at `x`, just before the cursor, now takes two."""
        cursor = self.cursor
        row = self._rows[cursor.y]
        style = row.styles[x]
        if x + 1 < self.columns:
            if modes.INSERT in self.mode:
                row.insert(x + 1, 1, style, self.columns)
            row.write(x, [cluster, ""], style, False)
            cursor.x = x + 2
        elif modes.AUTO_WRAP in self.mode and self.columns > 1:
            row.write(x, [SPACER], style, True)
            self._wrap()
            self._rows[cursor.y].write(0, [cluster, ""], style, False)
            cursor.x = 2

    def repeat(self, count: int | None = None) -> None:
        """REP: the character just before it again. Of what fills the screen over and over, the last two
        screenfuls are drawn: a few bytes must not cost more."""
        count = count or 1
        a_row = max(self.columns // max(width(self.last_drawn), 1), 1) if self.last_drawn else 1
        enough = 2 * a_row * self.lines
        if count > enough:
            count = enough + (count - enough) % a_row
        self._draw(self.last_drawn * count)
