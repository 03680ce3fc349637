"""What a run left of its plan, read from its events and effects: what is done, sent, or unclear.

The records of one run are enough: a resumed run writes first what it took over. A part whose keys were meant
to be typed, or whose command was meant to run, without an outcome on record, is unclear and never done again
by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from copilot.core.effects import Effect, PlanMoved, ReplyTaken, RunCommand, WriteKeys
from copilot.core.events import CommandEnded, Event
from copilot.core.plan import Plan
from copilot.core.plan_progress import Carried

Part = tuple[int, str]
_TAKEN = ("taken", "blocked")


@dataclass(slots=True)
class _Seen:
    began: bool = False
    parts: dict[Part, PlanMoved] = field(default_factory=dict)
    written: set[int] = field(default_factory=set)
    outcomes: dict[int, str] = field(default_factory=dict)
    sent: set[Part] = field(default_factory=set)
    """Prompts that were taken once. What is typed for them later asks the CLI to go on."""
    unclear: dict[Part, str] = field(default_factory=dict)
    """The texts of parts that an earlier run left unclear."""
    ran: dict[int, int] = field(default_factory=dict)
    """Tickets of commands by their decisions."""
    passed: dict[int, bool] = field(default_factory=dict)
    """How commands ended, by ticket."""


@dataclass(frozen=True, slots=True)
class Left:
    """The parts of a plan by what became of them, and the digests of the steps that were begun.

    `began` is False for a run killed before it had written what it took over: the run before it counts.
    """

    began: bool = False
    done: frozenset[Part] = frozenset()
    sent: Part | None = None
    unclear: Part | None = None
    unclear_text: str = ""
    digests: Mapping[int, str] = field(default_factory=dict)

    def carried(self, *, continues: bool) -> Carried:
        """The same for the next run; `continues` tells whether the CLI has its conversation back."""
        return Carried(self.done, self.sent, self.unclear, self.unclear_text, continues)

    def changed_step(self, plan: Plan) -> int:
        """The number of the first step that was begun and is another one in `plan`; 0 if all are the same."""
        for step, digest in sorted(self.digests.items()):
            if step > len(plan.steps) or plan.steps[step - 1].digest != digest:
                return step
        return 0


def left_by(steps: Iterable[Event | Effect]) -> Left:
    """What these events and effects of one run left of its plan."""
    seen = _Seen()
    for step in steps:
        _take(seen, step)
    done: set[Part] = set()
    sent: Part | None = None
    unclear: tuple[Part, str] | None = None
    for part, moved in seen.parts.items():
        match _became(seen, part, moved):
            case "done":
                done.add(part)
            case "sent":
                sent = part
            case "unclear":
                unclear = part, seen.unclear.get(part, moved.text)
    digests = {step: moved.digest for (step, _), moved in seen.parts.items() if step}
    return Left(
        seen.began,
        frozenset(done),
        sent,
        unclear[0] if unclear else None,
        unclear[1] if unclear else "",
        digests,
    )


def _take(seen: _Seen, step: Event | Effect) -> None:
    match step:
        case PlanMoved(step=0):
            seen.began = True
        case PlanMoved():
            part = step.step, step.part
            if step.state == "sent":
                seen.sent.add(part)
            elif step.state == "unclear":
                seen.unclear[part] = step.text
            seen.parts[part] = step
        case WriteKeys():
            seen.written.add(step.decision)
        case ReplyTaken():
            seen.outcomes[step.decision] = step.outcome
        case RunCommand():
            seen.ran[step.decision] = step.ticket
        case CommandEnded():
            seen.passed[step.ticket] = step.passed
        case _:
            pass


def _became(seen: _Seen, part: Part, moved: PlanMoved) -> str:
    """done, sent, unclear, or nothing: the part is due as if it had never begun."""
    if moved.part.startswith("verify"):
        return ""
    became = _by_itself(seen, moved)
    if part in seen.sent and became != "done":
        return "sent"
    return "unclear" if part in seen.unclear and not became else became


def _by_itself(seen: _Seen, moved: PlanMoved) -> str:
    """What the last move of a part says, whatever was before."""
    match moved.state:
        case "done" | "skipped":
            return "done"
        case "sent" | "unclear":
            return moved.state
        case "typing" if moved.decision in seen.written:
            return "sent" if seen.outcomes.get(moved.decision) in _TAKEN else "unclear"
        case "began" if moved.decision in seen.ran:
            passed = seen.passed.get(seen.ran[moved.decision])
            return {None: "unclear", True: "done", False: ""}[passed]
    return ""
