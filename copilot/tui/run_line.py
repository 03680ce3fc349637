"""`RunLine`: the timeline of a live run, as spans (states) and marks (events). No widgets, no clock.

Each mark keeps the screen as it was, in pictures that the rows share while they do not change.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from typing import NamedTuple

from copilot.core.reply import Decision, Verdict
from copilot.core.risk import NO_RISK, Risk
from copilot.core.screen_kinds import READY_KINDS
from copilot.core.states import END_STATES, RunState
from copilot.engine.history import EntryKind, History, HistoryEntry, Step
from copilot.engine.view import SessionView
from copilot.screen.rows import Picture
from copilot.tui.widgets.timeline import Mark, Scale, Span, SpanKind

MOST_MOMENTS = 200
"""Moments that can be looked back at; older ones can be seen only in the recording."""
_MOST_SPANS = 5000
_SCALE_MINUTES = (1, 1.5, 2, 3, 5, 7.5, 10, 15, 20, 30, 45, 60, 90)
_FURTHER_MINUTES = (120, 180)
"""Scale ends above 90 minutes: 120, 180, then both doubled repeatedly."""

Pictures = tuple[Picture, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """A mark with the screen of that moment, and the decision if it was one."""

    mark: Mark
    screen: Pictures
    asked: str = ""
    decision: Decision | None = None
    risk: Risk = NO_RISK
    """The risk of saying yes."""


def span_kind(view: SessionView) -> SpanKind:
    if view.state in END_STATES:
        return SpanKind.ENDED
    if view.state is RunState.HELD:
        return SpanKind.HELD
    if view.state is RunState.ANSWERING:
        return SpanKind.TYPING
    if view.countdown_ends_at is not None:
        return SpanKind.COUNTING_DOWN
    if view.waiting_for_provider or view.detection.asks:
        return SpanKind.ASKING
    return SpanKind.READY if view.detection.kind in READY_KINDS else SpanKind.WORKING


class _VerdictSign(NamedTuple):
    """The mark of a decision by policy; of several marks in one cell the heaviest is drawn."""

    shape: str
    tone: str
    word: str
    weight: int


class _EntrySign(NamedTuple):
    """The mark of another entry; `label` holds fields of the entry in braces."""

    shape: str
    label: str
    weight: int


_VERDICTS = {
    Verdict.SEND: _VerdictSign("◆", "success", "sent", 1),
    Verdict.SEND_AFTER_COUNTDOWN: _VerdictSign("◇", "accent", "countdown", 1),
    Verdict.HOLD: _VerdictSign("▲", "warning", "held", 3),
    Verdict.ESCALATE: _VerdictSign("▲", "warning", "your turn", 3),
    Verdict.REFUSE: _VerdictSign("✗", "error", "refused", 4),
}
_SIGNS = {
    EntryKind.EXPIRED: _EntrySign("×", "expired: {reason}", 1),
    EntryKind.FILES: _EntrySign("±", "files changed by the {by}: {text}", 0),
    EntryKind.UNSAVED: _EntrySign("!", "no checkpoint: {reason}", 1),
    EntryKind.UNDO: _EntrySign("↶", "you put back {files}", 2),
    EntryKind.LEVEL: _EntrySign("≈", "level {level}", 0),
    EntryKind.GOVERNING: _EntrySign("§", "governing prompt, version {number}", 0),
    EntryKind.EXIT: _EntrySign("■", "the program {text}", 4),
    EntryKind.FAULT: _EntrySign("✗", "{reason}", 5),
}


def _mark_of(entry: HistoryEntry) -> Mark | None:
    """The mark that an entry leaves on the line, if it leaves one."""
    if entry.decision is not None:
        return _decided(entry.decision, entry.at)
    if entry.kind not in _SIGNS:
        return None
    shape, label, weight = _SIGNS[entry.kind]
    tone = "error" if entry.failed else "secondary"
    return Mark(entry.at, shape, tone, label.format(text=entry.text, **entry.fields), weight)


def _decided(decision: Decision, at: float) -> Mark:
    if decision.by == "person" and decision.verdict is Verdict.HOLD:
        return Mark(at, "▲", "warning", f"you stopped it: {decision.reply or ''}", 3)
    if decision.by == "person":
        return Mark(at, "●", "primary", f"you sent: {decision.reply or ''}", 2)
    shape, tone, word, weight = _VERDICTS[decision.verdict]
    reply = f": {decision.reply}" if decision.reply is not None else ""
    return Mark(at, shape, tone, word + reply, weight)


def _round_ends() -> Iterator[float]:
    """Ends of the line in seconds, for ever."""
    yield from (60.0 * minutes for minutes in _SCALE_MINUTES)
    for doubled in count():
        yield from (60.0 * minutes * 2**doubled for minutes in _FURTHER_MINUTES)


@dataclass(slots=True)
class RunLine:
    """Spans and moments so far."""

    moments: deque[Moment] = field(default_factory=lambda: deque(maxlen=MOST_MOMENTS))
    _spans: deque[Span] = field(default_factory=lambda: deque(maxlen=_MOST_SPANS))
    _kind: SpanKind = SpanKind.NOTHING
    _since: float = 0.0
    _asked: str = ""
    _risk: Risk = NO_RISK
    _history: History = field(default_factory=History)
    _scale_ends: float = _SCALE_MINUTES[0] * 60.0

    def view_changed(self, view: SessionView, asked: str, now: float) -> None:
        """The session's state changed; `asked` is the question in one line."""
        self._asked, self._risk = asked, view.risk
        kind = span_kind(view)
        if kind is not self._kind:
            self._close(now)
            self._kind, self._since = kind, now

    def _close(self, now: float) -> None:
        if self._kind is not SpanKind.NOTHING and now > self._since:
            self._spans.append(Span(self._since, now, self._kind))

    def step(self, step: Step, at: float, screen: Callable[[], Pictures]) -> None:
        """An event or effect; `screen` gives the pictures of the screen as it is, if they are wanted."""
        entry = self._history.receive(at, step)
        if entry is None:
            return
        if entry.kind is EntryKind.TYPES:
            self._mark_as_sent(entry.rests_on)
        mark = _mark_of(entry)
        if mark is not None:
            self.moments.append(Moment(mark, screen(), self._asked, entry.decision, self._risk))

    def _mark_as_sent(self, number: int) -> None:
        """The reply of that decision is typed: if it counted down, it was not stopped."""
        for index, moment in enumerate(self.moments):
            decision = moment.decision
            if decision is None or decision.number != number:
                continue
            if decision.verdict is Verdict.SEND_AFTER_COUNTDOWN:
                sent = replace(moment.mark, label=f"sent after a countdown: {decision.reply or ''}")
                self.moments[index] = replace(moment, mark=sent)

    def spans(self, now: float) -> list[Span]:
        """All spans, the present one up to `now`; the end has no length."""
        if self._kind is SpanKind.NOTHING:
            return list(self._spans)
        until = self._since if self._kind is SpanKind.ENDED else now
        return [*self._spans, Span(self._since, until, self._kind)]

    def marks(self) -> list[Mark]:
        return [moment.mark for moment in self.moments]

    def scale(self, now: float, width: int) -> Scale:
        """From the beginning to somewhat after now; grows in steps, so the marks stay put between steps.

        Once the run is over: to its end, for nothing comes after.
        """
        if self._kind is SpanKind.ENDED:
            last = max((moment.mark.at for moment in self.moments), default=0.0)
            return Scale(0.0, max(self._since, last), max(1, width))
        if now > self._scale_ends:
            self._scale_ends = next(end for end in _round_ends() if end >= now)
        return Scale(0.0, self._scale_ends, max(1, width))
