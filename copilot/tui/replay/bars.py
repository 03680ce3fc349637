"""The timeline, the status bar and the key bar of a replay.

The timeline has marks, states as coloured spans, risks and a ruler; the playhead lies over all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from copilot.core.plan_progress import shown_kind
from copilot.engine.review import Moment, RunReview, Sort
from copilot.tui.describe import RISK_SHAPES, RISK_TONES, elapsed
from copilot.tui.keymap import Action, Place
from copilot.tui.replay.describe import (
    Sign,
    badge_of,
    column_of,
    held_reason,
    mark_cells,
    mark_words,
    moment_of,
    risk_cells,
    state_cells,
    verdict_sign,
)
from copilot.tui.replay.keys import ACTIONS, shown
from copilot.tui.replay.model import ReplayModel, clock
from copilot.tui.text import badge_style, clean_line, show_content
from copilot.tui.widgets.key_bar import KeyHint, KeyHints

FULL_LINES, SHORT_LINES = 4, 2
_TICK_CELLS = 12
"""A tick has at least so many cells."""
_STEPS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60, 120, 300, 600, 1200, 3600, 7200, 18_000, 36_000, 72_000)
"""Seconds between two ticks: round ones, above a minute round minutes and hours."""


def timeline_content(
    review: RunReview, at: float, width: int, lines: int, hits: Sequence[float] = ()
) -> Content:
    """The timeline, `lines` high. `hits` are moments at which a text was found."""
    head = column_of(at, review.duration, width)
    rows = [
        _row([(sign.shape, sign.tone) if sign else (" ", "") for sign in mark_cells(review, width)], head),
        _row([(sign.shape, sign.tone) for sign in state_cells(review, width)], head, bright=True),
    ]
    if lines >= FULL_LINES:
        risks = risk_cells(review, width)
        cells = [(" ", "") if risk is None else (RISK_SHAPES[risk], RISK_TONES[risk]) for risk in risks]
        for hit in hits:
            cells[column_of(hit, review.duration, width)] = ("╷", "warning")
        rows.append(_row(cells, -1))
        rows.append(_ruler(review.duration, head, width))
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
            label = label[:1]  # The playhead is in the time: half a time would be another one.
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

    _review: RunReview | None = None

    def show(self, review: RunReview, at: float, hits: Sequence[float]) -> None:
        self._review = review
        width = max(10, self.content_size.width)
        lines = max(SHORT_LINES, self.content_size.height)
        show_content(self, timeline_content(review, at, width, lines, hits))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self.capture_mouse()
        self._point(event.x)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self.app.mouse_captured is self:
            self._point(event.x)

    def on_mouse_up(self) -> None:
        self.release_mouse()

    def _point(self, x: int) -> None:
        if self._review is not None:
            column = x - self.content_region.x + self.region.x
            self.post_message(self.Wanted(moment_of(column, self._review.duration, self.content_size.width)))


def status_content(model: ReplayModel, width: int, note: str, indexed: float) -> Content:
    """One line: playing or not, where, which prompt, what it is; a note takes the place of the name."""
    moment = model.moment
    sign = badge_of(moment)
    shape = "▶" if model.playing else "■"
    speed = f"{model.speed:g}x" + ("" if model.skips_idle else " all")
    parts = [
        Content.assemble((f" {shape} {speed} ", badge_style("primary"))),
        Content.assemble((f"{sign.shape} {sign.word}", f"bold ${sign.tone}")),
        Content.styled(f"{clock(model.at)} / {clock(model.duration)}", "bold"),
    ]
    place = prompt_place(model.review, model.at)
    if place:
        parts.append(Content(place))
    if (level := model.level) is not None:
        parts.append(Content.assemble(("level ", "$quiet"), level.value))
    if indexed < 1:
        parts.append(Content.styled(f"reading {indexed:.0%}", "$warning"))
    if model.query:
        found = f"{len(model.hits)} found" + ("…" if model.searching else "")
        parts.append(Content.assemble(("/", "$primary"), clean_line(model.query), (f" {found}", "$warning")))
    left = Content.styled(" │ ", "$rule").join(parts)
    room = width - left.cell_length - 2
    right = Content.styled(clean_line(note or model.recorded.name), "bold $accent" if note else "$quiet")
    if room < 8:
        return left.truncate(width, ellipsis=True) if not note else right.truncate(width, ellipsis=True)
    right = right.truncate(room, ellipsis=True)
    return Content.assemble(left, " " * (width - left.cell_length - right.cell_length), right)


def prompt_place(review: RunReview, at: float) -> str:
    passed = sum(prompt.at <= at + 1e-6 for prompt in review.prompts)
    return f"prompt {passed}/{len(review.prompts)}" if review.prompts else ""


def strip_text(moment: Moment) -> str:
    """The moment in one line: what it is, why it is held, what is asked, what was decided."""
    prompt, detection = moment.prompt, moment.detection
    decision = prompt.decision_at(moment.at) if prompt is not None else None
    held = held_reason(moment)
    kind, asked, decided = shown_kind(detection), detection.question or "", ""
    if prompt is not None and decision is not None and decision.reason != held:
        sign = verdict_sign(prompt, decision, moment)
        decided = f"{sign.shape} {sign.word}: {decision.reason}"
    if held:
        # The question is on the terminal too, so it is the first to be cut.
        parts = [kind, f"▲ held: {held}", decided, asked]
    else:
        other = moment.reason if moment.reason != detection.kind.value else ""
        parts = [kind, asked, decided or other]
    return " · ".join(dict.fromkeys(clean_line(part) for part in parts if part))


def repeats(note: str, review: RunReview, moment: Moment) -> bool:
    """Whether a note says what the strip says of the moment: the label of a mark of its prompt."""
    prompt = moment.prompt
    return prompt is not None and any(
        mark.prompt == prompt.number and mark_words(review, mark) == note
        for mark in review.marks_of(Sort.PROMPT, Sort.DECISION, Sort.HELD)
    )


class StatusLine(Static):
    """Shows `status_content`."""

    def show(self, model: ReplayModel, note: str, indexed: float) -> None:
        show_content(self, status_content(model, max(20, self.size.width), note, indexed))


def offered(*, small: bool) -> list[Action]:
    """The actions as they are offered: the panel where it must be opened, and there early."""
    others = [action for action in ACTIONS if action.id != "panel"]
    if not small:
        return others
    place = next(place for place, action in enumerate(others) if action.id == "next_held")
    return [*others[:place], *(action for action in ACTIONS if action.id == "panel"), *others[place:]]


class ReplayKeys(KeyHints):
    """The keys that do something now; each can be clicked."""

    def show(self, place: Place, typed: str = "", what: str = "", *, small: bool = False) -> None:
        """Show the keys of `place`; while a text is typed, the text behind the word for what it is."""
        word = "REPLAY" if place is Place.PLAYER else what.upper()
        parts = [Content.styled(f" {word} ", badge_style("accent")), Content(" ")]
        if place is Place.TYPING:
            parts.append(Content.assemble((clean_line(typed), "bold"), ("▏  ", "$accent")))
        hints = [
            KeyHint(shown(key), action.label, action.id)
            for action in offered(small=small)
            if action.footer and (key := action.key(place)) is not None
        ]
        last = [hint for hint in hints if hint.action in ("help", "quit")]
        room = max(10, self.size.width) - sum(part.cell_length for part in parts)
        room -= sum(hint.cells for hint in last)
        kept: list[KeyHint] = []
        for hint in hints:
            if hint not in last and sum(one.cells for one in kept) + hint.cells <= room:
                kept.append(hint)
        self.show_hints(parts, [*kept, *last])
