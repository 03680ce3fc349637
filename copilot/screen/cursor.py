"""The cursor: pyte's, with our style object in place of a `Char`."""

from __future__ import annotations

from typing import Protocol

from pyte.screens import Char
from pyte.screens import Cursor as PyteCursor

from copilot.screen import modes
from copilot.screen.charview import char
from copilot.screen.styles import TextStyle


class HasModes(Protocol):
    mode: set[int]


class TerminalCursor(PyteCursor):
    """`x == columns` means that the last column was written and the next character wraps."""

    __slots__ = ("_screen", "style")

    def __init__(self, screen: HasModes, style: TextStyle) -> None:
        self._screen = screen
        self.x = 0
        self.y = 0
        self.style = style

    @property
    def hidden(self) -> bool:  # type: ignore[override]
        return modes.CURSOR_SHOWN not in self._screen.mode

    @property
    def attrs(self) -> Char:  # type: ignore[override]
        """The pen as pyte's users know it."""
        return char(" ", self.style)
