"""`TerminalScreen`: the emulated screen of a coding CLI."""

from __future__ import annotations

import codecs

from copilot.core.snapshot import Cursor, ScreenSnapshot
from copilot.screen import modes
from copilot.screen.events import ScreenEvent
from copilot.screen.keys import KeyModes
from copilot.screen.pointer import PointerModes
from copilot.screen.resizing import Resizing
from copilot.screen.sequences import numbers
from copilot.screen.tokens import GROUND, TOKENS, Machine
from copilot.widths import KNOWN, is_narrow

SLICE = 16 * 1024
"""Characters that are tokenised in one go."""
MOST_POSITIONS = 8192


POSITIONS: dict[str, tuple[int, ...]] = {}
"""Parameters of CUP already read, as line and column counted from 0."""


COUNTS = {"": 1, "0": 1} | {str(count): count for count in range(1, 1000)}
"""Parameters of relative moves."""


def position(parameters: str) -> tuple[int, ...]:
    """The parameters of CUP; empty if they are no numbers."""
    values = numbers(parameters)
    if not values:
        return ()
    result = max(values[0] - 1, 0), max(values[1] - 1, 0) if len(values) > 1 else 0
    if len(POSITIONS) >= MOST_POSITIONS:
        POSITIONS.clear()
    if len(parameters) <= 12:
        POSITIONS[parameters] = result
    return result


class TerminalScreen(Resizing):
    """A terminal of `columns` by `lines` cells that keeps `scrollback` rows of what scrolled away.

    A `pyte.Screen` to those who read one. `feed` takes bytes as they come, cut anywhere, and never
    raises for any of them. Without `answer_program_status` it keeps silent when the child asks whether it
    knows OSC 7501, as most terminals do.
    """

    def __init__(
        self, columns: int, lines: int, scrollback: int = 1000, *, answer_program_status: bool = True
    ) -> None:
        super().__init__(columns, lines, scrollback)
        self.answer_program_status = answer_program_status
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._machine = Machine(self)
        self._last: ScreenSnapshot | None = None

    def feed(self, data: bytes) -> None:
        """Take output of the child."""
        text = self._decode(data)
        for start in range(0, len(text), SLICE):
            piece = text[start : start + SLICE]
            while piece:
                piece = self._run(piece) if self._machine.state == GROUND else self._resume(piece)

    def _resume(self, text: str) -> str:
        """Let the machine read on; returns what follows the sequence."""
        rest = self._machine.push(text)
        if self._machine.state == GROUND:
            self.last_drawn = ""
        return rest

    def _run(self, text: str) -> str:  # noqa: C901, PLR0912, PLR0915  the hot path: one loop, few calls
        """Carry out all that is well-formed; returns what follows the first sequence that is not."""
        tokens = TOKENS(text)
        first = tokens[0]
        repeatable = (
            self.last_drawn if not first[0] and not first[1] and (first[4] == "b" or first[6]) else ""
        )
        self.last_drawn = ""
        columns, last_row = self.columns, self.lines - 1
        cursor, rows = self.cursor, self._rows
        careful, origin = self._careful, self._from_origin
        x, y, row, style = cursor.x, cursor.y, rows[cursor.y], cursor.style
        for sgr, run, after, parameters, final, other, rest in tokens:
            if sgr:
                style = cursor.style = style.next.get(sgr) or self._styles.follow(style, sgr)
            if run:
                end = x + len(run)
                if (
                    end <= columns
                    and not careful
                    and (run.isascii() or run in KNOWN or is_narrow(run))
                    and (row.plain or row.open(x, end))
                ):
                    if row.length == x:
                        row.pieces += (run, style)
                        row.length = end
                    elif 0 <= row.length < x:
                        row.append(x, run, style)
                    else:
                        if row.length >= 0:
                            row.spread()
                        cells = row.cells
                        if x >= len(cells):
                            row.pad(x)
                            cells += run
                            row.pens += [style] * (end - x)
                        elif end - x == 1:
                            cells[x] = run
                            row.pens[x] = style
                        else:
                            cells[x:end] = run
                            row.pens[x:end] = [style] * (end - x)
                    row.picture = None
                    x = end
                else:
                    cursor.x, cursor.y = x, y
                    self._draw(run)
                    x, y, careful = cursor.x, cursor.y, self._careful
                    row = rows[y]
            if after:
                style = cursor.style = style.next.get(after) or self._styles.follow(style, after)
                continue
            if final:
                if (
                    final == "H"
                    and (place := POSITIONS.get(parameters) or position(parameters))
                    and not origin
                ):
                    y = place[0] if place[0] < last_row else last_row
                    x = place[1] if place[1] < columns else columns - 1
                    row = rows[y]
                    continue
                if final in "ABCG" and (count := COUNTS.get(parameters)):
                    if final == "C":
                        x += count
                    elif final == "G":
                        x = count - 1
                    elif final == "B":
                        stop = self.bottom if y <= self.bottom else last_row
                        y = y + count if y + count < stop else stop
                    else:
                        stop = self.top if y >= self.top else 0
                        y = y - count if y - count > stop else stop
                    x = x if x < columns else columns - 1
                    row = rows[y]
                    continue
                if (final == "h" or final == "l") and (mode := modes.QUIET_NAMES.get(parameters)):
                    (self.mode.add if final == "h" else self.mode.discard)(mode)
                    continue
                if final == "K" and parameters in "2":
                    x = x if x < columns else columns - 1
                    if row.plain and style.background == "default":
                        row.cut(0 if parameters else x)
                    else:
                        row.fill(0 if parameters else x, columns, self._styles.erased(style), columns)
                    row.wrapped = False
                    continue
            elif other == "\r\n":
                x = 0
                if y == self.bottom or y == last_row:
                    cursor.y = y
                    self._index()
                else:
                    y += 1
                row = rows[y]
                continue
            elif other == "\r":
                x = 0
                continue
            elif not other and not rest:
                continue
            cursor.x, cursor.y = x, y
            if rest:
                self.last_drawn = run[-1:] or repeatable
                return self._resume(rest)
            if final == "b":
                self.last_drawn, repeatable = run[-1:] or repeatable, ""
            if final:
                self.on_csi(parameters, final)
            elif other:
                self._on_other(other)
            self.last_drawn = ""
            cursor, rows = self.cursor, self._rows
            careful, origin = self._careful, self._from_origin
            x, y, row, style = cursor.x, cursor.y, rows[cursor.y], cursor.style
        cursor.x, cursor.y = x, y
        if len(tokens) > 1 and tokens[-2][2:] == ("", "", "", "", ""):
            self.last_drawn = tokens[-2][1][-1:]
        return ""

    def _on_other(self, other: str) -> None:
        """A control character, an escape or an OSC sequence."""
        if other[0] != "\x1b":
            self.on_control(other)
        elif other[1] != "]":
            self.on_escape(other[1:])
        elif other[-1] == "\x07":
            self.on_osc(other[2:-1], "\x07")
        else:
            self.on_osc(other[2:-2], "\x1b\\")

    @property
    def key_modes(self) -> KeyModes:
        """What keys must be encoded by (`copilot.screen.keys`)."""
        return KeyModes(
            application_cursor=modes.CURSOR_KEYS in self.mode,
            new_line=modes.NEW_LINE in self.mode,
            modify_other_keys=self.modify_other_keys,
            kitty=self.keyboard.flags,
        )

    @property
    def pointer_modes(self) -> PointerModes:
        """What mouse and focus must be encoded by (`copilot.screen.pointer`)."""
        tracking = self.mode & modes.MOUSE_KINDS
        return PointerModes(
            tracking=max(tracking) >> 5 if tracking else 0,
            sgr=modes.MOUSE_SGR in self.mode,
            focus=modes.FOCUS in self.mode,
            wheel_as_arrows=modes.WHEEL_AS_ARROWS in self.mode and self.alternate_screen,
        )

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


__all__ = ["TerminalScreen"]
