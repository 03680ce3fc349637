"""The compact strip: the whole cockpit in two lines, for windows that have no room for panels."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from copilot.tui.describe import badge, question_line
from copilot.tui.model import CockpitModel
from copilot.tui.text import clean_line, outside_line
from copilot.tui.widgets.detector_panel import chip
from copilot.tui.widgets.offers import OfferLine
from copilot.tui.widgets.reply_summary import counting_summary, reply_is_cut, reply_summary
from copilot.tui.widgets.showing import show_content

_BAR_CELLS = 24
"""Left for the countdown beside the reply and its risk."""


def strip_content(model: CockpitModel, now: float, width: int) -> Content:
    """Two lines: state and question; reply and risk, or the countdown."""
    state = badge(model, now)
    asked = question_line(model.view) if model.detection.asks else ""
    first = Content.assemble(chip(state), " ", outside_line(state.detail, f"${state.tone}"))
    if asked:
        first = Content.assemble(first, "  ", (asked, "bold"))
    elif model.detection.rule:
        first = Content.assemble(first, (f"  {clean_line(model.detection.rule)}", "$quiet"))
    second = counting_summary(model, now, width) if model.counting_down else reply_summary(model, width)
    return Content("\n").join(line.truncate(width, ellipsis=True) for line in (first, second))


class CompactStrip(Static):
    """Shows `strip_content`."""

    cuts_reply = False
    """Whether the rest of the reply is to be read in the panel only."""

    def show(self, model: CockpitModel, now: float) -> None:
        """Show the model as it stands at `now`."""
        width = max(20, self.size.width)
        self.cuts_reply = reply_is_cut(model, width)
        show_content(self, strip_content(model, now, width), layout=False)

    def on_click(self) -> None:
        """To the panel, where all of it stands."""
        self.post_message(OfferLine.Chosen("focus_reply"))
