"""Erasing, inserting and deleting cells and lines. Erased cells take the pen's background (BCE)."""

from __future__ import annotations

from typing import Any

from copilot.screen import modes
from copilot.screen.motion import Motion
from copilot.screen.rows import Row
from copilot.screen.sgr import PROTECTED
from copilot.screen.styles import DEFAULT


class Editing(Motion):
    """pyte's event methods for editing. A count of None or 0 means 1."""

    def insert_characters(self, count: int | None = None) -> None:
        x = self._column()
        self._rows[self.cursor.y].insert(x, count or 1, self._erasing, self.columns)

    def delete_characters(self, count: int | None = None) -> None:
        x = self._column()
        self._rows[self.cursor.y].delete(x, count or 1, self._erasing, self.columns)

    def erase_characters(self, count: int | None = None) -> None:
        x = self._column()
        end = min(x + (count or 1), self.columns)
        self._rows[self.cursor.y].fill(x, end, self._erasing, self.columns)

    def erase_in_line(self, how: int | None = 0, private: bool = False) -> None:
        if how not in (None, 0, 1, 2):
            return
        x = self._column()
        row = self._rows[self.cursor.y]
        if how == 1:
            self._erase(row, 0, x + 1, private)
        elif how == 2:
            self._erase(row, 0, self.columns, private)
        else:
            self._erase(row, x, self.columns, private)

    def erase_in_display(self, how: int | None = 0, *args: Any, **kwargs: Any) -> None:
        private = bool(kwargs.get("private"))
        y = self.cursor.y
        if how == 3 and not private:
            self.scrollback.clear()
        elif how == 22:
            self._scroll_away()
        elif how == 2:
            self._column()
            self._erase_rows(0, self.lines, private)
        elif how == 1:
            self._erase_rows(0, y, private)
            self.erase_in_line(1, private)
        elif not how:
            self._erase_rows(y + 1, self.lines, private)
            self.erase_in_line(0, private)

    def _erase_rows(self, first: int, last: int, private: bool) -> None:
        for row in self._rows[first:last]:
            self._erase(row, 0, self.columns, private)

    def _erase(self, row: Row, start: int, end: int, private: bool) -> None:
        style = self._erasing
        if end >= self.columns:
            row.wrapped = False
        if not private:
            row.fill(start, end, style, self.columns)
            return
        row.pad(end)
        for x in range(start, end):
            if not row.styles[x].flags & PROTECTED:
                row.fill(x, x + 1, style, self.columns)
                row.pad(end)

    def _scroll_away(self) -> None:
        """ED 22 (kitty): the screen's contents go to the scrollback, then it is clear."""
        if self._rows is self._main:
            used = max((y + 1 for y, row in enumerate(self._rows) if row.chars), default=0)
            for row in self._rows[:used]:
                self._keep(row)
                self._rows[self._rows.index(row)] = Row()
        self._erase_rows(0, self.lines, False)

    def insert_lines(self, count: int | None = None) -> None:
        if self.top <= self.cursor.y <= self.bottom:
            self.scroll_down(count, self.cursor.y)
            self.cursor.x = 0

    def delete_lines(self, count: int | None = None) -> None:
        if self.top <= self.cursor.y <= self.bottom:
            rows = self._rows
            for _ in range(min(count or 1, self.bottom - self.cursor.y + 1)):
                del rows[self.cursor.y]
                rows.insert(self.bottom, self._blank())
            self.cursor.x = 0

    def _region(self) -> list[Row]:
        """The rows between the margins, or none while the cursor is outside."""
        inside = self.top <= self.cursor.y <= self.bottom
        return self._rows[self.top : self.bottom + 1] if inside else []

    def insert_columns(self, count: int | None = None) -> None:
        """DECIC."""
        x = self._column()
        for row in self._region():
            row.insert(x, count or 1, self._erasing, self.columns)

    def delete_columns(self, count: int | None = None) -> None:
        """DECDC."""
        x = self._column()
        for row in self._region():
            row.delete(x, count or 1, self._erasing, self.columns)

    def scroll_left(self, count: int | None = None) -> None:
        """SL."""
        for row in self._region():
            row.delete(0, count or 1, self._erasing, self.columns)

    def scroll_right(self, count: int | None = None) -> None:
        """SR."""
        for row in self._region():
            row.insert(0, count or 1, self._erasing, self.columns)

    def alignment_display(self) -> None:
        """DECALN: the screen full of E."""
        self.top, self.bottom = 0, self.lines - 1
        self.mode.discard(modes.ORIGIN)
        self._look_again()
        self.cursor.x = self.cursor.y = 0
        for row in self._rows:
            row.replace(["E"] * self.columns, [DEFAULT] * self.columns)
