"""`Timeline`: what happened in a run, gathered from its events and effects as they come.

It is the only reading of that stream: reports, replay, and the resuming of a run ask it. What a run gives
line by line while it goes on are the same entries, made by `History`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.detection import Detection
from copilot.core.reply import Autonomy, Decision
from copilot.core.screen_kinds import ScreenKind
from copilot.core.typist import Outcome
from copilot.engine.history import BY_PERSON, EntryKind, History, HistoryEntry, Step
from copilot.engine.ledger import Ledger
from copilot.engine.plan_history import PlanHistory, PlanTimeline, Ran
from copilot.engine.review import Mark, Prompt, Reading, RunReview, Sort, Span
from copilot.engine.totals import HELD_VERDICTS

TAKEN = frozenset({Outcome.TAKEN.value, Outcome.BLOCKED.value})
"""Outcomes of a reply that reached the program."""
_KEPT_KINDS = frozenset({ScreenKind.UNKNOWN, ScreenKind.ERROR})


def timeline_of(steps: Iterable[tuple[float, Step]]) -> Timeline:
    """The timeline of a run: `steps` are its events and effects with their times, in order."""
    timeline = Timeline()
    for at, step in steps:
        timeline.receive(at, step)
    return timeline


class Timeline:
    """Gathers a run. `review` gives all of it so far."""

    def __init__(self) -> None:
        self.marks: list[Mark] = []
        self.readings: list[Reading] = []
        self.prompts: list[Prompt] = []
        self.decided: dict[int, tuple[Prompt, Decision]] = {}
        """Each decision by its number, with the prompt that it belongs to."""
        self.taken: list[tuple[Prompt, Decision]] = []
        """Replies that reached the program, in that order, and what they answered."""
        self.typed: dict[int, str] = {}
        """What became of what was typed, by the number of its decision; empty while that is not on record."""
        self.ledger = Ledger()
        self._history = History()
        self._plan = PlanTimeline()
        self._spans: list[Span] = []
        self._levels: list[tuple[float, Autonomy]] = []
        self._settled: ev.ScreenSettled | None = None
        self._prompt: Prompt | None = None
        self._of_request: dict[int, Prompt] = {}
        self._of_ticket: dict[int, Ran] = {}

    @property
    def plan(self) -> PlanHistory | None:
        """What became of the run's plan; None without one."""
        return self._plan.plan

    @property
    def unfinished(self) -> tuple[int, ...]:
        """Decisions whose keys were meant to be typed, with no outcome on record.

        What became of them is unknown: they are shown to a person and never typed again.
        """
        return tuple(number for number, outcome in self.typed.items() if not outcome)

    def receive(self, at: float, step: Step) -> HistoryEntry | None:
        """One event or effect; its entry, if it has one."""
        entry = self._history.receive(at, step)
        self._plan.receive(at, step)
        self.ledger.receive(step)
        take = _TAKES.get(type(step), Timeline._on_any)
        prompt = take(self, at, step)
        if entry is not None and entry.word:
            if prompt is not None:
                prompt.history.append(entry)
            self._mark_entry(entry, prompt)
        return entry

    def review(self, duration: float) -> RunReview:
        """All that happened so far, in a run that lasted so many seconds; more may follow."""
        duration = max([duration, *(span.start for span in self._spans)])
        if self._prompt is not None:
            self._prompt.until = max(duration, self._prompt.at)
        return RunReview(
            duration,
            (*self._spans[:-1], *(replace(last, end=duration) for last in self._spans[-1:])),
            tuple(self.readings),
            tuple(self.prompts),
            tuple(sorted(self.marks, key=lambda mark: mark.at)),
            self.plan,
            tuple(self._levels),
            tuple(self.ledger.changes),
            tuple(self.ledger.restored),
        )

    # -- what an event or effect changes; each gives the prompt that it belongs to -------------------

    def _on_any(self, at: float, step: Step) -> Prompt | None:
        return self._prompt

    def _on_reading(self, at: float, step: ev.ScreenSettled) -> None:
        self.readings.append(Reading(at, step.detection))
        before = self._prompt
        if before is not None and before.detection.identity == step.detection.identity != "":
            return
        self._close(at)
        self._settled = step
        if step.detection.asks or step.detection.kind in _KEPT_KINDS:
            self._open(at)

    def _on_state(self, at: float, step: fx.EnterState) -> None:
        if self._spans:
            last = self._spans[-1]
            if last.state is step.state and last.reason == step.reason:
                return
            self._spans[-1] = replace(last, end=at)
        self._spans.append(Span(at, at, step.state, step.reason))

    def _on_request(self, at: float, step: fx.AskProvider) -> Prompt:
        prompt = self._of_request[step.request] = self._current(at)
        prompt.requests.append(step.request)
        return prompt

    def _on_reply(self, at: float, step: ev.ReplyProposed | ev.ReplyFailed) -> Prompt | None:
        prompt = self._of_request.get(step.request)
        if prompt is not None and isinstance(step, ev.ReplyProposed):
            prompt.proposals.append((at, step.proposal))
        return prompt

    def _on_decision(self, at: float, step: fx.RecordDecision) -> Prompt:
        decision = step.decision
        prompt = self._named(decision.identity) if decision.identity else None
        prompt = prompt if prompt is not None else self._current(at)
        self.decided[decision.number] = prompt, decision
        prompt.decisions.append((at, decision))
        return prompt

    def _on_keys(self, at: float, step: fx.WriteKeys) -> Prompt | None:
        self.typed[step.decision] = ""
        prompt, _ = self.decided.get(step.decision, (None, None))
        if prompt is not None:
            prompt.keys.append((at, step))
        return prompt

    def _on_outcome(self, at: float, step: fx.ReplyTaken) -> Prompt | None:
        if step.decision in self.typed:
            self.typed[step.decision] = step.outcome
        if step.decision not in self.decided:
            return None
        prompt, decision = self.decided[step.decision]
        prompt.outcome = step.outcome
        if step.outcome in TAKEN:
            self.taken.append((prompt, decision))
        return prompt

    def _on_expired(self, at: float, step: fx.ReplyExpired) -> Prompt | None:
        prompt = self._named(step.identity)
        if prompt is not None:
            prompt.outcome = prompt.outcome or Outcome.EXPIRED.value
            prompt.expired.append((at, step.reason))
        return prompt

    def _on_command(self, at: float, step: fx.RunCommand) -> None:
        ran = self._of_ticket[step.ticket] = Ran(at, step.ticket)
        self._plan.on_command(step.decision, ran)
        if step.decision in self.decided:
            self.decided[step.decision][0].ran[step.decision] = ran

    def _on_command_end(self, at: float, step: ev.CommandEnded) -> None:
        if (ran := self._of_ticket.get(step.ticket)) is not None:
            ran.end = "exit code 0" if step.passed else step.outcome
            ran.passed, ran.seconds = step.passed, step.seconds

    def _on_dismissal(self, at: float, step: ev.PersonDismissed) -> Prompt | None:
        if self._prompt is not None and not step.keep:
            self._prompt.dismissed.append(at)
        return self._prompt

    def _on_level(self, at: float, step: ev.AutonomyChanged) -> Prompt | None:
        self._levels.append((at, step.level))
        return self._prompt

    # -- prompts and marks ---------------------------------------------------------------------------

    def _named(self, identity: str) -> Prompt | None:
        return next((one for one in reversed(self.prompts) if one.detection.identity == identity), None)

    def _current(self, at: float) -> Prompt:
        """The open prompt; a ready composer becomes one when something is decided for it."""
        return self._prompt if self._prompt is not None else self._open(at)

    def _open(self, at: float) -> Prompt:
        prompt = self._prompt = Prompt(len(self.prompts) + 1, at, at, Detection(ScreenKind.STARTING))
        if (seen := self._settled) is not None:
            prompt.detection, prompt.risk = seen.detection, seen.risk
            prompt.option_risks, prompt.first_seen_at = seen.option_risks, seen.first_seen_at
            prompt.made = frozenset(self.ledger.made)
        self.prompts.append(prompt)
        self.marks.append(Mark(at, Sort.PROMPT, prompt.detection.question or "", prompt.number))
        return prompt

    def _close(self, at: float) -> None:
        if self._prompt is not None:
            self._prompt.until = max(at, self._prompt.at)
            self._prompt = None

    def _mark_entry(self, entry: HistoryEntry, prompt: Prompt | None) -> None:
        sort, label = _sort_of(entry), entry.text
        if sort is None or (sort is Sort.EXPIRED and prompt is None):
            return
        if sort is Sort.PERSON:
            label = f"{entry.word}: {entry.text}" if entry.text else entry.word
        self.marks.append(Mark(entry.at, sort, label, prompt.number if prompt is not None else 0))


_TAKES: dict[type[Step], Callable[[Timeline, float, Any], Prompt | None]] = {
    ev.ScreenSettled: Timeline._on_reading,
    fx.EnterState: Timeline._on_state,
    fx.AskProvider: Timeline._on_request,
    ev.ReplyProposed: Timeline._on_reply,
    ev.ReplyFailed: Timeline._on_reply,
    fx.RecordDecision: Timeline._on_decision,
    fx.WriteKeys: Timeline._on_keys,
    fx.ReplyTaken: Timeline._on_outcome,
    fx.ReplyExpired: Timeline._on_expired,
    fx.RunCommand: Timeline._on_command,
    ev.CommandEnded: Timeline._on_command_end,
    ev.PersonDismissed: Timeline._on_dismissal,
    ev.AutonomyChanged: Timeline._on_level,
}
"""What an event or effect changes; all others only belong to the open prompt."""


def _sort_of(entry: HistoryEntry) -> Sort | None:
    """Of what sort the mark of an entry is; None if it leaves none."""
    if entry.decision is not None:
        return Sort.HELD if entry.decision.verdict in HELD_VERDICTS else Sort.DECISION
    if entry.kind is EntryKind.PLAN:
        return None if entry.fields["part"] else Sort.PLAN
    if entry.kind is EntryKind.EXPIRED:
        return Sort.EXPIRED
    return Sort.PERSON if entry.kind in BY_PERSON else None
