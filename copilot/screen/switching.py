"""Modes, the alternate screen, charsets, soft reset."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from copilot.screen import modes
from copilot.screen.charsets import SETS, SLOTS
from copilot.screen.drawing import Drawing
from copilot.screen.rows import Row
from copilot.screen.sgr import PROTECTED
from copilot.screen.state import Saved


class Switching(Drawing):
    """What `CSI ... h`, `CSI ... l` and their like switch. The width never changes."""

    def set_mode(self, *numbers: int, **kwargs: Any) -> None:
        shift = 5 if kwargs.get("private") else 0
        for number in numbers:
            self._switch(number << shift, True)

    def reset_mode(self, *numbers: int, **kwargs: Any) -> None:
        shift = 5 if kwargs.get("private") else 0
        for number in numbers:
            self._switch(number << shift, False)

    def _switch(self, mode: int, on: bool) -> None:
        if mode in modes.ALTERNATE:
            self._switch_screen(mode, on)
        elif mode == modes.SAVED_CURSOR:
            self.save_cursor() if on else self.restore_cursor()
        elif mode == modes.COLUMN_SWITCH:
            self._forget_screen()
        elif mode in modes.KNOWN:
            (self.mode.add if on else self.mode.discard)(mode)
            if mode in modes.QUIET:
                return
            if mode == modes.ORIGIN:
                self.cursor_position()
            elif mode == modes.REVERSE_SCREEN:
                self._repaint()
            elif mode in modes.MOUSE_KINDS and on:
                self.mode -= modes.MOUSE_KINDS - {mode}
            self._look_again()

    def _forget_screen(self) -> None:
        """DECCOLM clears the screen; the width, which is not the child's to choose, stays."""
        self.top, self.bottom = 0, self.lines - 1
        self.erase_in_display(2)
        self.cursor_position()

    def _repaint(self) -> None:
        for row in self._rows:
            row.picture = None

    def _switch_screen(self, mode: int, on: bool) -> None:
        if on == self.alternate_screen:
            if mode == modes.private(1049) and not on:
                self.restore_cursor()
            return
        if on:
            if mode == modes.private(1049):
                self.save_cursor()
            self._rows = self._alternate
            if mode == modes.private(1049):
                self._clear_alternate()
        else:
            if mode == modes.private(1047):
                self._clear_alternate()
            self._rows = self._main
            if mode == modes.private(1049):
                self.restore_cursor()
        self.mode -= modes.ALTERNATE
        if on:
            self.mode.add(mode)

    def bring_back_last(self) -> bool:
        """Once the program has ended: show the alternate screen again that it left, if all else is empty.

        A program that draws whole screens takes them away, and what it said last. True if it is shown.
        """
        if (
            self.alternate_screen
            or self.scrollback
            or self._says(self._main)
            or not self._says(self._alternate)
        ):
            return False
        self._rows = self._alternate
        return True

    def _says(self, rows: Iterable[Row]) -> bool:
        """Whether anything is to be read in these rows."""
        return any(row.picture_of(self.columns).text.strip() for row in rows)

    def _clear_alternate(self) -> None:
        for row in self._alternate:
            row.wrapped = False
            row.fill(0, self.columns, self._erasing, self.columns)

    def soft_reset(self) -> None:
        """DECSTR."""
        kept = self.mode & modes.ALTERNATE
        self._soft_reset()
        self.mode |= kept
        self._saved[self.alternate_screen] = Saved(self._styles.plain)

    def define_charset(self, code: str, mode: str) -> None:
        self._charsets[SLOTS.index(mode)] = SETS.get(code)
        self._look_again()

    def shift_to(self, charset: int) -> None:
        """SI, SO, LS2, LS3."""
        self.charset = charset
        self._look_again()

    def shift_in(self) -> None:
        self.shift_to(0)

    def shift_out(self) -> None:
        self.shift_to(1)

    def single_shift(self, charset: int) -> None:
        """SS2, SS3: for one character."""
        self._single_shift = charset
        self._look_again()

    def select_graphic_rendition(self, *attrs: int, **kwargs: Any) -> None:
        text = ";".join(map(str, attrs))
        self.cursor.style = self._styles.follow(self.cursor.style, text + "m")

    def protect(self, how: int) -> None:
        """DECSCA: 1 protects what is drawn from selective erasure."""
        foreground, background, flags, colour, link = self.cursor.style.attributes
        flags = flags | PROTECTED if how == 1 else flags & ~PROTECTED
        self.cursor.style = self._styles.intern((foreground, background, flags, colour, link))

    def link_to(self, target: str) -> None:
        """OSC 8: what is drawn from now on links to `target`; empty ends it."""
        self.cursor.style = self._styles.intern((*self.cursor.style.attributes[:4], target))
