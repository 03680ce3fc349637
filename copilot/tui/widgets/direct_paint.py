"""Rows of the terminal straight to the driver, where nothing lies over them.

Textual's compositor asks every container behind a widget for all its lines, and paints up to a sixtieth of
a second later: two thirds of a frame's time, and most of an echo's. What is written here is what it would
write, and it keeps no copy of what was drawn, so both ways mix. Bound to the pinned version of Textual.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, ConsoleOptions, RenderResult
from textual._compositor import CompositorUpdate
from textual.geometry import Offset
from textual.strip import Strip
from textual.widget import Widget


class RowsUpdate(CompositorUpdate):
    """Some whole rows of one widget."""

    def __init__(self, offset: Offset, rows: Sequence[int], strips: Sequence[Strip]) -> None:
        self._offset = offset
        self._rows = rows
        self._strips = strips

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """For Rich, that takes it for something to print."""
        for strip in self._strips:
            yield from strip

    def render_segments(self, console: Console) -> str:
        """What the terminal is sent."""
        x, y = self._offset.x + 1, self._offset.y + 1
        lines = zip(self._rows, self._strips, strict=True)
        return "".join([f"\x1b[{y + row};{x}H{strip.render(console)}" for row, strip in lines])


def place_of(widget: Widget) -> Offset | None:
    """Where the widget stands if all of it is on top; None if Textual has to put the picture together."""
    app, screen = widget.app, widget.screen
    if app.screen is not screen or app.is_inline or app._batch_count or screen._layout_required:
        return None
    shown = screen._compositor.visible_widgets
    place = shown.get(widget)
    if place is None or not place[1].contains_region(place[0]):
        return None
    region = place[0]
    for other, (area, clip) in shown.items():
        if other is widget:
            break
        if region.overlaps(area.intersection(clip)):
            return None
    return region.offset
