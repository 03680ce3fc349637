"""The status bar: profile, autonomy, replies sent, time, cost, run folder; a note for a few seconds."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import PurePath

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.widgets import Static

from copilot.core.screen_kinds import ScreenKind
from copilot.tui.describe import (
    badge,
    count,
    elapsed,
    in_words,
    model_name,
    money,
    question_line,
    subject_line,
)
from copilot.tui.layout import Form
from copilot.tui.model import CockpitModel
from copilot.tui.run_line import Moment
from copilot.tui.text import badge_style, clean_line, outside_line, show_content
from copilot.tui.themes import LEVEL_SHAPES
from copilot.tui.widgets.detector_panel import chip
from copilot.tui.widgets.key_bar import KeyHints
from copilot.tui.widgets.reply_summary import counting_summary, reply_is_cut, reply_summary
from copilot.tui.widgets.risk_text import LEAST_MARKED, judged_text, marked


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
    risk = model.view.risk
    if about.cell_length <= room or not risk.part or risk.level < LEAST_MARKED:
        return about
    return marked(judged_text(model.view), risk, most=room)


class CompactStrip(Static):
    """Shows `strip_content`."""

    cuts_reply = False
    """Whether the rest of the reply is to be read in the panel only."""

    def show(self, model: CockpitModel, now: float) -> None:
        width = max(20, self.size.width)
        self.cuts_reply = reply_is_cut(model, width)
        show_content(self, strip_content(model, now, width), layout=False)

    def on_click(self) -> None:
        self.post_message(KeyHints.Chosen("focus_reply"))


_WIDEST_LABEL = 32
"""A longer label pushes its own question aside, not those of all."""
MOST_LINES = 6
LEAST_AWAY_SECONDS = 5.0


def away_content(moments: Iterable[Moment], left_at: float, now: float) -> Content | None:
    """What was decided since `left_at`, the newest last; None if nothing was."""
    happened = [moment for moment in moments if moment.mark.at >= left_at]
    if not happened or now - left_at < LEAST_AWAY_SECONDS:
        return None
    head = [("while you were away", "bold $primary"), (f"  {in_words(now - left_at)}", "$quiet")]
    more = len(happened) - MOST_LINES
    if more > 0:
        head.append((f"  and {more} before these", "$quiet"))
    shown = happened[-MOST_LINES:]
    width = min(_WIDEST_LABEL, max(cell_len(clean_line(moment.mark.label)) for moment in shown))
    return Content("\n").join(
        [Content.assemble(*head), *(_moment_line(moment, now, width) for moment in shown)]
    )


def _moment_line(moment: Moment, now: float, width: int) -> Content:
    """One moment; questions begin in one column behind labels of at most `width` cells."""
    mark = moment.mark
    ago = f"{in_words(now - mark.at):>10} ago  "
    parts = [Content.styled(ago, "$quiet"), Content.styled(f"{mark.shape} ", f"bold ${mark.tone}")]
    parts.append(outside_line(mark.label, "bold"))
    if moment.asked:
        after = " " * max(2, 2 + width - parts[-1].cell_length)
        parts += [Content(after), outside_line(moment.asked, "$quiet")]
    return Content.assemble(*parts)


class AwayBox(Static):
    """What happened while the person was away; hidden while there is nothing to show."""

    BORDER_SUBTITLE = "any key closes this"

    def show(self, content: Content) -> None:
        self.update(content)
        self.display = True

    def close(self) -> bool:
        """Out of sight. True if it was in sight."""
        shown, self.display = self.display, False
        return bool(shown)

    def on_mount(self) -> None:
        self.display = False

    def on_click(self) -> None:
        self.display = False


_WORDS_FROM_COLUMNS = 100
"""From this width on one line that is all of ours says the level in a word as well."""
_LEAST_PART = 12
"""Fewer cells of a cut part say nothing."""


def status_content(
    model: CockpitModel, now: float, width: int, note: str = "", *, alone: bool = False
) -> Content:
    """The bar's one line. `alone`: the badge is nowhere else in sight, so it is here; where something is
    asked, with the reply and its risk, to which all but the level gives way."""
    if alone and not note and model.at_issue:
        return _asked_content(model, now, width)
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
        parts.append(Content.styled("DRY RUN", badge_style("accent")))
    if view.plan_step:
        parts.append(outside_line(f"plan {view.plan_step}"))
    parts += [Content(f"sent {view.steps}/{view.max_steps}"), Content(elapsed(now))]
    spent = money(view.cost_usd) + (f" {count(view.tokens)} tok" if view.tokens else "")
    parts.append(Content(spent))
    if view.provider == "rules":
        parts.append(Content.styled("offline rules", "$quiet"))
    elif view.model or view.provider:
        parts.append(outside_line(model_name(view.model) or view.provider, "$quiet"))
    wanted = len(clean_line(note)) + 3 if note else 0
    while len(parts) > (1 if note else 2) and sep.join(parts).cell_length + wanted > width:
        parts.pop()
    left = sep.join(parts)
    room = width - left.cell_length - 3
    right = _right(view.run_folder, note, room)
    gap = max(1 if right.cell_length else 0, width - left.cell_length - right.cell_length)
    return Content.assemble(left, " " * gap, right).truncate(width, ellipsis=True)


def _asked_content(model: CockpitModel, now: float, width: int) -> Content:
    """State, level, and what would be sent."""
    state, level = badge(model, now), LEVEL_SHAPES[model.view.autonomy]
    if width >= _WORDS_FROM_COLUMNS:
        level += f" {model.view.autonomy.value}"
    head = Content.assemble(chip(state), " ", outside_line(state.detail, f"${state.tone}"), f" {level}  ")
    if model.view.dry_run:
        head += Content.styled("DRY RUN", badge_style("accent")) + "  "
    return (head + reply_summary(model, width - head.cell_length)).truncate(width, ellipsis=True)


def line_content(model: CockpitModel, now: float, width: int, note: str, leader: str) -> Content:
    """All of ours in one line: state, level, what would be sent; at its end the way to the keys."""
    state = badge(model, now)
    level = LEVEL_SHAPES[model.view.autonomy]
    if width >= _WORDS_FROM_COLUMNS:
        level += f" {model.view.autonomy.value}"
    right = Content.assemble((f" {leader} ", "bold $accent"), ("keys", "$quiet"))
    parts = [Content.assemble(chip(state), " ", outside_line(state.detail, f"${state.tone}"), f" {level}")]
    room = width - right.cell_length
    if note:
        taken = sum(part.cell_length + 2 for part in parts)
        parts.append(fitted_note(clean_line(note), max(_LEAST_PART, room - taken)))
    elif model.counting_down:
        parts.append(Content.styled("any key stops it", "bold $accent"))
    if not note and (model.counting_down or model.at_issue or model.view.stale):
        parts.append(reply_summary(model, room - sum(part.cell_length + 2 for part in parts)))
    elif not note and model.needs_person and model.detection.kind is ScreenKind.UNKNOWN:
        say = model.offers.get("label", "")
        parts.append(Content.assemble((say, "bold $primary"), (" says what it is" if say else "", "$quiet")))
    before = Content("  ").join(parts[:-1]).cell_length + 2
    if len(parts) > 1 and room - before < min(_LEAST_PART, parts[-1].cell_length):
        parts.pop()
    left = Content("  ").join(parts).truncate(room, ellipsis=True)
    return Content.assemble(left, " " * max(0, width - left.cell_length - right.cell_length), right)


def _right(run_folder: str, note: str, room: int) -> Content:
    if note:
        return fitted_note(clean_line(note), max(24, room))
    return Content.styled(short_folder(clean_line(run_folder), os.environ.get("HOME", ""), room), "$quiet")


def fitted_note(note: str, room: int) -> Content:
    """A note in so many cells: what one can do, which comes last, is whole as long as it fits."""
    style = "bold $accent"
    text, mark, hint = note.rpartition(" · ") if " · " in note else note.rpartition("; ")
    left = room - cell_len(mark + hint)
    if cell_len(note) <= room or left < _LEAST_PART:
        return Content.styled(note, style).truncate(room, ellipsis=True)
    return Content.styled(text, style).truncate(left, ellipsis=True) + Content.styled(mark + hint, style)


def short_folder(folder: str, home: str, room: int) -> str:
    """As much of the end of `folder` as fits into `room` cells; nothing if not even its name does."""
    home = home.rstrip("/")
    if home and folder.startswith(f"{home}/"):
        folder = f"~{folder[len(home) :]}"
    parts = PurePath(folder).parts
    ends = (f"…/{'/'.join(parts[first:])}" for first in range(1, len(parts)))
    return next((shown for shown in (folder, *ends) if cell_len(shown) <= room), "")


class StatusBar(Static):
    """Shows `status_content`."""

    note = ""
    link = ""
    """Where the link under the pointer leads; it takes the place of a note."""
    alone = False
    """Whether the badge is nowhere else in sight; set by what covers or hides the panel with it."""
    leader = ""
    """Set where this line is all that is ours."""

    def take_form(self, form: Form, leader: str) -> None:
        """Say as much as that form asks for; `leader` is the leader as it is shown."""
        self.alone = form is Form.BARE
        self.leader = leader if form is Form.LINE else ""

    def show(self, model: CockpitModel, now: float) -> None:
        width, note = max(20, self.size.width), self.link or self.note
        if self.leader:
            content = line_content(model, now, width, note, self.leader)
        else:
            content = status_content(model, now, width, note, alone=self.alone)
        show_content(self, content, layout=False)

    def on_click(self, event: events.Click) -> None:
        """A click on the level opens its choice; one at the end of a one-line form shows the keys."""
        shown, column = self.content, event.x - self.gutter.left
        if not isinstance(shown, Content):
            return
        if self.leader and column >= shown.plain.rfind(f" {self.leader} "):
            self.post_message(KeyHints.Chosen("leader"))
            return
        for level, shape in LEVEL_SHAPES.items():
            word = f"{shape} {level.value}"
            if self.leader and word not in shown.plain:
                word = shape
            start = shown.plain.find(word)
            if 0 <= start <= column < start + len(word):
                self.post_message(KeyHints.Chosen("autonomy"))
