"""The parts of a terminal together, and what concerns several: resets, modes, the alternate screen.

All parts share one grid, one cursor and one set of modes, which are never replaced.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from copilot.screen import modes as m
from copilot.screen.events import Outbox
from copilot.screen.grid import Grid, Saved
from copilot.screen.modes import Modes
from copilot.screen.motion import Motion
from copilot.screen.osc import OscCommands
from copilot.screen.query_replies import Answers
from copilot.screen.rows import Row
from copilot.screen.styles import DEFAULT
from copilot.screen.writer import Writer


class Terminal:
    """The parts by name. The width is never the child's to change."""

    def __init__(self, columns: int, lines: int, scrollback: int, answer_program_status: bool) -> None:
        self.modes = Modes()
        self.grid = Grid(columns, lines, scrollback, self.modes)
        self.outbox = Outbox()
        self.motion = Motion(self.grid, self.modes)
        self.writer = Writer(self.grid, self.modes)
        self.answers = Answers(self.grid, self.modes, self.outbox)
        self.osc = OscCommands(self.writer, self.answers, self.outbox, answer_program_status)

    def reset(self) -> None:
        """RIS: everything as at the start."""
        self.modes.reset()
        self.grid.reset()
        self.osc.reset()
        self.writer.last_drawn = ""

    def soft_reset(self) -> None:
        """DECSTR."""
        self.modes.soft_reset()
        self.grid.soft_reset()
        self.grid.saved[self.grid.on_alternate] = Saved(self.grid.styles.plain)

    def set_mode(self, *numbers: int, **kwargs: Any) -> None:
        for number in numbers:
            self._switch(m.private(number) if kwargs.get("private") else number, True)

    def reset_mode(self, *numbers: int, **kwargs: Any) -> None:
        for number in numbers:
            self._switch(m.private(number) if kwargs.get("private") else number, False)

    def _switch(self, mode: int, on: bool) -> None:
        if mode in m.ALTERNATE:
            self._switch_screen(mode, on)
        elif mode == m.SAVED_CURSOR:
            self.motion.save_cursor() if on else self.motion.restore_cursor()
        elif mode == m.COLUMN_SWITCH:
            self._switch_columns()
        elif mode in m.KNOWN:
            self.modes.switch(mode, on)
            if mode == m.ORIGIN:
                self.motion.cursor_position()
            elif mode == m.REVERSE_SCREEN:
                self._repaint()
            elif mode in m.MOUSE_KINDS and on:
                self.modes.numbers -= m.MOUSE_KINDS - {mode}

    def _switch_columns(self) -> None:
        """DECCOLM clears the screen; the width stays."""
        self.grid.forget_margins()
        self.grid.erase_in_display(2)
        self.motion.cursor_position()

    def _repaint(self) -> None:
        for row in self.grid.rows:
            row.picture = None

    def _switch_screen(self, mode: int, on: bool) -> None:
        grid, with_cursor = self.grid, mode == m.private(1049)
        if on == grid.on_alternate:
            if with_cursor and not on:
                self.motion.restore_cursor()
            return
        if on:
            self._show_alternate(with_cursor)
        else:
            if mode == m.private(1047):
                grid.clear_alternate()
            grid.rows = grid.main
            if with_cursor:
                self.motion.restore_cursor()
        self.modes.numbers -= m.ALTERNATE
        if on:
            self.modes.numbers.add(mode)

    def _show_alternate(self, with_cursor: bool) -> None:
        if with_cursor:
            self.motion.save_cursor()
        self.grid.rows = self.grid.alternate
        if with_cursor:
            self.grid.clear_alternate()

    def bring_back_last(self) -> bool:
        """Show the alternate screen again, if all else is empty. True if it is shown."""
        grid = self.grid
        if grid.on_alternate or grid.scrollback or self._has_text(grid.main):
            return False
        if not self._has_text(grid.alternate):
            return False
        grid.rows = grid.alternate
        return True

    def _has_text(self, rows: Iterable[Row]) -> bool:
        return any(row.picture_of(self.grid.columns).text.strip() for row in rows)

    def alignment_display(self) -> None:
        """DECALN: the screen full of E."""
        grid = self.grid
        grid.forget_margins()
        self.modes.switch(m.ORIGIN, False)
        grid.cursor.x = grid.cursor.y = 0
        for row in grid.rows:
            row.replace(["E"] * grid.columns, [DEFAULT] * grid.columns)
