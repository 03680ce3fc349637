"""The detector panel: what the screen is, since when, and on what evidence."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual.content import Content
from textual.widgets import Static

from copilot.core.plan_progress import of_plan_command
from copilot.core.screen_kinds import ScreenKind
from copilot.core.states import RunState
from copilot.tui.describe import SOURCE_WORDS, Badge, badge, question_line
from copilot.tui.model import CockpitModel
from copilot.tui.text import badge_style, clean_line, hanging, outside_line, rows_of, show_content
from copilot.tui.widgets.key_bar import KeyHints


@dataclass(frozen=True, slots=True)
class Mark:
    """A shape for the edge of a row, and the theme variable of its colour."""

    shape: str
    colour: str
    at_right: str
    """The shape at the right edge: what points, points at the row."""


EVIDENCE_MARK = Mark("▌", "warning", "▐")
PROPOSED_MARK = Mark("◆", "accent", "◆")
SENDING_MARK = Mark("▶", "accent", "◀")
PICKED_MARK = Mark("▸", "accent", "◂")
"""Of an option that the person marks in place of the proposed one. All three are the panels' own shapes."""


_BEFORE_LABEL = re.compile(r"^[\s│┃|>❯›▶●○◯◉*\-]*(\(?[0-9a-zA-Z][.):]\s+)?(\[[ xX✔✓]\]\s*)?")
"""What may come before a label on its row: box edge, pointer, number, tick."""


def row_of_label(label: str, rows: Sequence[int], row_text: Callable[[int], str]) -> int | None:
    """The one row of the option `label`; None if it is not plain which."""
    wanted = " ".join(label.split())
    texts = {
        row: " ".join(_BEFORE_LABEL.sub("", row_text(row), count=1).rstrip(" │┃|").split()) for row in rows
    }
    exact = [row for row, text in texts.items() if text == wanted]
    if len(exact) == 1:
        return exact[0]
    begun = [
        row
        for row, text in texts.items()
        if text and (text.startswith(wanted + " ") or _runs_on(text, wanted))
    ]
    return begun[0] if len(begun) == 1 and not exact else None


def _runs_on(text: str, label: str) -> bool:
    """Whether the row holds the first part of a label that was wrapped."""
    return len(text) > 12 and label.startswith(text)


def _choice_mark(model: CockpitModel, index: int) -> Mark:
    if model.counting_down or model.view.state is RunState.ANSWERING:
        return SENDING_MARK
    return PROPOSED_MARK if index == model.proposed_index() else PICKED_MARK


@dataclass(frozen=True, slots=True)
class Evidence:
    """Rows that are marked. `choice` is that of the marked option."""

    rows: frozenset[int] = frozenset()
    choice: int | None = None
    choice_mark: Mark = PROPOSED_MARK

    @classmethod
    def of(cls, model: CockpitModel, row_text: Callable[[int], str]) -> Evidence:
        """The evidence of what waits now; a busy screen is left unmarked."""
        detection = model.detection
        if not detection.asks or model.over:
            return cls()
        rows = frozenset(detection.evidence)
        index = model.marked_index() if model.proposal is not None or model.chosen is not None else None
        if index is None:
            return cls(rows)
        row = row_of_label(detection.options[index].label, sorted(rows), row_text)
        return cls(rows, row, _choice_mark(model, index))

    def mark(self, row: int) -> Mark | None:
        if row == self.choice:
            return self.choice_mark
        return EVIDENCE_MARK if row in self.rows else None


_MOST_EVIDENCE = 6
_SURE = 0.995


def chip(state: Badge) -> Content:
    return Content.styled(f" {state.shape} {state.word} ", badge_style(state.tone))


def detector_content(
    model: CockpitModel, now: float, row_text: Callable[[int], str], width: int = 200, height: int = 0
) -> Content:
    """The panel's text. `row_text` gives a row of the terminal.

    An excerpt runs over several rows as long as all of it fits into `height`, else it is cut to one.
    """
    state = badge(model, now)
    lines = [Content.assemble(chip(state), " ", outside_line(state.detail, f"${state.tone}"))]
    question = question_line(model.view)
    if question:
        lines.append(Content.styled(question, "bold"))
    lines.append(_source_lines(model, width))
    if model.detection.note:
        lines.append(outside_line(model.detection.note, "$quiet"))
    excerpts, more = _excerpts(model, row_text)
    tail = [Content.styled(f"     and {more} more", "$quiet")] if more else []
    spare = height - sum(rows_of(line, width) for line in lines) - len(excerpts) - len(tail)
    for row, text in excerpts:
        line = evidence_line(row, text, width)
        further = rows_of(line, width) - 1
        if further > spare:
            line, further = evidence_line(row, text).truncate(width, ellipsis=True), 0
        lines.append(line)
        spare -= further
    return Content("\n").join([*lines, *tail])


def _source_lines(model: CockpitModel, width: int) -> Content:
    """Rule, source and certainty, each whole on its line."""
    detection = model.detection
    if not detection.rule:
        return Content.styled("no rule has matched yet", "$quiet")
    source = "the plan" if of_plan_command(detection) else SOURCE_WORDS[detection.source]
    parts = [clean_line(detection.rule), source]
    if detection.certainty < _SURE and detection.kind is not ScreenKind.UNKNOWN:
        parts.append(f"{detection.certainty:.0%} sure")
    lines = [parts[0]]
    for part in parts[1:]:
        whole = f"{lines[-1]} · {part}"
        lines[-1:] = [whole] if len(whole) <= width else [lines[-1], part]
    return Content.styled("\n".join(lines), "$quiet")


def evidence_line(row: int, text: str, width: int | None = None) -> Content:
    """A row of the terminal with its number, on one line, or on as many of `width` cells as it takes."""
    head, body = Content.styled(f"▌{row + 1:>3} ", "$warning"), outside_line(text, "$quiet")
    if width is None:
        return head + body
    return hanging(head, body, width, again=Content.styled("▌    ", "$warning"))


def _excerpts(model: CockpitModel, row_text: Callable[[int], str]) -> tuple[list[tuple[int, str]], int]:
    """The rows of a screen that waits, and how many more there are.

    Those of a busy one have moved on by the time they are read.
    """
    rows = model.detection.evidence if model.detection.waiting else ()
    shown = [(row, text) for row in rows if any(map(str.isalnum, text := row_text(row)))]
    more = len(shown) - _MOST_EVIDENCE
    return (shown, 0) if more <= 1 else (shown[:_MOST_EVIDENCE], more)


_DIGITS = str.maketrans("123456789", "0" * 9)
"""A clock that goes on takes no more room: the screen need not be laid out again for it."""


class DetectorPanel(Static):
    """Shows `detector_content`; asked to update by the screen that owns it."""

    BORDER_TITLE = "what it sees"

    room_lines = 0
    """Lines that the text may take with excerpts that run over several rows."""

    def show(self, model: CockpitModel, now: float, row_text: Callable[[int], str]) -> None:
        width = max(20, self.content_size.width)
        content = detector_content(model, now, row_text, width, self.room_lines)
        shown = self.content
        before = shown.plain if isinstance(shown, Content) else ""
        counted = content.plain.translate(_DIGITS) == before.translate(_DIGITS)
        show_content(self, content, layout=not counted)

    def on_click(self) -> None:
        self.post_message(KeyHints.Chosen("explain"))
