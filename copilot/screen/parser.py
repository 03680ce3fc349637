"""The parser: bytes in, UTF-8 decoded, tokens carried out. The hot path of the terminal."""

from __future__ import annotations

import codecs

from copilot.screen.modes import QUIET_NAMES, SYNCHRONIZED
from copilot.screen.sequences import Sequences, numbers
from copilot.screen.terminal import Terminal
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


class Parser:
    """Feeds a terminal. It reads the same however the bytes are cut."""

    def __init__(self, terminal: Terminal) -> None:
        self._grid = terminal.grid
        self._modes = terminal.modes
        self._writer = terminal.writer
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._sequences = Sequences(terminal)
        self.machine = Machine(self._sequences)

    def feed(self, data: bytes) -> None:
        text = self.decoder.decode(data)
        for start in range(0, len(text), SLICE):
            piece = text[start : start + SLICE]
            while piece:
                piece = self._run(piece) if self.machine.state == GROUND else self._resume(piece)

    def _resume(self, text: str) -> str:
        """Let the machine read on; returns what follows the sequence."""
        rest = self.machine.push(text)
        if self.machine.state == GROUND:
            self._writer.last_drawn = ""
        return rest

    def _run(self, text: str) -> str:  # noqa: C901, PLR0912, PLR0915  the hot path: one loop, few calls
        """Carry out all that is well-formed; returns what follows the first sequence that is not."""
        grid, modes, writer = self._grid, self._modes, self._writer
        tokens = TOKENS(text)
        first = tokens[0]
        repeatable = (
            writer.last_drawn if not first[0] and not first[1] and (first[4] == "b" or first[6]) else ""
        )
        writer.last_drawn = ""
        columns, last_row = grid.columns, grid.lines - 1
        cursor, rows, follow = grid.cursor, grid.rows, grid.styles.follow
        careful, origin = modes.careful, modes.origin
        x, y, row, style = cursor.x, cursor.y, rows[cursor.y], cursor.style
        for sgr, run, after, parameters, final, other, rest in tokens:
            if sgr:
                style = cursor.style = style.next.get(sgr) or follow(style, sgr)
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
                        row.strike(x, run)
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
                    writer.write(run)
                    x, y, careful = cursor.x, cursor.y, modes.careful
                    row = rows[y]
            if after:
                style = cursor.style = style.next.get(after) or follow(style, after)
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
                        stop = grid.bottom if y <= grid.bottom else last_row
                        y = y + count if y + count < stop else stop
                    else:
                        stop = grid.top if y >= grid.top else 0
                        y = y - count if y - count > stop else stop
                    x = x if x < columns else columns - 1
                    row = rows[y]
                    continue
                if (final == "h" or final == "l") and (mode := QUIET_NAMES.get(parameters)):
                    (modes.numbers.add if final == "h" else modes.numbers.discard)(mode)
                    if mode == SYNCHRONIZED and final == "l":
                        grid.begin_frame()
                    continue
                if final == "K" and parameters in "2":
                    x = x if x < columns else columns - 1
                    if row.plain and style.clears:
                        row.cut(0 if parameters else x)
                    else:
                        row.fill(0 if parameters else x, columns, grid.styles.erased(style), columns)
                    row.wrapped = False
                    continue
            elif other == "\r\n":
                x = 0
                if y == grid.bottom or y == last_row:
                    cursor.y = y
                    grid.next_row()
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
                writer.last_drawn = run[-1:] or repeatable
                return self._resume(rest)
            if final == "b":
                writer.last_drawn, repeatable = run[-1:] or repeatable, ""
            if final:
                self._sequences.on_csi(parameters, final)
            elif other:
                self._on_other(other)
            writer.last_drawn = ""
            rows, careful, origin = grid.rows, modes.careful, modes.origin
            x, y, row, style = cursor.x, cursor.y, rows[cursor.y], cursor.style
        cursor.x, cursor.y = x, y
        if len(tokens) > 1 and tokens[-2][2:] == ("", "", "", "", ""):
            writer.last_drawn = tokens[-2][1][-1:]
        return ""

    def _on_other(self, other: str) -> None:
        """A control character, an escape or an OSC sequence."""
        if other[0] != "\x1b":
            self._sequences.on_control(other)
        elif other[1] != "]":
            self._sequences.on_escape(other[1:])
        elif other[-1] == "\x07":
            self._sequences.on_osc(other[2:-1], "\x07")
        else:
            self._sequences.on_osc(other[2:-2], "\x1b\\")
