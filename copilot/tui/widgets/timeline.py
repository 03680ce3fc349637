"""A run as one line: states as spans, of a height and colour each, and what was decided as marks over them.

Pure drawing, for the live cockpit and for replay alike. A cell shows the weightiest state of its stretch of
time, so that a short hold in a long run is never lost; of several marks in one cell the weightiest.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from copilot.tui.describe import elapsed
from copilot.tui.text import badge_style, show_content

if TYPE_CHECKING:
    from copilot.tui.run_line import Moment, RunLine


class SpanKind(enum.IntEnum):
    """What went on, the lightest first: in a cell that holds several the last of them shows."""

    NOTHING = 0
    READY = 1
    WORKING = 2
    ASKING = 3
    TYPING = 4
    COUNTING_DOWN = 5
    HELD = 6
    ENDED = 7


SPAN_LOOKS: dict[SpanKind, tuple[str, str]] = {
    SpanKind.NOTHING: ("╌", "rule"),
    SpanKind.READY: ("▁", "success"),
    SpanKind.WORKING: ("▃", "primary"),
    SpanKind.ASKING: ("▅", "primary"),
    SpanKind.TYPING: ("▆", "accent"),
    SpanKind.COUNTING_DOWN: ("▇", "accent"),
    SpanKind.HELD: ("█", "warning"),
    SpanKind.ENDED: ("■", "quiet"),
}
"""Shape and theme variable of each kind: the higher, the more it concerns a person."""
_HELD_SHAPE = "▲"


@dataclass(frozen=True, slots=True)
class Span:
    """One state from `start` to `end`, seconds of the run."""

    start: float
    end: float
    kind: SpanKind


@dataclass(frozen=True, slots=True)
class Mark:
    """Something at one moment. `tone` is a theme variable; of two in one cell the greater `weight` shows."""

    at: float
    shape: str
    tone: str
    label: str = ""
    weight: int = 0


@dataclass(frozen=True, slots=True)
class Scale:
    """Which cell a moment falls into: `width` cells for the time from `begins` to `ends`."""

    begins: float
    ends: float
    width: int

    def cell(self, at: float) -> int:
        """The cell of a moment; moments outside fall into the first and the last."""
        length = self.ends - self.begins
        share = (at - self.begins) / length if length > 0 else 0.0
        return max(0, min(self.width - 1, int(share * self.width)))

    def moment(self, cell: int) -> float:
        """The middle of a cell's stretch of time."""
        return self.begins + (cell + 0.5) / max(1, self.width) * (self.ends - self.begins)


def timeline_content(
    spans: Iterable[Span],
    marks: Iterable[Mark],
    scale: Scale,
    *,
    chosen: Mark | None = None,
    now: float | None = None,
) -> Content:
    """The line. `chosen` is a mark shown as picked; `now` a moment that is pointed at (a replay's)."""
    kinds = _kinds(spans, scale)
    at_cells = _weightiest(marks, scale)
    if chosen is not None:
        at_cells[scale.cell(chosen.at)] = chosen
    pointed = None if now is None else scale.cell(now)
    unmarked = _unmarked_holds(kinds, at_cells)
    parts: list[tuple[str, str]] = []
    for cell, kind in enumerate(kinds):
        shape, tone = SPAN_LOOKS[kind]
        style = f"${tone}"
        if cell in unmarked:
            # White among the cells of its hold, in which its colour would vanish.
            among = SpanKind.HELD in kinds[cell + 1 : cell + 2] + kinds[max(0, cell - 1) : cell]
            shape, style = _HELD_SHAPE, f"bold ${'foreground' if among else tone}"
        mark = at_cells.get(cell)
        if mark is not None:
            # A mark has the colour of its event, but that of a hold would vanish in a held span.
            vanishes = kind is SpanKind.HELD and mark.tone == tone
            shape, style = mark.shape, f"bold ${'foreground' if vanishes else mark.tone}"
            if mark is chosen:
                style = badge_style(mark.tone)
        if cell == pointed:
            style = f"{style} reverse"
        if parts and parts[-1][1] == style:
            parts[-1] = (parts[-1][0] + shape, style)
        else:
            parts.append((shape, style))
    return Content.assemble(*parts)


def _kinds(spans: Iterable[Span], scale: Scale) -> list[SpanKind]:
    kinds = [SpanKind.NOTHING] * scale.width
    for span in spans:
        if span.end < scale.begins or span.start > scale.ends:
            continue
        for cell in range(scale.cell(span.start), scale.cell(span.end) + 1):
            kinds[cell] = max(kinds[cell], span.kind)
    return kinds


def _unmarked_holds(kinds: Sequence[SpanKind], marks: Mapping[int, Mark]) -> set[int]:
    """The first free cell of each hold that no decision marks: height and colour alone do not show it."""
    found = set()
    for start, kind in enumerate(kinds):
        if kind is not SpanKind.HELD or (start and kinds[start - 1] is SpanKind.HELD):
            continue
        cells = list(takewhile(lambda cell: kinds[cell] is SpanKind.HELD, range(start, len(kinds))))
        free = [cell for cell in cells if cell not in marks]
        if free and all(marks[cell].shape != _HELD_SHAPE for cell in cells if cell in marks):
            found.add(free[0])
    return found


def _weightiest(marks: Iterable[Mark], scale: Scale) -> dict[int, Mark]:
    found: dict[int, Mark] = {}
    for mark in marks:
        if not scale.begins <= mark.at <= scale.ends:
            continue
        cell = scale.cell(mark.at)
        if cell not in found or mark.weight >= found[cell].weight:
            found[cell] = mark
    return found


def nearest_mark(marks: Sequence[Mark], scale: Scale, cell: int, *, reach: int = 2) -> Mark | None:
    """The mark in a cell, or the nearest at most `reach` cells away: what a click there means."""
    near = [(abs(scale.cell(mark.at) - cell), -mark.weight, mark.at, mark) for mark in marks]
    within = [one for one in near if one[0] <= reach]
    return min(within, key=lambda one: one[:3])[3] if within else None


class RunTimeline(Static):
    """Shows a `RunLine`. A click on a mark leads back to that moment."""

    @dataclass
    class Chosen(Message):
        """A mark was clicked."""

        moment: Moment

    _line: RunLine | None = None
    _scale = Scale(0.0, 1.0, 1)
    _before = 0

    def show(self, line: RunLine, now: float) -> None:
        """Show the run up to `now`, if that differs from what is shown."""
        head = Content.styled("run ", "$quiet")
        tail_cells = 11
        self._line, self._before = line, head.cell_length
        self._scale = line.scale(now, self.size.width - self._before - tail_cells)
        body = timeline_content(line.spans(now), line.marks(), self._scale)
        tail = Content.styled(f" {f'to {elapsed(self._scale.ends)}':>{tail_cells - 1}}", "$quiet")
        show_content(self, Content.assemble(head, body, tail), layout=False)

    def on_click(self, event: events.Click) -> None:
        if self._line is None:
            return
        cell = event.x - self.gutter.left - self._before
        mark = nearest_mark(self._line.marks(), self._scale, cell)
        if mark is not None:
            self.post_message(self.Chosen(next(one for one in self._line.moments if one.mark is mark)))
