"""`RunReview`: a run as a reviewer goes through it, with what counted at each moment.

A prompt has all that belongs to it: the reading, what the model was asked and said, risk, decision, keys,
and what became of them. Spans are states, marks are moments worth a jump.
"""

from __future__ import annotations

import enum
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from copilot.core.detection import Detection
from copilot.core.effects import WriteKeys
from copilot.core.reply import Autonomy, Decision, Proposal
from copilot.core.risk import NO_RISK, Risk
from copilot.core.screen_kinds import ScreenKind
from copilot.core.states import RunState
from copilot.engine.history import HistoryEntry
from copilot.engine.ledger import FileChanges, Restored
from copilot.engine.plan_history import PlanHistory, Ran

T = TypeVar("T")


class Sort(enum.StrEnum):
    """What a mark is of."""

    PROMPT = "prompt"
    DECISION = "decision"
    HELD = "held"
    PERSON = "person"
    EXPIRED = "expired"
    """A reply died before it was sent."""
    PLAN = "plan"
    """A step of the plan began or ended."""
    NOTE = "note"
    """A marker of another recorder."""
    CHANGE = "change"
    """Where today's detectors or policy say something else."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment worth a jump. `prompt` is the number of the prompt that it belongs to, from 1; 0 for none."""

    at: float
    sort: Sort
    label: str
    prompt: int = 0


@dataclass(frozen=True, slots=True)
class Span:
    """A state of the run, from `start` up to `end` in seconds."""

    start: float
    end: float
    state: RunState
    reason: str = ""


@dataclass(slots=True)
class Prompt:
    """One prompt with all that followed it. `until` is when another reading took its place."""

    number: int
    at: float
    until: float
    detection: Detection
    risk: Risk = NO_RISK
    option_risks: tuple[Risk, ...] = ()
    first_seen_at: float = 0.0
    made: frozenset[str] = frozenset()
    """The files that the run itself had made."""
    requests: list[int] = field(default_factory=list)
    proposals: list[tuple[float, Proposal]] = field(default_factory=list)
    decisions: list[tuple[float, Decision]] = field(default_factory=list)
    keys: list[tuple[float, WriteKeys]] = field(default_factory=list)
    ran: dict[int, Ran] = field(default_factory=dict)
    """By the number of the decision."""
    expired: list[tuple[float, str]] = field(default_factory=list)
    """When a reply to it died, and why."""
    dismissed: list[float] = field(default_factory=list)
    """When the person wanted no reply to it."""
    history: list[HistoryEntry] = field(default_factory=list)
    outcome: str = ""
    """What became of the last reply: taken, not taken, blocked, expired; empty if none was typed."""

    @property
    def provider(self) -> str:
        """Who wrote the replies to it; empty if there are none."""
        return self.proposals[-1][1].provider if self.proposals else ""

    def proposal_at(self, at: float) -> Proposal | None:
        """The last proposal up to a moment."""
        return next((one for when, one in reversed(self.proposals) if when <= at), None)

    def expired_at(self, at: float) -> str:
        """Why the last reply up to a moment was dead by then; empty if none was, or another was written."""
        when, why = next((one for one in reversed(self.expired) if one[0] <= at), (0.0, ""))
        return why if self._last_word(when, at) else ""

    def offered_at(self, at: float) -> Proposal | None:
        """The proposal that could still be sent at a moment."""
        dismissed = any(when <= at and self._last_word(when, at) for when in self.dismissed)
        return None if dismissed or self.expired_at(at) else self.proposal_at(at)

    def _last_word(self, when: float, at: float) -> bool:
        """Whether no reply was written between then and a moment."""
        return not any(when < later <= at for later, _ in self.proposals)

    def decision_at(self, at: float) -> Decision | None:
        """The last decision up to a moment."""
        return next((one for when, one in reversed(self.decisions) if when <= at), None)


@dataclass(frozen=True, slots=True)
class Reading:
    """A settled reading of the screen."""

    at: float
    detection: Detection


@dataclass(frozen=True, slots=True)
class Moment:
    """What counted at one moment. `prompt` is the one that was open then.

    `gone` is a prompt that took its reply with it, until something else is seen than what followed it.
    """

    at: float
    state: RunState
    reason: str
    detection: Detection
    prompt: Prompt | None
    gone: Prompt | None = None


@dataclass(frozen=True, slots=True)
class RunReview:
    """A whole run, or what was seen in a recording that is no run of ours."""

    duration: float
    spans: tuple[Span, ...]
    readings: tuple[Reading, ...]
    prompts: tuple[Prompt, ...]
    marks: tuple[Mark, ...]
    plan: PlanHistory | None = None
    levels: tuple[tuple[float, Autonomy], ...] = ()
    """When the person chose a level, and which."""
    files: tuple[FileChanges, ...] = ()
    """Which files changed, by whom, oldest first; as far as checkpoints were taken."""
    restored: tuple[Restored, ...] = ()
    """Undos that the run was told of."""

    def moment(self, at: float) -> Moment:
        """What counted at that moment; a prompt that is open at the end is open at `duration` too."""
        span = _last(self.spans, at, lambda span: span.start)
        reading = _last(self.readings, at, lambda reading: reading.at)
        prompt = _last(self.prompts, at, lambda prompt: prompt.at)
        gone = None
        if prompt is not None and prompt.until <= at and prompt.until < self.duration:
            since = reading.at if reading else 0.0
            gone = prompt if any(since <= when <= at + 1e-9 for when, _ in prompt.expired) else None
            prompt = None
        return Moment(
            at,
            span.state if span else RunState.INIT,
            span.reason if span else "",
            reading.detection if reading else Detection(ScreenKind.STARTING),
            prompt,
            gone,
        )

    def level_at(self, at: float, begun: Autonomy) -> Autonomy:
        """The level at that moment of a run that began at level `begun`."""
        return next((level for when, level in reversed(self.levels) if when <= at + 1e-9), begun)

    def marks_of(self, *sorts: Sort) -> Iterator[Mark]:
        """The marks of these sorts, in order of time."""
        return (mark for mark in self.marks if mark.sort in sorts)

    def next_mark(self, at: float, *sorts: Sort) -> Mark | None:
        """The first mark of these sorts after a moment."""
        return next((mark for mark in self.marks_of(*sorts) if mark.at > at + 1e-6), None)

    def previous_mark(self, at: float, *sorts: Sort) -> Mark | None:
        """The last mark of these sorts before a moment."""
        earlier = [mark for mark in self.marks_of(*sorts) if mark.at < at - 1e-6]
        return earlier[-1] if earlier else None


def _last(items: Sequence[T], at: float, key: Callable[[T], float]) -> T | None:
    place = bisect_right(items, at + 1e-9, key=key)
    return items[place - 1] if place else None
