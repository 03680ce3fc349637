"""A run in numbers, counted from its events and effects. Loads little: listing runs counts killed ones."""

from __future__ import annotations

from typing import Any

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.checkpoints import Author
from copilot.core.reply import Decision, Usage, Verdict
from copilot.core.states import RunState

HELD_VERDICTS = frozenset({Verdict.HOLD, Verdict.ESCALATE, Verdict.REFUSE})
_Used = Usage | ev.ReplyFailed | ev.RequestDropped | ev.OpinionGiven | ev.OpinionFailed


class Totals:
    """Counts of a run so far. `cost_usd` is None as soon as one price was unknown."""

    def __init__(self) -> None:
        self.state = RunState.INIT
        self.prompts = 0
        self.held = 0
        """Prompts that were held for a person, or refused; at least one in a run that ended as held."""
        self.requests = 0
        self.input_tokens = 0
        self.output_tokens = 0
        self.cost_usd: float | None = 0.0
        self.seconds = 0.0
        self.files: int | None = None
        """Files that the program made, changed or removed; None without checkpoints."""
        self.outcome: dict[str, Any] | None = None
        self.exit_status: int | None = None
        self._typed: set[int] = set()
        self._held: set[str] = set()
        self._files: set[str] = set()
        self._unlisted = 0

    @property
    def steps(self) -> int:
        """Replies that were typed."""
        return len(self._typed)

    def receive(self, at: float, step: ev.Event | fx.Effect) -> None:
        """Take one event or effect into account."""
        self.seconds = max(self.seconds, at)
        match step:
            case ev.ScreenSettled():
                self.prompts += step.detection.asks
            case ev.ReplyProposed():
                self.requests += 1
                self._spend(step.proposal.usage)
            case ev.ReplyFailed() | ev.RequestDropped() | ev.OpinionGiven() | ev.OpinionFailed():
                self.requests += 1
                self._spend(step)
            case ev.ChildExited():
                self.exit_status = step.status
            case ev.CheckpointTaken():
                self._count_files(step)
            case fx.EnterState():
                self.state = step.state
            case fx.RecordDecision():
                self._hold(step.decision)
            case fx.WriteKeys():
                self._typed.add(step.decision)
            case fx.EndRun():
                # An idle composer ends an unattended run held without any decision.
                self.held = max(self.held, int(step.outcome == "held"))
                self.outcome = {"word": step.outcome, "exit_code": step.exit_code, "reason": step.reason}

    def _hold(self, decision: Decision) -> None:
        """Count prompts, not decisions: one prompt may be held again, for another reason."""
        if decision.verdict not in HELD_VERDICTS or decision.identity in self._held:
            return
        self.held += 1
        if decision.identity:
            self._held.add(decision.identity)

    def _count_files(self, step: ev.CheckpointTaken) -> None:
        if step.author is Author.PROGRAM:
            self._files.update(step.created, step.changed, step.removed)
            self._unlisted += step.unlisted
        self.files = len(self._files) + self._unlisted

    def _spend(self, used: _Used) -> None:
        self.input_tokens += used.input_tokens
        self.output_tokens += used.output_tokens
        unknown = used.cost_usd is None or self.cost_usd is None
        self.cost_usd = None if unknown else (self.cost_usd or 0.0) + (used.cost_usd or 0.0)

    def as_object(self) -> dict[str, Any]:
        """The numbers for the manifest."""
        return {
            "steps": self.steps,
            "prompts": self.prompts,
            "held": self.held,
            "requests": self.requests,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cost_usd": self.cost_usd,
            "seconds": round(self.seconds, 3),
            "files": self.files,
            "child_exit_status": self.exit_status,
        }
