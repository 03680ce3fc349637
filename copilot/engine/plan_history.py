"""`PlanHistory`: what became of a plan in a run, step by step.

A part is a command, a prompt, a check, or words that went back to the CLI. A part that begins again is
another part, so that a check which failed and then passed is kept as both.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.effects import Effect
from copilot.core.events import Event
from copilot.core.plan_progress import IDENTITY
from copilot.core.reply import Decision
from copilot.core.screen_kinds import READY_KINDS
from copilot.engine.totals import HELD_VERDICTS

HELD = "held"
_OPEN_STATES = frozenset({"began", "typing", "sent", HELD})
"""A part whose last move is one of these has no end on record."""
_DUE_PROMPT = "send"
"""The name of a held prompt until its first move gives the whole one."""
_BEGINNINGS = frozenset({"began", "typing"})
_WORDS = {
    "typing": "is typed",
    "sent": "was taken by the CLI",
    "unclear": "may have been typed before",
    "skipped": "left out",
}
"""States that read as something else than their own name."""


@dataclass(frozen=True, slots=True)
class Move:
    """A part or a step went on: when, to which state (as in `PlanMoved`, or held), its words."""

    at: float
    state: str
    text: str = ""


@dataclass(slots=True)
class Ran:
    """A command of the plan that copilot itself ran; `end` is empty if its end is not on record."""

    at: float
    ticket: int
    end: str = ""
    passed: bool | None = None
    seconds: float | None = None


@dataclass(slots=True)
class PlanPart:
    """One part. `text` is the command or the prompt."""

    name: str
    text: str = ""
    decision: int = 0
    """The number of the decision that its last beginning rests on."""
    ran: Ran | None = None
    """Its command, once that was run."""
    moves: list[Move] = field(default_factory=list)

    @property
    def at(self) -> float:
        """When it began."""
        return self.moves[0].at

    def move_at(self, at: float) -> Move | None:
        """The last move up to a moment."""
        return _last(self.moves, at)


@dataclass(slots=True)
class PlanStep:
    """One step with its parts; `label` is `2/3: name`, `digest` names what the step does."""

    label: str
    digest: str | None = None
    """None for a step without a move on record."""
    moves: list[Move] = field(default_factory=list)
    parts: list[PlanPart] = field(default_factory=list)

    def move_at(self, at: float) -> Move | None:
        """The last move of the step itself up to a moment."""
        return _last(self.moves, at)

    def begun_at(self, at: float) -> bool:
        """Whether anything of it had happened by then."""
        return any(_last(moves, at) for moves in (self.moves, *(part.moves for part in self.parts)))


@dataclass(slots=True)
class PlanHistory:
    """A plan as far as the run came with it. Steps that were never begun are not on record."""

    name: str = ""
    began: bool = False
    """False for a run killed before it had written what it took over from an earlier one."""
    moves: list[Move] = field(default_factory=list)
    steps: dict[int, PlanStep] = field(default_factory=dict)
    """By number, from 1."""
    run_end: str = ""
    """How the run ended, in a word; empty if its end is not on record."""


class PlanTimeline:
    """Gathers what becomes of a plan. `plan` is None for a run without one."""

    def __init__(self) -> None:
        self.plan: PlanHistory | None = None
        self._of_decision: dict[int, PlanPart] = {}
        self._ready = False
        """Whether the CLI waits for its next instruction."""

    def receive(self, at: float, step: Event | Effect) -> None:
        """One event or effect of the run."""
        match step:
            case fx.PlanMoved():
                self._on_move(at, step)
            case fx.EndRun() if self.plan is not None:
                self.plan.run_end = step.outcome
            case ev.ScreenSettled():
                self._ready = step.detection.kind in READY_KINDS
            case fx.RecordDecision() if step.decision.verdict in HELD_VERDICTS:
                self._on_held(at, step.decision)
            case _:
                pass

    def on_command(self, decision: int, ran: Ran) -> None:
        """The command of the part that rests on this decision was run."""
        if decision in self._of_decision:
            self._of_decision[decision].ran = ran

    def _on_move(self, at: float, moved: fx.PlanMoved) -> None:
        plan = self.plan = self.plan if self.plan is not None else PlanHistory()
        if moved.step == 0:
            plan.name, plan.began = plan.name or moved.text, True
            plan.moves.append(Move(at, moved.state, moved.text))
            return
        step = self._step(moved.step, moved.label)
        step.digest = moved.digest
        if moved.part:
            self._on_part(at, step, moved)
            return
        step.moves.append(Move(at, moved.state, "" if moved.state == "began" else moved.text))
        if moved.state == "failed":
            plan.moves.append(Move(at, "failed", f"step {moved.label}"))

    def _on_part(self, at: float, step: PlanStep, moved: fx.PlanMoved) -> None:
        begins = moved.state in _BEGINNINGS
        part = self._part(step, moved.part, begins=begins)
        if begins:
            part.text, part.decision = moved.text, moved.decision
            self._of_decision[moved.decision] = part
        part.moves.append(Move(at, moved.state, "" if begins else moved.text))

    def _on_held(self, at: float, decision: Decision) -> None:
        """A part is held or refused before any move of it. A command has an identity of its own; what is
        held at a ready composer while a step is under way is the prompt that is due.
        """
        plan = self.plan
        if plan is None:
            return
        number, _, rest = decision.identity.removeprefix(IDENTITY).partition(":")
        if decision.identity.startswith(IDENTITY) and number.isdecimal():
            step, name = self._step(int(number), ""), rest.rpartition(":")[0]
        else:
            last = next(reversed(plan.steps.values()), None)
            if not self._ready or last is None or not last.moves or last.moves[-1].state != "began":
                return
            step, name = last, _DUE_PROMPT
        part = self._part(step, name, begins=True)
        part.text = (decision.reply.text or "") if decision.reply is not None else ""
        part.moves.append(Move(at, HELD, decision.reason))

    def _step(self, number: int, label: str) -> PlanStep:
        assert self.plan is not None
        step = self.plan.steps.setdefault(number, PlanStep(label))
        step.label = step.label or label
        return step

    def _part(self, step: PlanStep, name: str, *, begins: bool) -> PlanPart:
        """The last part of that name; another one if it begins, unless it was held until now."""
        newest = step.parts[-1] if step.parts else None
        if newest is not None and newest.name == _DUE_PROMPT and newest.moves[-1].state == HELD:
            newest.name = name
        last = next((part for part in reversed(step.parts) if part.name == name), None)
        waits = last is not None and bool(last.moves) and last.moves[-1].state == HELD
        if last is None or (begins and not waits):
            last = PlanPart(name)
            step.parts.append(last)
        return last


def moved_words(moved: fx.PlanMoved) -> str:
    """A move in one line, with what it is a move of."""
    words = move_words(Move(0.0, moved.state, moved.text))
    if moved.step == 0:
        return f"the plan {words}"
    if not moved.part:
        return f"step {moved.label} {words}"
    text = f": {moved.text}" if moved.state in _BEGINNINGS else ""
    return f"step {moved.label}, {moved.part} {words}{text}"


def move_words(move: Move) -> str:
    """A move in words: the state, and why or how."""
    word = _WORDS.get(move.state, move.state)
    return f"{word}: {move.text}" if move.text and move.state not in _BEGINNINGS else word


def end_words(moves: list[Move], run_end: str = "") -> str:
    """How the plan, a part or a step ended, after the run is over; `run_end` as in `PlanHistory`."""
    open_end = f"the run ended there ({run_end})" if run_end else "no end on record"
    if not moves:
        return open_end
    last = moves[-1]
    return f"{move_words(last)}; {open_end}" if last.state in _OPEN_STATES else move_words(last)


def _last(moves: Iterable[Move], at: float) -> Move | None:
    past = [move for move in moves if move.at <= at + 1e-9]
    return past[-1] if past else None
