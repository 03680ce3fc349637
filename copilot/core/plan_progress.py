"""The progress of a plan: its step, its task, what it waits for. Only the plan's reactions change it."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from copilot.core.detection import Detection, Subject
from copilot.core.plan import Plan, PlanCommand, PlanPrompt, PlanStep
from copilot.core.risk import NO_RISK, Risk
from copilot.core.screen_kinds import KIND_WORDS, ScreenKind
from copilot.core.typist import Typist

IDENTITY = "plan:"
"""What the identities of held commands begin with; no screen has one like it."""


def of_plan_command(detection: Detection) -> bool:
    """Whether it asks about a command of the plan: copilot would run it, and the program's screen has none
    of it."""
    return detection.identity.startswith(IDENTITY)


def shown_kind(detection: Detection) -> str:
    """Its kind in words. A command of a plan is recorded as a permission, though the program asks nothing."""
    return "plan step" if of_plan_command(detection) else KIND_WORDS[detection.kind]


class PlanPhase(enum.StrEnum):
    """What the plan waits for."""

    DUE = "due"
    """The next task starts at a ready composer."""
    LOOKING = "looking"
    """The screen is searched for what an earlier run may have typed."""
    JUDGING = "judging"
    """The risk of a command is wanted."""
    HELD = "held"
    """The person decides on the present task."""
    RUNNING = "running"
    """A command runs."""
    TYPING = "typing"
    TURN = "turn"
    """The CLI works on a prompt."""
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Carried:
    """What an earlier run left of a plan. A part is (number of the step from 1, name of the part).

    `sent` was typed and taken, and its turn did not end. `unclear` was begun, with unknown
    outcome; `unclear_text` is its text. `continues` means that the CLI has its conversation back.
    """

    done: frozenset[tuple[int, str]] = frozenset()
    sent: tuple[int, str] | None = None
    unclear: tuple[int, str] | None = None
    unclear_text: str = ""
    continues: bool = False


@dataclass(frozen=True, slots=True)
class BegunPart:
    """A part that was begun by a decision. `step` and `task` count from 0, as in PlanProgress."""

    decision: int
    step: int
    task: int
    part: str


@dataclass(slots=True)
class PlanProgress:
    """The progress of one run. `step`, `task` and `check` count from 0."""

    plan: Plan
    carried: Carried = field(default_factory=Carried)
    step: int = 0
    task: int = 0
    check: int = 0
    phase: PlanPhase = PlanPhase.DUE
    begun: bool = False
    """Whether the present step has begun in this run."""
    message: PlanPrompt | None = None
    """Words that come before anything else: a failed check, or to go on after an interruption."""
    message_part: str = ""
    returns: int = 0
    ticket: int = 0
    """The number of the last command or search that was asked for."""
    risk: Risk = NO_RISK
    typist: Typist | None = None
    typed_at_identity: str = ""
    ended_at: str = ""
    """The prompt at which the last turn ended as its step expects, though something is asked there."""
    seen_at_work: bool = False
    """Whether the CLI was seen doing anything since the prompt was taken."""
    unclear: bool = False
    """Whether the held prompt may have been typed before."""
    reason: str = ""
    """Why the plan failed."""
    begun_parts: list[BegunPart] = field(default_factory=list)
    """Each part that was typed or run, in order."""

    @property
    def over(self) -> bool:
        """Whether nothing more comes of the plan."""
        return self.phase in (PlanPhase.DONE, PlanPhase.FAILED)

    @property
    def current(self) -> PlanStep:
        """The present step; the last one after the end."""
        return self.plan.steps[min(self.step, len(self.plan.steps) - 1)]

    @property
    def label(self) -> str:
        """`k/n: name` of the present step."""
        return self.plan.label(min(self.step, len(self.plan.steps) - 1))

    @property
    def part(self) -> str:
        """The name of the part that is due or under way."""
        if self.message is not None:
            return self.message_part
        if self.task < len(self.current.tasks):
            return self.current.part(self.task)
        return f"verify {self.check + 1}"

    @property
    def work(self) -> PlanCommand | PlanPrompt | None:
        """What is due, or under way; None if the step is at its end."""
        if self.message is not None:
            return self.message
        step = self.current
        if self.task < len(step.tasks):
            return step.tasks[self.task]
        return step.checks[self.check] if self.check < len(step.checks) else None

    @property
    def command(self) -> PlanCommand | None:
        """The command that is due or under way, if it is one."""
        return self.work if isinstance(self.work, PlanCommand) else None

    def held_command(self) -> Detection | None:
        """The prompt that the person sees for a command that is held; None if none is."""
        command = self.command
        return self.asked_for(command) if self.phase is PlanPhase.HELD and command is not None else None

    def asked_for(self, command: PlanCommand) -> Detection:
        """A command of the plan as a prompt, so that it is decided, recorded and shown like any other."""
        return Detection(
            ScreenKind.PERMISSION,
            question=f"Step {self.label}: run this command?",
            rule="plan.command",
            subject=Subject("shell", command.text),
            identity=f"{IDENTITY}{self.step + 1}:{self.part}:{self.ticket}",
        )

    def go_on(self) -> None:
        """The present part is over: the next one is due."""
        if self.message is not None:
            self.message, self.message_part = None, ""
            self.check = 0
        elif self.task < len(self.current.tasks):
            self.task += 1
        else:
            self.check += 1
        self.phase, self.typist, self.unclear = PlanPhase.DUE, None, False

    def next_step(self) -> None:
        """The present step is over."""
        self.step += 1
        self.task = self.check = self.returns = 0
        self.message, self.begun = None, False

    def begins(self, decision: int) -> None:
        """The present part is begun by this decision."""
        self.begun_parts.append(BegunPart(decision, self.step, self.task, self.part))

    def rewind(self, before: int) -> tuple[BegunPart, ...]:
        """Go back to the first part begun by decision `before` or later; the parts that are due again."""
        again = tuple(part for part in self.begun_parts if part.decision >= before)
        if not again:
            return ()
        self.begun_parts = [part for part in self.begun_parts if part.decision < before]
        self.step, self.task, self.check = again[0].step, again[0].task, 0
        self.message, self.message_part, self.begun, self.reason = None, "", False, ""
        self.phase, self.typist, self.unclear = PlanPhase.DUE, None, False
        return again
