"""The compact strip: the whole cockpit in two lines, for windows that have no room for panels."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from copilot.tui.describe import badge, question_line, subject_line
from copilot.tui.model import CockpitModel
from copilot.tui.text import clean_line, outside_line
from copilot.tui.widgets.detector_panel import chip
from copilot.tui.widgets.offers import OfferLine
from copilot.tui.widgets.reply_summary import counting_summary, reply_is_cut, reply_summary
from copilot.tui.widgets.risk_place import LEAST_MARKED
from copilot.tui.widgets.risk_text import judged_text, marked
from copilot.tui.widgets.showing import show_content

_BAR_CELLS = 24
"""Left for the countdown beside the reply and its risk."""


def strip_content(model: CockpitModel, now: float, width: int) -> Content:
    """Two lines: state and question; reply and risk, or the countdown."""
    first = _asked_line(model, now, width) if model.detection.asks else _state_line(model, now)
    second = counting_summary(model, now, width) if model.counting_down else reply_summary(model, width)
    return Content("\n").join(line.truncate(width, ellipsis=True) for line in (first, second))


def _state_line(model: CockpitModel, now: float) -> Content:
    state = badge(model, now)
    rule = f"  {clean_line(model.detection.rule)}" if model.detection.rule else ""
    return Content.assemble(chip(state), " ", outside_line(state.detail, f"${state.tone}"), (rule, "$quiet"))


def _asked_line(model: CockpitModel, now: float, width: int) -> Content:
    """What is asked about stays: the words round it give way to it, then the state's detail."""
    state, asked = badge(model, now), Content.styled(question_line(model.view), "bold")
    detail = outside_line(state.detail, f"${state.tone}")
    head = Content.assemble(chip(state), " ")
    about = _about(model, width - head.cell_length)
    lines = [
        head + Content("  ").join(part for part in parts if part)
        for parts in ([detail, asked], [detail, about], [asked], [about])
    ]
    return next((line for line in lines if line.cell_length <= width), lines[-1])


def _about(model: CockpitModel, room: int) -> Content:
    """The command itself; of one that is too long, the part that decides its risk."""
    about = Content.styled(subject_line(model.view), "bold")
    danger = model.view.danger
    if about.cell_length <= room or not danger.part or danger.level < LEAST_MARKED:
        return about
    return marked(judged_text(model.view), danger, most=room)


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
