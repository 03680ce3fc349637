"""The cursor: pyte's, with our style object in place of a `Char`."""

from __future__ import annotations

from pyte.screens import Char
from pyte.screens import Cursor as PyteCursor

from copilot.screen.charview import char
from copilot.screen.styles import TextStyle


class TerminalCursor(PyteCursor):
    """`x == columns` means that the last column was written and the next character wraps."""

    __slots__ = ("style",)

    def __init__(self, style: TextStyle) -> None:
        self.x = 0
        self.y = 0
        self.hidden = False
        self.style = style

    @property
    def attrs(self) -> Char:  # type: ignore[override]
        """The pen as pyte's users know it."""
        return char(" ", self.style)
