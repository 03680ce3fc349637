"""The timeline: marks, states as coloured spans, risks, a ruler; the playhead over all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from copilot.engine.review import RunReview
from copilot.tui.describe import RISK_SHAPES, RISK_TONES, elapsed
from copilot.tui.replay.describe import (
    Sign,
    column_of,
    mark_cells,
    moment_of,
    risk_cells,
    state_cells,
)
from copilot.tui.replay.model import clock
from copilot.tui.text import show_content

FULL_LINES, SHORT_LINES = 4, 2
_TICK_CELLS = 12
"""A tick has at least so many cells."""
_STEPS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60, 120, 300, 600, 1200, 3600, 7200, 18_000, 36_000, 72_000)
"""Seconds between two ticks: round ones, above a minute round minutes and hours."""


def timeline_content(
    story: RunReview, at: float, width: int, lines: int, hits: Sequence[float] = ()
) -> Content:
    """The timeline, `lines` high. `hits` are moments at which a text was found."""
    head = column_of(at, story.duration, width)
    rows = [
        _row([(sign.shape, sign.tone) if sign else (" ", "") for sign in mark_cells(story, width)], head),
        _row([(sign.shape, sign.tone) for sign in state_cells(story, width)], head, bright=True),
    ]
    if lines >= FULL_LINES:
        risks = risk_cells(story, width)
        cells = [(" ", "") if risk is None else (RISK_SHAPES[risk], RISK_TONES[risk]) for risk in risks]
        for hit in hits:
            cells[column_of(hit, story.duration, width)] = ("╷", "warning")
        rows.append(_row(cells, -1))
        rows.append(_ruler(story.duration, head, width))
    return Content("\n").join(rows)


def _row(cells: Sequence[tuple[str, str]], head: int, *, bright: bool = False) -> Content:
    parts: list[tuple[str, str]] = []
    for column, (shape, tone) in enumerate(cells):
        style = f"${tone}" if tone else ""
        if column == head and (bright or not shape.strip()):
            parts.append(("┃", "bold $foreground") if bright else ("▼", "bold"))
        elif parts and parts[-1][1] == style and column != head + 1:
            parts[-1] = (parts[-1][0] + shape, style)
        else:
            parts.append((shape, style))
    return Content.assemble(*parts)


def _ruler(duration: float, head: int, width: int) -> Content:
    text = [" "] * width
    moments = ticks(duration, width)
    time_of = clock if any(at % 1 for at in moments) else elapsed
    for at in moments:
        column = column_of(at, duration, width)
        label = f"┴{time_of(at)}"
        if column < head < column + len(label):
            label = label[:1]  # The playhead stands in the time: half a time would be another one.
        if column + len(label) <= width:
            text[column : column + len(label)] = label
    line = "".join(text)
    return Content.assemble((line[:head], "$quiet"), ("▲", "bold"), (line[head + 1 :], "$quiet"))


def ticks(duration: float, width: int) -> list[float]:
    """The round moments that the ruler names, as many as have room."""
    step = next((step for step in _STEPS if step * width >= _TICK_CELLS * duration), duration)
    return [round(step * index, 1) for index in range(int(duration / step) + 1)] if step else [0.0]


def legend(signs: Sequence[Sign]) -> Content:
    return Content("  ").join(
        Content.assemble((sign.shape, f"${sign.tone}"), f" {sign.word}") for sign in signs
    )


class Timeline(Static):
    """Shows `timeline_content`; a click or a drag goes to the moment under the pointer."""

    @dataclass
    class Wanted(Message):
        """The person points at this moment."""

        at: float

    _story: RunReview | None = None

    def show(self, story: RunReview, at: float, hits: Sequence[float]) -> None:
        self._story = story
        width = max(10, self.content_size.width)
        lines = max(SHORT_LINES, self.content_size.height)
        show_content(self, timeline_content(story, at, width, lines, hits))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self.capture_mouse()
        self._point(event.x)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self.app.mouse_captured is self:
            self._point(event.x)

    def on_mouse_up(self) -> None:
        self.release_mouse()

    def _point(self, x: int) -> None:
        if self._story is not None:
            column = x - self.content_region.x + self.region.x
            self.post_message(self.Wanted(moment_of(column, self._story.duration, self.content_size.width)))
