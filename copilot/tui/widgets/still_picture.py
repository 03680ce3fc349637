"""A screen of the child as it once stood: rows that do not change any more."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from textual.strip import Strip
from textual.widget import Widget

from copilot.screen.rows import Picture
from copilot.tui.themes import palette_of
from copilot.tui.widgets.paint import StripPainter

_LINES = " " + "".join(map(chr, range(0x2500, 0x2580)))
"""A frame or a rule that is cut off is no text that is missed."""


class StillPicture(Widget, inherit_bindings=False):
    """Draws pictures of rows; what does not fit is cut off at the bottom, at the right with an ellipsis."""

    DEFAULT_CSS = "StillPicture { height: auto; width: 1fr; }"

    def __init__(self, rows: Sequence[Picture] = (), *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows = tuple(rows)
        self._painter: StripPainter | None = None

    def on_mount(self) -> None:
        """The colours of the theme."""
        self._painter = StripPainter(palette_of(self.app.current_theme))

    def show(self, rows: Sequence[Picture]) -> None:
        """Show other rows."""
        self.rows = tuple(rows)
        self.refresh(layout=True)

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        """One line for each row."""
        return max(1, len(self.rows))

    def render_line(self, y: int) -> Strip:
        """One row."""
        painter, width = self._painter, self.size.width
        if painter is None or y >= len(self.rows):
            return Strip.blank(width)
        row = self.rows[y]
        strip, plain = painter.strip(row, painter.runs(row)), painter.default.rich
        if strip.crop(width).text.strip(_LINES):
            cut = strip.crop(0, width - 1).adjust_cell_length(width - 1, plain)
            return Strip.join([cut, Strip([Segment("…", plain)], 1)])
        return strip.adjust_cell_length(width, plain)
