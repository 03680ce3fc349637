"""The timeline strip: the run so far in one line. A click on a mark leads back to that moment."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from copilot.tui.describe import elapsed
from copilot.tui.run_line import Moment, RunLine
from copilot.tui.text import show_content
from copilot.tui.widgets.timeline import Scale, nearest_mark, timeline_content


class RunTimeline(Static):
    """Shows a `RunLine`."""

    @dataclass
    class Chosen(Message):
        """A mark was clicked."""

        moment: Moment

    _line: RunLine | None = None
    _scale = Scale(0.0, 1.0, 1)
    _before = 0

    def show(self, line: RunLine, now: float) -> None:
        """Show the run as it stands at `now`, if that differs from what is shown."""
        head = Content.styled("run ", "$quiet")
        tail_cells = 11
        self._line, self._before = line, head.cell_length
        self._scale = line.scale(now, self.size.width - self._before - tail_cells)
        body = timeline_content(line.spans(now), line.marks(), self._scale)
        tail = Content.styled(f" {f'to {elapsed(self._scale.ends)}':>{tail_cells - 1}}", "$quiet")
        show_content(self, Content.assemble(head, body, tail), layout=False)

    def on_click(self, event: events.Click) -> None:
        """Back to the moment under the pointer."""
        if self._line is None:
            return
        cell = event.x - self.gutter.left - self._before
        mark = nearest_mark(self._line.marks(), self._scale, cell)
        if mark is not None:
            self.post_message(self.Chosen(next(one for one in self._line.moments if one.mark is mark)))
