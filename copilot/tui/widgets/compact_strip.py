"""The compact strip: the whole cockpit in two lines, for windows that have no room for panels."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from copilot.tui.describe import badge, question_line
from copilot.tui.model import CockpitModel
from copilot.tui.text import clean_line, outside_line
from copilot.tui.widgets.detector_panel import chip
from copilot.tui.widgets.offers import OfferLine
from copilot.tui.widgets.reply_text import JUST_ENTER, countdown_content, reply_summary
from copilot.tui.widgets.showing import show_content


def strip_content(model: CockpitModel, now: float, width: int) -> Content:
    """Two lines: state and question; reply and risk, or the countdown."""
    state = badge(model, now)
    asked = question_line(model.view) if model.detection.asks else ""
    first = Content.assemble(chip(state), " ", outside_line(state.detail, f"${state.tone}"))
    if asked:
        first = Content.assemble(first, "  ", (asked, "bold"))
    elif model.detection.rule:
        first = Content.assemble(first, (f"  {clean_line(model.detection.rule)}", "$quiet"))
    if model.counting_down:
        reply = clean_line(str(model.view.proposal.reply)) or JUST_ENTER if model.view.proposal else ""
        shown = Content(f"◆ {reply}").truncate(max(12, width - 45), ellipsis=True)
        bar = countdown_content(model, now, width - shown.cell_length - 2)
        second = Content.assemble((shown.plain, "bold"), "  ", bar)
    else:
        second = reply_summary(model)
    return Content("\n").join(line.truncate(width, ellipsis=True) for line in (first, second))


class CompactStrip(Static):
    """Shows `strip_content`."""

    def show(self, model: CockpitModel, now: float) -> None:
        """Show the model as it stands at `now`."""
        show_content(self, strip_content(model, now, max(20, self.size.width)), layout=False)

    def on_click(self) -> None:
        """To the panel, where all of it stands."""
        self.post_message(OfferLine.Chosen("focus_reply"))
