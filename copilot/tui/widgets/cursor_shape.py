"""The child's cursor: its shape as asked for by DECSCUSR, in focus or not, blinking or not.

The default (0) is a steady block: a cursor blinks only if the child asks for it, and then not for ever, so
that an idle session costs nothing.
"""

from __future__ import annotations

from copilot.screen import TerminalScreen, modes
from copilot.tui.widgets.overlays import Overlays
from copilot.tui.widgets.paint import Overlay

BLINK_SECONDS = 0.5
_MOST_BLINKS = 40
_BLINKING = frozenset({1, 3, 5})
_UNDERLINES, _BARS = (3, 4), (5, 6)
BAR = "▏"


def cursor_shape(shape: int, overlays: Overlays, *, focused: bool, blank: bool) -> tuple[Overlay, str]:
    """What is laid over the cursor's cell, and the character drawn there instead of its own, if any.

    A bar is drawn where the cell is blank; over a character it would hide it, so the cell is tinted instead.
    """
    if not focused:
        return overlays.cursor_faint, ""
    if shape in _UNDERLINES:
        return overlays.cursor_underline, ""
    if shape in _BARS:
        return (overlays.cursor_bar, BAR) if blank else (overlays.cursor_faint, "")
    return overlays.cursor_block, ""


class CursorBlink:
    """Whether a blinking cursor is shown at the moment. Any drawing shows it; after a while it rests."""

    def __init__(self) -> None:
        self.shown = True
        self._left = 0

    def restart(self, screen: TerminalScreen) -> bool:
        """The child drew. True if the cursor blinks from now on."""
        self.shown = True
        self._left = _MOST_BLINKS if _blinks(screen) else 0
        return self._left > 0

    def tick(self, screen: TerminalScreen) -> bool:
        """Half a period has passed. False if the cursor now rests, shown."""
        self._left -= 1
        if self._left <= 0 or not _blinks(screen):
            self.shown = True
            return False
        self.shown = not self.shown
        return True


def _blinks(screen: TerminalScreen) -> bool:
    shape = screen.cursor_shape
    return shape in _BLINKING or (shape == 0 and modes.CURSOR_BLINK in screen.mode)
