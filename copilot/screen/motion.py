"""Moving the cursor, margins, tab stops, saving and restoring."""

from __future__ import annotations

from copilot.screen.grid import Grid, Saved
from copilot.screen.modes import AUTO_WRAP, NEW_LINE, ORIGIN, REVERSE_WRAP, Modes


class Motion:
    """pyte's event methods for movement. A count of None or 0 means 1."""

    def __init__(self, grid: Grid, modes: Modes) -> None:
        self._grid = grid
        self._modes = modes
        self._cursor = grid.cursor

    def carriage_return(self) -> None:
        self._cursor.x = 0

    def linefeed(self) -> None:
        self._grid.index()
        if NEW_LINE in self._modes.numbers:
            self._cursor.x = 0

    def next_line(self) -> None:
        """NEL."""
        self._cursor.x = 0
        self._grid.index()

    def cursor_up(self, count: int | None = None) -> None:
        self._grid.cancel_pending_wrap()
        stop = self._grid.top if self._cursor.y >= self._grid.top else 0
        self._cursor.y = max(self._cursor.y - (count or 1), stop)

    def cursor_down(self, count: int | None = None) -> None:
        self._grid.cancel_pending_wrap()
        stop = self._grid.bottom if self._cursor.y <= self._grid.bottom else self._grid.lines - 1
        self._cursor.y = min(self._cursor.y + (count or 1), stop)

    def cursor_up1(self, count: int | None = None) -> None:
        """CPL: up, to the first column."""
        self.cursor_up(count)
        self._cursor.x = 0

    def cursor_down1(self, count: int | None = None) -> None:
        """CNL: down, to the first column."""
        self.cursor_down(count)
        self._cursor.x = 0

    def cursor_forward(self, count: int | None = None) -> None:
        self._grid.cancel_pending_wrap()
        self._cursor.x = min(self._cursor.x + (count or 1), self._grid.columns - 1)

    def cursor_back(self, count: int | None = None) -> None:
        self._grid.cancel_pending_wrap()
        self._cursor.x = max(self._cursor.x - (count or 1), 0)

    def backspace(self) -> None:
        cursor, grid = self._cursor, self._grid
        reverse = self._modes.numbers >= {REVERSE_WRAP, AUTO_WRAP}
        if reverse and cursor.x == 0 and cursor.y > 0 and grid.rows[cursor.y - 1].wrapped:
            cursor.y -= 1
            cursor.x = grid.columns - 1
        elif reverse and cursor.x >= grid.columns:
            cursor.x = grid.columns - 1
        else:
            self.cursor_back()

    def cursor_to_column(self, column: int | None = None) -> None:
        self._cursor.x = min((column or 1) - 1, self._grid.columns - 1)

    def cursor_to_line(self, line: int | None = None) -> None:
        self._grid.cancel_pending_wrap()
        grid = self._grid
        first, last = (grid.top, grid.bottom) if self._modes.origin else (0, grid.lines - 1)
        self._cursor.y = min(first + (line or 1) - 1, last)

    def cursor_position(self, line: int | None = None, column: int | None = None) -> None:
        self.cursor_to_line(line)
        self.cursor_to_column(column)

    def line_forward(self, count: int | None = None) -> None:
        """VPR: down, stopped by the bottom margin in origin mode only."""
        self._grid.cancel_pending_wrap()
        last = self._grid.bottom if self._modes.origin else self._grid.lines - 1
        self._cursor.y = min(self._cursor.y + (count or 1), last)

    def line_back(self, count: int | None = None) -> None:
        """VPB: up, stopped by the top margin in origin mode only."""
        self._grid.cancel_pending_wrap()
        first = self._grid.top if self._modes.origin else 0
        self._cursor.y = max(self._cursor.y - (count or 1), first)

    def set_margins(self, top: int | None = None, bottom: int | None = None) -> None:
        """DECSTBM, counted from 1. A region of fewer than two lines is ignored."""
        first = (top or 1) - 1
        last = min(bottom or self._grid.lines, self._grid.lines) - 1
        if first < last:
            self._grid.top, self._grid.bottom = first, last
            self.cursor_position()

    def tab(self) -> None:
        self.forward_tab(1)

    def forward_tab(self, count: int | None = None) -> None:
        """CHT. A pending wrap stays pending."""
        x, last = self._cursor.x, self._grid.columns - 1
        if x <= last:
            self._to_stop(count or 1, sorted(stop for stop in self._grid.tabstops if x < stop <= last), last)

    def back_tab(self, count: int | None = None) -> None:
        """CBT."""
        self._grid.cancel_pending_wrap()
        x = self._cursor.x
        stops = (stop for stop in self._grid.tabstops if stop < x)
        self._to_stop(count or 1, sorted(stops, reverse=True), 0)

    def _to_stop(self, count: int, stops: list[int], edge: int) -> None:
        self._cursor.x = stops[count - 1] if count <= len(stops) else edge

    def set_tab_stop(self) -> None:
        self._grid.tabstops.add(min(self._cursor.x, self._grid.columns - 1))

    def clear_tab_stop(self, how: int | None = 0) -> None:
        if how == 3:
            self._grid.tabstops.clear()
        elif not how:
            self._grid.tabstops.discard(min(self._cursor.x, self._grid.columns - 1))

    def save_cursor(self) -> None:
        cursor = self._cursor
        self._grid.saved[self._grid.on_alternate] = Saved(
            cursor.style,
            cursor.x,
            cursor.y,
            tuple(self._modes.charsets),
            self._modes.charset,
            self._modes.origin,
        )

    def restore_cursor(self) -> None:
        saved = self._grid.saved[self._grid.on_alternate]
        cursor = self._cursor
        cursor.x = min(saved.x, self._grid.columns)
        cursor.y = min(saved.y, self._grid.lines - 1)
        cursor.style = saved.style
        self._modes.charsets = list(saved.charsets)
        self._modes.charset = saved.charset
        self._modes.switch(ORIGIN, saved.origin)
