"""Looking back at one moment of the run, and from there to the others. The session goes on meanwhile."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from textual import events
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from copilot.core.risk import Risk
from copilot.screen.rows import Picture
from copilot.tui.describe import elapsed, in_words
from copilot.tui.run_line import Moment
from copilot.tui.screens.dialog import Dialog
from copilot.tui.text import clean_line, outside_line
from copilot.tui.themes import palette_of
from copilot.tui.widgets.paint import StripPainter
from copilot.tui.widgets.risk_text import risk_chip, risk_content
from copilot.tui.widgets.timeline import Scale, Span, timeline_content

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
        self._painter = StripPainter(palette_of(self.app.current_theme))

    def show(self, rows: Sequence[Picture]) -> None:
        self.rows = tuple(rows)
        self.refresh(layout=True)

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        return max(1, len(self.rows))

    def render_line(self, y: int) -> Strip:
        painter, width = self._painter, self.size.width
        if painter is None or y >= len(self.rows):
            return Strip.blank(width)
        row = self.rows[y]
        strip, plain = painter.strip(row, painter.runs(row)), painter.default.rich
        if strip.crop(width).text.strip(_LINES):
            cut = strip.crop(0, width - 1).adjust_cell_length(width - 1, plain)
            return Strip.join([cut, Strip([Segment("…", plain)], 1)])
        return strip.adjust_cell_length(width, plain)


_PADDED_FROM_COLUMNS = 100
"""In narrower windows an old screen of 80 columns needs all of the page."""


def moment_content(moment: Moment, number: int, total: int, now: float) -> Content:
    """When it was, what was asked, what was decided and why."""
    mark = moment.mark
    head = Content.assemble(
        (f"{mark.shape} ", f"bold ${mark.tone}"),
        outside_line(mark.label, "bold"),
        (f"   at {elapsed(mark.at)}, {in_words(now - mark.at)} ago", "$quiet"),
        (f"   {number + 1} of {total}", "$quiet"),
    )
    lines = [head]
    if moment.asked:
        lines.append(outside_line(moment.asked))
    decision = moment.decision
    if decision is not None:
        lines.append(_risks(decision.risk, moment.risk, decision.reason))
        lines.append(
            Content.assemble(
                ("≡ why ", "$quiet"),
                clean_line(decision.reason),
                (f"  ({clean_line(decision.rule)})", "$quiet"),
            )
        )
    return Content("\n").join(lines)


def _risks(risk: Risk, risk_of_yes: Risk, reason: str) -> Content:
    """The risk of what was decided, and of a yes where that is more; its reason once."""
    own = risk_chip(risk) if risk.reason and risk.reason in reason else risk_content(risk)
    if risk_of_yes.level <= risk.level:
        return own
    return Content.assemble(own, ("   saying yes: ", "$quiet"), risk_content(risk_of_yes))


def without_blank_end(screen: Sequence[Picture]) -> tuple[Picture, ...]:
    """The rows up to the last one in which something is written."""
    written = [number for number, row in enumerate(screen) if row.text.strip()]
    return tuple(screen[: written[-1] + 1]) if written else ()


class MomentScreen(Dialog[None], inherit_bindings=False):
    """The arrows lead from mark to mark, Esc back to the live session."""

    def __init__(self, moments: Sequence[Moment], number: int, spans: Sequence[Span], now: float) -> None:
        super().__init__()
        self.moments = tuple(moments)
        self.number = number
        self._spans = tuple(spans)
        self._now = now

    def compose(self) -> ComposeResult:
        """The line of the run, what was decided, and the screen of then."""
        with Container(classes="page") as page:
            page.border_title = "looking back · the session runs on"
            page.border_subtitle = "Esc closes · ←→ other moments · ↑↓ scroll"
            yield Static(id="moment-line")
            yield Static(id="moment-text")
            with VerticalScroll(id="moment-screen"):
                yield StillPicture(id="moment-picture")

    def on_mount(self) -> None:
        self.query_one("#moment-screen").focus()
        self.call_after_refresh(self._show)

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width < _PADDED_FROM_COLUMNS, "-narrow")
        self.call_after_refresh(self._show)

    def _show(self) -> None:
        moment = self.moments[self.number]
        line = self.query_one("#moment-line", Static)
        scale = Scale(0.0, max(1.0, self._now), max(10, line.size.width))
        marks = [one.mark for one in self.moments]
        line.update(timeline_content(self._spans, marks, scale, chosen=moment.mark))
        text = moment_content(moment, self.number, len(self.moments), self._now)
        self.query_one("#moment-text", Static).update(text)
        self.query_one(StillPicture).show(without_blank_end(moment.screen))
        self.call_after_refresh(self._to_the_end)

    def _to_the_end(self) -> None:
        """What is asked is at the end of a screen."""
        self.query_one("#moment-screen").scroll_end(animate=False, immediate=True)

    def on_key(self, event: events.Key) -> None:
        if event.key in ("escape", "q"):
            event.stop()
            self.dismiss(None)
        elif event.key in ("left", "right", "h", "l", "home", "end"):
            event.stop()
            last = len(self.moments) - 1
            steps = {"home": -last, "end": last, "left": -1, "h": -1}
            self.number = max(0, min(last, self.number + steps.get(event.key, 1)))
            self._show()
