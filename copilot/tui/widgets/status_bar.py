"""The status bar: profile, autonomy, steps, time, cost, run folder; a note for a few seconds."""

from __future__ import annotations

from pathlib import PurePath

from textual import events
from textual.content import Content
from textual.widgets import Static

from copilot.core.decision import Autonomy
from copilot.tui.describe import badge, count, elapsed, model_name, money
from copilot.tui.layout import Form
from copilot.tui.model import CockpitModel
from copilot.tui.text import clean_line, outside_line
from copilot.tui.widgets.detector_panel import chip
from copilot.tui.widgets.offers import OfferLine
from copilot.tui.widgets.reply_text import reply_summary

LEVEL_SHAPES = {Autonomy.WATCH: "○○○", Autonomy.SUGGEST: "●○○", Autonomy.ASSIST: "●●○", Autonomy.FULL: "●●●"}


def status_content(
    model: CockpitModel, now: float, width: int, note: str = "", *, alone: bool = False
) -> Content:
    """The bar's one line. `alone`: nothing else is shown, so the badge stands here."""
    view = model.view
    sep = Content.styled(" │ ", "$rule")
    parts = [
        outside_line(view.profile, "bold $primary"),
        Content.styled(f"{LEVEL_SHAPES[view.autonomy]} {view.autonomy.value}", "bold"),
    ]
    if alone:
        state = badge(model, now)
        parts.insert(0, Content.assemble(chip(state), " ", outside_line(state.detail, f"${state.tone}")))
    if view.dry_run:
        parts.append(Content.styled("DRY RUN", "bold $on-badge on $accent"))
    if view.plan_step:
        parts.append(outside_line(f"plan {view.plan_step}"))
    parts += [Content(f"step {view.steps}/{view.max_steps}"), Content(elapsed(now))]
    spent = money(view.cost_usd) + (f" {count(view.tokens)} tok" if view.tokens else "")
    parts.append(Content(spent))
    if view.provider == "rules":
        parts.append(Content.styled("offline rules", "$quiet"))
    elif view.model or view.provider:
        parts.append(outside_line(model_name(view.model) or view.provider, "$quiet"))
    least, wanted = (2, len(clean_line(note)) + 3) if note else (4, 0)
    while len(parts) > least and sep.join(parts).cell_length + wanted > width:
        parts.pop()
    left = sep.join(parts)
    room = width - left.cell_length - 3
    right = _right(view.run_folder, note, room)
    gap = max(1, width - left.cell_length - right.cell_length)
    return Content.assemble(left, " " * gap, right).truncate(width, ellipsis=True)


def line_content(model: CockpitModel, now: float, width: int, note: str, leader: str) -> Content:
    """All of ours in one line: state, level, what would be sent; at its end the way to the keys."""
    state = badge(model, now)
    level = LEVEL_SHAPES[model.view.autonomy]
    right = Content.assemble((f" {leader} ", "bold $accent"), ("keys", "$quiet"))
    parts = [Content.assemble(chip(state), " ", outside_line(state.detail, f"${state.tone}"), f" {level}")]
    if note:
        parts.append(outside_line(note, "bold $accent"))
    elif model.counting_down:
        parts.append(Content.styled("any key stops it", "bold $accent"))
        parts.append(reply_summary(model))
    elif model.at_issue or model.view.stale:
        parts.append(reply_summary(model))
    left = Content("  ").join(parts).truncate(width - right.cell_length, ellipsis=True)
    return Content.assemble(left, " " * max(0, width - left.cell_length - right.cell_length), right)


def _right(run_folder: str, note: str, room: int) -> Content:
    if note:
        return Content.styled(clean_line(note), "bold $accent").truncate(max(24, room), ellipsis=True)
    folder = clean_line(run_folder)
    if len(folder) > room:
        folder = f"…/{PurePath(folder).name}"
    return Content.styled(folder, "$quiet") if 0 < len(folder) <= room else Content("")


class StatusBar(Static):
    """Shows `status_content`."""

    note = ""
    link = ""
    """Where the link under the pointer leads; it stands in the place of a note."""
    alone = False
    leader = ""
    """Set where this line is all that is ours."""

    def take_form(self, form: Form, leader: str) -> None:
        """Say as much as that form asks for; `leader` is the leader as it is shown."""
        self.alone = form is Form.BARE
        self.leader = leader if form is Form.LINE else ""

    def show(self, model: CockpitModel, now: float) -> None:
        """Show the model as it stands at `now`, if that differs from what is shown."""
        width, note = max(20, self.size.width - 2), self.link or self.note
        if self.leader:
            content = line_content(model, now, width, note, self.leader)
        else:
            content = status_content(model, now, width, note, alone=self.alone)
        shown = self.content
        if not (isinstance(shown, Content) and content.is_same(shown)):
            self.update(content, layout=False)

    def on_click(self, event: events.Click) -> None:
        """The level is chosen where it is told; a line that is all we have leads to the keys at its end."""
        shown, column = self.content, event.x - self.gutter.left
        if not isinstance(shown, Content):
            return
        if self.leader and column >= shown.plain.rfind(f" {self.leader} "):
            self.post_message(OfferLine.Chosen("leader"))
            return
        for level, shape in LEVEL_SHAPES.items():
            told = shape if self.leader else f"{shape} {level.value}"
            start = shown.plain.find(told)
            if 0 <= start <= column < start + len(told):
                self.post_message(OfferLine.Chosen("autonomy"))
