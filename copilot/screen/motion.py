"""Moving the cursor, scrolling, margins, tab stops, saving and restoring."""

from __future__ import annotations

from copilot.screen import modes
from copilot.screen.rows import Row
from copilot.screen.state import Saved, ScreenState


class Motion(ScreenState):
    """pyte's event methods for movement. A count of None or 0 means 1."""

    def _column(self) -> int:
        """The cursor's column, a pending wrap forgotten."""
        if self.cursor.x >= self.columns:
            self.cursor.x = self.columns - 1
        return self.cursor.x

    def carriage_return(self) -> None:
        self.cursor.x = 0

    def linefeed(self) -> None:
        self.index()
        if modes.NEW_LINE in self.mode:
            self.cursor.x = 0

    def next_line(self) -> None:
        """NEL."""
        self.cursor.x = 0
        self.index()

    def index(self) -> None:
        self._column()
        self._index()

    def _index(self) -> None:
        cursor = self.cursor
        if cursor.y == self.bottom:
            rows = self._rows
            gone = rows.pop(self.top)
            if self.top:
                rows[self.top - 1].wrapped = False
            elif rows is self._main:
                self._keep(gone)
            rows.insert(self.bottom, Row() if cursor.style.background == "default" else self._blank())
        elif cursor.y < self.lines - 1:
            cursor.y += 1

    def reverse_index(self) -> None:
        self._column()
        if self.cursor.y == self.top:
            self.scroll_down(1, self.top)
        elif self.cursor.y > 0:
            self.cursor.y -= 1

    def scroll_up(self, count: int | None = None, top: int | None = None) -> None:
        """SU; from `top` to the bottom margin. What leaves the main screen's top goes to the scrollback."""
        start = self.top if top is None else top
        rows = self._rows
        bottom = self.bottom
        keep = start == 0 and rows is self._main
        for _ in range(min(count or 1, bottom - start + 1)):
            gone = rows.pop(start)
            if keep:
                self._keep(gone)
            rows.insert(bottom, self._blank())
        if not keep and start > 0:
            rows[start - 1].wrapped = False

    def _keep(self, row: Row) -> None:
        self.scrollback.append(row)
        self.scrolled_total += 1

    def scroll_down(self, count: int | None = None, top: int | None = None) -> None:
        """SD; from `top` to the bottom margin."""
        start = self.top if top is None else top
        rows = self._rows
        for _ in range(min(count or 1, self.bottom - start + 1)):
            del rows[self.bottom]
            rows.insert(start, self._blank())
        rows[self.bottom].wrapped = False
        if start > 0:
            rows[start - 1].wrapped = False

    def cursor_up(self, count: int | None = None) -> None:
        self._column()
        stop = self.top if self.cursor.y >= self.top else 0
        self.cursor.y = max(self.cursor.y - (count or 1), stop)

    def cursor_down(self, count: int | None = None) -> None:
        self._column()
        stop = self.bottom if self.cursor.y <= self.bottom else self.lines - 1
        self.cursor.y = min(self.cursor.y + (count or 1), stop)

    def cursor_up1(self, count: int | None = None) -> None:
        self.cursor_up(count)
        self.cursor.x = 0

    def cursor_down1(self, count: int | None = None) -> None:
        self.cursor_down(count)
        self.cursor.x = 0

    def cursor_forward(self, count: int | None = None) -> None:
        self.cursor.x = min(self._column() + (count or 1), self.columns - 1)

    def cursor_back(self, count: int | None = None) -> None:
        self.cursor.x = max(self._column() - (count or 1), 0)

    def backspace(self) -> None:
        cursor = self.cursor
        reverse = modes.REVERSE_WRAP in self.mode and modes.AUTO_WRAP in self.mode
        if reverse and cursor.x == 0 and cursor.y > 0 and self._rows[cursor.y - 1].wrapped:
            cursor.y -= 1
            cursor.x = self.columns - 1
        elif reverse and cursor.x >= self.columns:
            cursor.x = self.columns - 1
        else:
            self.cursor_back()

    def cursor_to_column(self, column: int | None = None) -> None:
        self.cursor.x = min((column or 1) - 1, self.columns - 1)

    def cursor_to_line(self, line: int | None = None) -> None:
        self._column()
        origin = modes.ORIGIN in self.mode
        first, last = (self.top, self.bottom) if origin else (0, self.lines - 1)
        self.cursor.y = min(first + (line or 1) - 1, last)

    def cursor_position(self, line: int | None = None, column: int | None = None) -> None:
        self.cursor_to_line(line)
        self.cursor_to_column(column)

    def line_forward(self, count: int | None = None) -> None:
        """VPR: down, stopped by the bottom margin in origin mode only."""
        self._column()
        last = self.bottom if modes.ORIGIN in self.mode else self.lines - 1
        self.cursor.y = min(self.cursor.y + (count or 1), last)

    def line_back(self, count: int | None = None) -> None:
        """VPB: up, stopped by the top margin in origin mode only."""
        self._column()
        first = self.top if modes.ORIGIN in self.mode else 0
        self.cursor.y = max(self.cursor.y - (count or 1), first)

    def set_margins(self, top: int | None = None, bottom: int | None = None) -> None:
        """DECSTBM, counted from 1. A region of fewer than two lines is ignored."""
        first = (top or 1) - 1
        last = min(bottom or self.lines, self.lines) - 1
        if first < last:
            self.top, self.bottom = first, last
            self.cursor_position()

    def tab(self) -> None:
        self.forward_tab(1)

    def forward_tab(self, count: int | None = None) -> None:
        """CHT. A pending wrap stays pending."""
        x = self.cursor.x
        if x >= self.columns:
            return
        stops = sorted(stop for stop in self.tabstops if x < stop < self.columns)
        count = count or 1
        self.cursor.x = stops[count - 1] if count <= len(stops) else self.columns - 1

    def back_tab(self, count: int | None = None) -> None:
        """CBT."""
        x = self._column()
        stops = sorted((stop for stop in self.tabstops if stop < x), reverse=True)
        count = count or 1
        self.cursor.x = stops[count - 1] if count <= len(stops) else 0

    def set_tab_stop(self) -> None:
        self.tabstops.add(min(self.cursor.x, self.columns - 1))

    def clear_tab_stop(self, how: int | None = 0) -> None:
        if how == 3:
            self.tabstops = set()
        elif not how:
            self.tabstops.discard(min(self.cursor.x, self.columns - 1))

    def save_cursor(self) -> None:
        cursor = self.cursor
        self._saved[self.alternate_screen] = Saved(
            cursor.style,
            cursor.x,
            cursor.y,
            tuple(self._charsets),
            self.charset,
            modes.ORIGIN in self.mode,
        )

    def restore_cursor(self) -> None:
        saved = self._saved[self.alternate_screen]
        cursor = self.cursor
        cursor.x = min(saved.x, self.columns)
        cursor.y = min(saved.y, self.lines - 1)
        cursor.style = saved.style
        self._charsets = list(saved.charsets)
        self.charset = saved.charset
        (self.mode.add if saved.origin else self.mode.discard)(modes.ORIGIN)
        self._look_again()

    def ensure_hbounds(self) -> None:
        self._column()

    def ensure_vbounds(self, use_margins: bool | None = None) -> None:
        self.cursor.y = max(0, min(self.cursor.y, self.lines - 1))
