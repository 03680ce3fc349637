"""What a terminal remembers: two grids of rows, scrollback, cursor, modes, margins, tab stops, charsets."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from pyte.screens import Margins, Screen

from copilot.core.snapshot import ProgramStatus
from copilot.screen import modes
from copilot.screen.charview import BufferView
from copilot.screen.cursor import TerminalCursor
from copilot.screen.events import ScreenEvent
from copilot.screen.keyboard_stack import KeyboardStack
from copilot.screen.rows import Row, blank_row
from copilot.screen.scrollback import PackedRow
from copilot.screen.styles import Styles, TextStyle
from copilot.screen.theme import Theme

MOST_EVENTS = 1000
MOST_REPLIES = 64 * 1024
"""Bytes of answers that wait; a child that asks and never reads gets no more."""


class Saved(NamedTuple):
    """What DECSC saves and DECRC brings back."""

    style: TextStyle
    x: int = 0
    y: int = 0
    charsets: tuple[dict[int, int] | None, ...] = (None, None, None, None)
    charset: int = 0
    origin: bool = False


class ScreenState(Screen):
    """pyte's attributes on our storage. Sizes in cells, everything counted from 0."""

    cursor: TerminalCursor
    mode: set[int]

    def __init__(self, columns: int, lines: int, scrollback: int = 1000) -> None:
        self.columns = max(columns, 1)
        self.lines = max(lines, 1)
        self.theme = Theme()
        self.scrollback: deque[Row | PackedRow] = deque(maxlen=max(scrollback, 0))
        self.scrolled_total = 0
        """Rows that have ever left the top of the main screen."""
        self._packed_until = 0
        self._styles = Styles()
        self._replies: list[bytes] = []
        self._reply_bytes = 0
        self._events: deque[ScreenEvent] = deque(maxlen=MOST_EVENTS)
        self._seen_pictures: list[int] = []
        self._dirty: set[int] = set()
        self.title = ""
        self.reset()

    def reset(self) -> None:
        """RIS: everything as at the start."""
        self._main = [Row() for _ in range(self.lines)]
        self._alternate = [Row() for _ in range(self.lines)]
        self._rows = self._main
        self.scrollback.clear()
        self._saved = [Saved(self._styles.plain), Saved(self._styles.plain)]
        self._keyboards = [KeyboardStack(), KeyboardStack()]
        self.modify_other_keys = 0
        self._titles: list[str] = []
        self.icon_name = ""
        self.title = ""
        self.progress: int | None = None
        self.program_status: ProgramStatus | None = None
        self.cursor_shape = 0
        self.last_drawn = ""
        """The character that ended the stream so far, if no control followed it (for REP)."""
        self.cursor = TerminalCursor(self, self._styles.plain)
        self.tabstops = set(range(8, self.columns, 8))
        self._soft_reset()

    def _soft_reset(self) -> None:
        """The part of a reset that DECSTR shares."""
        self.mode = set(modes.INITIAL)
        self.cursor.style = self._styles.plain
        self.top = 0
        self.bottom = self.lines - 1
        self._charsets: list[dict[int, int] | None] = [None] * 4
        self.charset = 0
        self._single_shift = 0
        self._look_again()

    def _look_again(self) -> None:
        """After a change of modes or charsets: may text be written by slices, or with care?"""
        self._from_origin = modes.ORIGIN in self.mode
        self._careful = (
            modes.INSERT in self.mode or self._charsets[self.charset] is not None or self._single_shift > 0
        )

    @property
    def alternate_screen(self) -> bool:
        return self._rows is self._alternate

    @property
    def keyboard(self) -> KeyboardStack:
        """The kitty keyboard flags of the grid that is shown."""
        return self._keyboards[self.alternate_screen]

    @property
    def margins(self) -> Margins | None:  # type: ignore[override]
        if self.top == 0 and self.bottom == self.lines - 1:
            return None
        return Margins(self.top, self.bottom)

    @property
    def buffer(self) -> BufferView:  # type: ignore[override]
        """The visible rows as pyte's users read them; made on demand, read only."""
        return BufferView(lambda: self._rows, self.columns)

    @property
    def display(self) -> list[str]:
        return [row.picture_of(self.columns).text for row in self._rows]

    @property
    def dirty(self) -> set[int]:  # type: ignore[override]
        """Rows that have changed since they were last looked at here; the user empties the set."""
        numbers = [row.picture_of(self.columns).number for row in self._rows]
        before = self._seen_pictures
        self._dirty.update(y for y, now in enumerate(numbers) if y >= len(before) or now != before[y])
        self._seen_pictures = numbers
        return self._dirty

    def visible_row(self, line: int) -> Row:
        """Row `line` of the screen, 0 at the top."""
        return self._rows[line]

    @property
    def _erasing(self) -> TextStyle:
        """The style that erased cells take: the pen's background (BCE)."""
        return self._styles.erased(self.cursor.style)

    def _blank(self) -> Row:
        return blank_row(self._erasing, self.columns)

    def reply(self, answer: str) -> None:
        """Answer the child."""
        data = answer.encode()
        if self._reply_bytes + len(data) <= MOST_REPLIES:
            self._replies.append(data)
            self._reply_bytes += len(data)

    def write_process_input(self, data: str) -> None:
        self.reply(data)

    def tell(self, event: ScreenEvent) -> None:
        """Tell the application."""
        self._events.append(event)
