"""The cells: two grids of rows, the scrollback, margins and tab stops, and all that moves or erases cells.

Sizes in cells, everything counted from 0; a count of None or 0 means 1. Erased cells take the pen's
background (BCE).
"""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

from copilot.screen.modes import Charset, Modes
from copilot.screen.pyte_views import TerminalCursor
from copilot.screen.reflow import reflow
from copilot.screen.rows import PackedRow, Row, blank_row, unpacked
from copilot.screen.sgr import PROTECTED
from copilot.screen.styles import Styles, TextStyle

PACKED_AT_ONCE = 500


class Saved(NamedTuple):
    """What DECSC saves and DECRC brings back."""

    style: TextStyle
    x: int = 0
    y: int = 0
    charsets: tuple[Charset, ...] = (None, None, None, None)
    charset: int = 0
    origin: bool = False


class Grid:
    """`rows` are those of the grid that is shown, `main` or `alternate`."""

    def __init__(self, columns: int, lines: int, scrollback: int, modes: Modes) -> None:
        self.columns = max(columns, 1)
        self.lines = max(lines, 1)
        self.styles = Styles()
        self.cursor = TerminalCursor(modes.numbers, self.styles.plain)
        self.scrollback: deque[Row | PackedRow] = deque(maxlen=max(scrollback, 0))
        self.scrolled_total = 0
        """Rows that have ever left the top of the main screen."""
        self.packed_until = 0
        self.tabstops: set[int] = set()
        self.reset()

    def reset(self) -> None:
        """RIS."""
        self.main = [Row() for _ in range(self.lines)]
        self.alternate = [Row() for _ in range(self.lines)]
        self.rows = self.main
        self.scrollback.clear()
        self.saved = [Saved(self.styles.plain), Saved(self.styles.plain)]
        self.tabstops.clear()
        self.tabstops.update(range(8, self.columns, 8))
        self.cursor.x = self.cursor.y = 0
        self.soft_reset()

    def begin_frame(self) -> None:
        """What was written until now has been on the screen."""
        for row in self.rows:
            row.begin_frame()

    def soft_reset(self) -> None:
        """DECSTR, as far as it is about pen and margins."""
        self.cursor.style = self.styles.plain
        self.forget_margins()

    def forget_margins(self) -> None:
        self.top, self.bottom = 0, self.lines - 1

    @property
    def on_alternate(self) -> bool:
        return self.rows is self.alternate

    def cancel_pending_wrap(self) -> None:
        """Put a cursor that waits behind the last column into it."""
        if self.cursor.x >= self.columns:
            self.cursor.x = self.columns - 1

    @property
    def _erasing(self) -> TextStyle:
        return self.styles.erased(self.cursor.style)

    def _blank(self) -> Row:
        return blank_row(self._erasing, self.columns)

    def next_row(self) -> None:
        """One row down; at the bottom margin the region scrolls."""
        cursor = self.cursor
        if cursor.y == self.bottom:
            rows = self.rows
            gone = rows.pop(self.top)
            if self.top:
                rows[self.top - 1].wrapped = False
            elif rows is self.main:
                self.scrollback.append(gone)
                self.scrolled_total += 1
            rows.insert(self.bottom, Row() if cursor.style.clears else self._blank())
        elif cursor.y < self.lines - 1:
            cursor.y += 1

    def index(self) -> None:
        """IND: one row down."""
        self.cancel_pending_wrap()
        self.next_row()

    def reverse_index(self) -> None:
        self.cancel_pending_wrap()
        if self.cursor.y == self.top:
            self.scroll_down(1, self.top)
        elif self.cursor.y > 0:
            self.cursor.y -= 1

    def scroll_up(self, count: int | None = None) -> None:
        """SU. What leaves the main screen's top goes to the scrollback."""
        rows = self.rows
        kept = self.top == 0 and rows is self.main
        for _ in range(min(count or 1, self.bottom - self.top + 1)):
            gone = rows.pop(self.top)
            if kept:
                self._keep(gone)
            rows.insert(self.bottom, self._blank())
        if self.top:
            rows[self.top - 1].wrapped = False

    def _keep(self, row: Row) -> None:
        self.scrollback.append(row)
        self.scrolled_total += 1

    def scroll_down(self, count: int | None = None, top: int | None = None) -> None:
        """SD; from `top` to the bottom margin."""
        start = self.top if top is None else top
        rows = self.rows
        for _ in range(min(count or 1, self.bottom - start + 1)):
            del rows[self.bottom]
            rows.insert(start, self._blank())
        rows[self.bottom].wrapped = False
        if start > 0:
            rows[start - 1].wrapped = False

    def insert_lines(self, count: int | None = None) -> None:
        if self.top <= self.cursor.y <= self.bottom:
            self.scroll_down(count, self.cursor.y)
            self.cursor.x = 0

    def delete_lines(self, count: int | None = None) -> None:
        if self.top <= self.cursor.y <= self.bottom:
            rows = self.rows
            for _ in range(min(count or 1, self.bottom - self.cursor.y + 1)):
                del rows[self.cursor.y]
                rows.insert(self.bottom, self._blank())
            self.cursor.x = 0

    def insert_characters(self, count: int | None = None) -> None:
        self.cancel_pending_wrap()
        x = self.cursor.x
        self.rows[self.cursor.y].insert(x, count or 1, self._erasing, self.columns)

    def delete_characters(self, count: int | None = None) -> None:
        self.cancel_pending_wrap()
        x = self.cursor.x
        self.rows[self.cursor.y].delete(x, count or 1, self._erasing, self.columns)

    def erase_characters(self, count: int | None = None) -> None:
        self.cancel_pending_wrap()
        x = self.cursor.x
        end = min(x + (count or 1), self.columns)
        self.rows[self.cursor.y].fill(x, end, self._erasing, self.columns)

    def _region(self) -> list[Row]:
        """The rows between the margins, or none while the cursor is outside."""
        inside = self.top <= self.cursor.y <= self.bottom
        return self.rows[self.top : self.bottom + 1] if inside else []

    def insert_columns(self, count: int | None = None) -> None:
        """DECIC."""
        self.cancel_pending_wrap()
        self._insert_in_region(self.cursor.x, count or 1)

    def delete_columns(self, count: int | None = None) -> None:
        """DECDC."""
        self.cancel_pending_wrap()
        self._delete_in_region(self.cursor.x, count or 1)

    def scroll_left(self, count: int | None = None) -> None:
        """SL."""
        self._delete_in_region(0, count or 1)

    def scroll_right(self, count: int | None = None) -> None:
        """SR."""
        self._insert_in_region(0, count or 1)

    def _insert_in_region(self, x: int, count: int) -> None:
        for row in self._region():
            row.insert(x, count, self._erasing, self.columns)

    def _delete_in_region(self, x: int, count: int) -> None:
        for row in self._region():
            row.delete(x, count, self._erasing, self.columns)

    def erase_in_line(self, how: int | None = 0, private: bool = False) -> None:
        """`private` spares what DECSCA protects."""
        if how not in (None, 0, 1, 2):
            return
        self.cancel_pending_wrap()
        x = self.cursor.x
        row = self.rows[self.cursor.y]
        self._erase(row, 0 if how else x, x + 1 if how == 1 else self.columns, private)

    def erase_in_display(self, how: int | None = 0, *_args: Any, **kwargs: Any) -> None:
        private = bool(kwargs.get("private"))
        y = self.cursor.y
        if how == 3 and not private:
            self.scrollback.clear()
        elif how == 22:
            self._scroll_away()
        elif how == 2:
            self.cancel_pending_wrap()
            self._erase_rows(0, self.lines, private)
        elif how == 1:
            self._erase_rows(0, y, private)
            self.erase_in_line(1, private)
        elif not how:
            self._erase_rows(y + 1, self.lines, private)
            self.erase_in_line(0, private)

    def _erase_rows(self, first: int, last: int, private: bool) -> None:
        for row in self.rows[first:last]:
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
        rows = self.rows
        if rows is self.main:
            used = max((y + 1 for y, row in enumerate(rows) if row.chars), default=0)
            for y in range(used):
                self._keep(rows[y])
                rows[y] = Row()
        self._erase_rows(0, self.lines, False)

    def clear_alternate(self) -> None:
        for row in self.alternate:
            row.wrapped = False
            row.fill(0, self.columns, self._erasing, self.columns)

    def resize(self, columns: int, lines: int) -> None:
        """The main screen and its scrollback are wrapped to the new width, the alternate one is cut."""
        on_alternate = self.on_alternate
        saved, cursor = self.saved[0], self.cursor
        x, y = (saved.x, saved.y) if on_alternate else (cursor.x, cursor.y)
        x, y = self._resize_main(columns, lines, x, y)
        dropped = self._resize_alternate(columns, lines)
        if on_alternate:
            self.saved[0] = saved._replace(x=x, y=y)
            x, y = min(cursor.x, columns - 1), min(cursor.y - dropped, lines - 1)
        self.rows = self.alternate if on_alternate else self.main
        self.tabstops |= set(range(self.columns + -self.columns % 8, columns, 8)) - {0}
        self.columns, self.lines = columns, lines
        self.forget_margins()
        cursor.x, cursor.y = x, y

    def _resize_main(self, columns: int, lines: int, x: int, y: int) -> tuple[int, int]:
        """Returns where the cursor has gone.

        A full screen stays at the end of what was printed, and scrollback comes back as rows get free. One
        with rows left at the bottom (it was cleared) keeps its first row.
        """
        history = [unpacked(row) for row in self.scrollback]
        used = max([y, *(n for n, row in enumerate(self.main) if row.chars)]) + 1
        rows = history + self.main[:used]
        places = [(len(history), 0), (len(history) + y, x)]
        rows, [(first, _), (row, column)] = reflow(rows, self.columns, columns, places)
        start = max(min(len(rows) - lines, row), 0)
        if used < self.lines:
            start = max(min(max(first, start), row), row - lines + 1)
        self.scrolled_total += start - len(history)
        self.packed_until = 0
        self.scrollback.clear()
        self.scrollback.extend(rows[:start])
        self.main = rows[start : start + lines]
        self.main += [Row() for _ in range(lines - len(self.main))]
        return column, row - start

    def _resize_alternate(self, columns: int, lines: int) -> int:
        """Returns how many rows were dropped at the top to keep the cursor on the screen."""
        dropped = max(self.cursor.y - lines + 1, 0) if self.on_alternate else 0
        rows = self.alternate[dropped : dropped + lines]
        self.alternate = rows + [Row() for _ in range(lines - len(rows))]
        for row in rows:
            row.wrapped = False
            row.cut(columns)
        return dropped

    def scrollback_row(self, line: int) -> Row:
        """Row `line` of the scrollback, 0 the oldest."""
        row = self.scrollback[line]
        if isinstance(row, PackedRow):
            row = self.scrollback[line] = row.unpack()
        return row

    def tidy(self) -> bool:
        """Pack some rows that scrolled away more than two screens ago. Returns whether there are more."""
        oldest = self.scrolled_total - len(self.scrollback)
        start = max(self.packed_until, oldest)
        target = self.scrolled_total - 2 * self.lines
        end = min(start + PACKED_AT_ONCE, target)
        for number in range(start - oldest, end - oldest):
            row = self.scrollback[number]
            if isinstance(row, Row):
                self.scrollback[number] = PackedRow(row)
        self.packed_until = max(end, self.packed_until)
        return end < target
