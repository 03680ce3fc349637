"""The panels together; their edge towards the terminal can be dragged."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.containers import Container
from textual.message import Message


class SidePanels(Container):
    """Panels beside the terminal (their left edge is the handle) or below it (their upper edge)."""

    @dataclass
    class Dragged(Message):
        """The edge is wanted at this cell of the window: a column, or a line if the panels stand below."""

        position: int
        let_go: bool

    below = False
    """Whether the panels stand below the terminal."""
    fixed = False
    """Whether the edge cannot be moved now (the panel lies over the terminal)."""
    _dragging = False

    def _position(self, event: events.MouseEvent) -> int:
        return event.screen_y if self.below else event.screen_x

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """On the edge: from now on it follows the pointer."""
        edge = self.region.y if self.below else self.region.x
        if not self.fixed and self._position(event) == edge:
            self._dragging = True
            self.capture_mouse()
            event.stop()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """The edge follows."""
        if self._dragging:
            self.post_message(self.Dragged(self._position(event), let_go=False))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """The edge stays where it is."""
        if self._dragging:
            self._dragging = False
            self.release_mouse()
            self.post_message(self.Dragged(self._position(event), let_go=True))
