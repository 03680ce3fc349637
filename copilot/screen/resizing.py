"""A change of size: the main screen and its scrollback are wrapped anew, the alternate one is cut."""

from __future__ import annotations

from copilot.screen.reflow import reflow
from copilot.screen.rows import Row
from copilot.screen.scrollback import PackedRow, unpacked
from copilot.screen.sequences import Sequences

PACKED_AT_ONCE = 500


class Resizing(Sequences):
    """`resize`, and `tidy` for idle time."""

    def resize(self, columns: int | None = None, lines: int | None = None) -> None:  # type: ignore[override]
        """Change the size, in cells. (pyte has the two the other way round.)"""
        columns, lines = max(columns or self.columns, 1), max(lines or self.lines, 1)
        if (columns, lines) == (self.columns, self.lines):
            return
        alternate = self.alternate_screen
        saved = self._saved[0]
        x, y = (saved.x, saved.y) if alternate else (self.cursor.x, self.cursor.y)
        x, y = self._resize_main(columns, lines, x, y)
        dropped = self._resize_alternate(columns, lines)
        if alternate:
            self._saved[0] = saved._replace(x=x, y=y)
            x, y = min(self.cursor.x, columns - 1), min(self.cursor.y - dropped, lines - 1)
        self._rows = self._alternate if alternate else self._main
        self.tabstops |= set(range(self.columns + -self.columns % 8, columns, 8)) - {0}
        self.columns, self.lines = columns, lines
        self.top, self.bottom = 0, lines - 1
        self.cursor.x, self.cursor.y = x, y

    def _resize_main(self, columns: int, lines: int, x: int, y: int) -> tuple[int, int]:
        """Returns where the cursor has gone.

        A full screen stays at the end of what was printed, and scrollback comes back as rows get free. One
        with rows left at the bottom (it was cleared) keeps its first row.
        """
        history = [unpacked(row) for row in self.scrollback]
        used = max([y, *(n for n, row in enumerate(self._main) if row.chars)]) + 1
        rows = history + self._main[:used]
        places = [(len(history), 0), (len(history) + y, x)]
        rows, [(first, _), (row, column)] = reflow(rows, self.columns, columns, places)
        start = max(min(len(rows) - lines, row), 0)
        if used < self.lines:
            start = max(min(max(first, start), row), row - lines + 1)
        self.scrolled_total += start - len(history)
        self._packed_until = 0
        self.scrollback.clear()
        self.scrollback.extend(rows[:start])
        self._main = rows[start : start + lines]
        self._main += [Row() for _ in range(lines - len(self._main))]
        return column, row - start

    def _resize_alternate(self, columns: int, lines: int) -> int:
        """Returns how many rows were dropped at the top to keep the cursor on the screen."""
        rows = self._alternate
        dropped = max(self.cursor.y - lines + 1, 0) if self.alternate_screen else 0
        rows = rows[dropped : dropped + lines]
        self._alternate = rows + [Row() for _ in range(lines - len(rows))]
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
        """Pack some rows that scrolled away more than two screens ago; to be called when idle.
        Returns whether there is more to pack."""
        oldest = self.scrolled_total - len(self.scrollback)
        start = max(self._packed_until, oldest)
        target = self.scrolled_total - 2 * self.lines
        end = min(start + PACKED_AT_ONCE, target)
        for number in range(start - oldest, end - oldest):
            row = self.scrollback[number]
            if isinstance(row, Row):
                self.scrollback[number] = PackedRow(row)
        self._packed_until = max(end, self._packed_until)
        return end < target
