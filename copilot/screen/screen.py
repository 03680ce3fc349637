"""`TerminalScreen`: the emulated screen of a coding CLI."""

from __future__ import annotations

import codecs

from copilot.core.snapshot import Cursor, ScreenSnapshot
from copilot.screen import modes
from copilot.screen.events import ScreenEvent
from copilot.screen.sequences import Sequences, numbers
from copilot.screen.styles import DEFAULT
from copilot.screen.tokens import GROUND, TOKENS, Machine
from copilot.screen.widths import narrow

SLICE = 16 * 1024
"""Characters that are tokenised in one go."""


class TerminalScreen(Sequences):
    """A terminal of `columns` by `lines` cells that keeps `scrollback` rows of what scrolled away.

    A `pyte.Screen` to those who read one. `feed` takes bytes as they come, cut anywhere, and never
    raises for any of them.
    """

    def __init__(self, columns: int, lines: int, scrollback: int = 1000) -> None:
        super().__init__(columns, lines, scrollback)
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._machine = Machine(self)
        self._last: ScreenSnapshot | None = None

    def feed(self, data: bytes) -> None:
        """Take output of the child."""
        text = self._decode(data)
        for start in range(0, len(text), SLICE):
            piece = text[start : start + SLICE]
            while piece:
                piece = self._run(piece) if self._machine.state == GROUND else self._machine.push(piece)

    def _run(self, text: str) -> str:
        """Carry out all that is well-formed; returns what the machine must read."""
        cursor = self.cursor
        for run, sgr, parameters, final, other in TOKENS(text):
            if run:
                self._text(run)
            if sgr:
                style = cursor.style
                cursor.style = style.next.get(sgr) or self._styles.follow(style, sgr)
            elif final:
                self.on_csi(parameters, final)
            elif other:
                if other == "\r\n":
                    cursor.x = 0
                    self.linefeed()
                elif other[0] != "\x1b":
                    self.on_control(other)
                elif len(other) > 1 and other[1] not in "[]P_X^":
                    self.on_escape(other[1:])
                elif other[1:2] == "]" and (other[-1] == "\x07" or other.endswith("\x1b\\")) and other.find(
                    "\x1b", 1, -2
                ) < 0:
                    end = other[-1] if other[-1] == "\x07" else "\x1b\\"
                    self.on_osc(other[2 : -len(end)], end)
                else:
                    return self._machine.push(other)
            cursor = self.cursor
        return ""

    def _text(self, run: str) -> None:
        cursor = self.cursor
        row = self._rows[cursor.y]
        end = cursor.x + len(run)
        if end <= self.columns and row.plain and not self._careful and narrow(run):
            row.pad(cursor.x)
            row.chars[cursor.x : end] = run
            row.styles[cursor.x : end] = [cursor.style] * len(run)
            row.picture = None
            cursor.x = end
            self.last_drawn = run
        else:
            self._draw(run)

    def resize(self, columns: int | None = None, lines: int | None = None) -> None:  # type: ignore[override]
        """Change the size, in cells. (pyte has the two the other way round.)"""
        columns, lines = max(columns or self.columns, 1), max(lines or self.lines, 1)
        if (columns, lines) == (self.columns, self.lines):
            return
        for rows in (self._main, self._alternate):
            while len(rows) > lines:
                if rows[-1].chars or rows is self._rows and self.cursor.y == len(rows) - 1:
                    gone = rows.pop(0)
                    if rows is self._main:
                        self._keep(gone)
                    if rows is self._rows:
                        self.cursor.y = max(self.cursor.y - 1, 0)
                else:
                    rows.pop()
            while len(rows) < lines:
                rows.append(type(rows[0])([], []))
            for row in rows:
                row.cut(columns)
                row.picture = None
        self.tabstops |= set(range(self.columns - self.columns % 8, columns, 8)) - {0}
        self.columns, self.lines = columns, lines
        self.top, self.bottom = 0, lines - 1
        self.cursor.x = min(self.cursor.x, columns - 1)
        self.cursor.y = min(self.cursor.y, lines - 1)

    def take_replies(self) -> bytes:
        """What the terminal answers the child; to be written in one go, before any painting."""
        replies = b"".join(self._replies)
        self._replies.clear()
        self._reply_bytes = 0
        return replies

    def take_events(self) -> tuple[ScreenEvent, ...]:
        """What the child told the application since the last call, oldest first."""
        events = tuple(self._events)
        self._events.clear()
        return events

    @property
    def synchronized(self) -> bool:
        """Inside a synchronized update: the frame is half drawn."""
        return modes.SYNCHRONIZED in self.mode

    @property
    def revision(self) -> int:
        return self.snapshot().revision

    def snapshot(self) -> ScreenSnapshot:
        """The screen as it is. Rows that did not change are shared; no change, the same object."""
        columns = self.columns
        pictures = [row.picture_of(columns) for row in self._rows]
        cursor = self.cursor
        new = ScreenSnapshot(
            columns=columns,
            lines=tuple([picture.text for picture in pictures]),
            characters=tuple([picture.characters for picture in pictures]),
            styles=tuple([picture.styles for picture in pictures]),
            cursor=Cursor(cursor.y, min(cursor.x, columns - 1), not cursor.hidden),
            title=self.title,
            alternate_screen=self.alternate_screen,
            wrapped=tuple([picture.wrapped for picture in pictures]),
            synchronized=modes.SYNCHRONIZED in self.mode,
            bracketed_paste=modes.BRACKETED_PASTE in self.mode,
            application_cursor_keys=modes.CURSOR_KEYS in self.mode,
            program_status=self.program_status,
            progress=self.progress,
            revision=self._last.revision if self._last else 0,
        )
        if new != self._last:
            if self._last is not None:
                object.__setattr__(new, "revision", new.revision + 1)
            self._last = new
        assert self._last is not None
        return self._last


__all__ = ["DEFAULT", "TerminalScreen", "numbers"]
