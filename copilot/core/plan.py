"""A plan as data: steps in order, each with shell commands, prompts for the CLI, and checks of the result.

`config/plan_files.py` makes it of a file; the core only reads it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from copilot.core.profile import Profile
from copilot.core.screen_kinds import ScreenKind

DEFAULT_RETURNS = 2
"""How often a failed check goes back to the CLI if the plan does not say."""


@dataclass(frozen=True, slots=True)
class PlanCommand:
    """A command of a plan: `text` is judged and shown, `argv` is what runs (a shell for command lines)."""

    text: str
    argv: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlanPrompt:
    """A prompt for the coding CLI. With `multi_line` its line breaks are kept and it goes in as one paste.

    With `ends_input` Ctrl-D follows it.
    """

    text: str
    multi_line: bool = False
    ends_input: bool = False


PlanTask = PlanCommand | PlanPrompt


@dataclass(frozen=True, slots=True)
class PlanEnd:
    """How the end of a turn is known: a settled screen of this kind.

    With `shows` (RE2) a ready composer of either kind is enough, once this text came up since the prompt.
    """

    kind: ScreenKind = ScreenKind.COMPLETED
    shows: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanStep:
    """One step: tasks in order, then the checks. Times are seconds, None means no limit.

    `returns` is how often a failed check goes back to the CLI. `repeatable` means that a command whose end
    was not seen may be run again.
    """

    name: str
    tasks: tuple[PlanTask, ...] = ()
    checks: tuple[PlanCommand, ...] = ()
    returns: int = DEFAULT_RETURNS
    timeout_seconds: float | None = None
    end: PlanEnd = PlanEnd()
    repeatable: bool = False

    @property
    def digest(self) -> str:
        """A short name for what the step does; another text gives another one."""
        texts = [task.text for task in self.tasks]
        joined = "\x1f".join([self.name, *texts])
        return hashlib.blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()

    def part(self, index: int) -> str:
        """What a task is called in records and for the person: `run 1`, `send 2`."""
        word = _word(self.tasks[index])
        return f"{word} {sum(_word(task) == word for task in self.tasks[: index + 1])}"

    @property
    def last_prompt(self) -> int:
        """The index of the last prompt, -1 if there is none."""
        prompts = [index for index, task in enumerate(self.tasks) if isinstance(task, PlanPrompt)]
        return prompts[-1] if prompts else -1


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole plan."""

    name: str
    steps: tuple[PlanStep, ...]

    def label(self, index: int) -> str:
        """`k/n: name` of the step at `index`."""
        return f"{index + 1}/{len(self.steps)}: {self.steps[index].name}"


def _word(task: PlanTask) -> str:
    return "run" if isinstance(task, PlanCommand) else "send"


def waits_for_completed(plan: Plan) -> list[str]:
    """The labels of steps whose turns end as `completed`, the default of `ends`."""
    return [
        plan.label(index)
        for index, step in enumerate(plan.steps)
        if step.last_prompt >= 0 and step.end.kind is ScreenKind.COMPLETED and not step.end.shows
    ]


def turn_end_note(plan: Plan, profile: Profile) -> str:
    """A warning if the profile has no rule for a completed turn; else empty.

    A warning only: the CLI itself may report the end of its turn.
    """
    waiting = waits_for_completed(plan)
    if not waiting or any(rule.kind == ScreenKind.COMPLETED for rule in profile.screen.rules):
        return ""
    more = f" and {len(waiting) - 1} more" if len(waiting) > 1 else ""
    return (
        f"plan step {waiting[0]}{more}: the profile {profile.name} does not read a turn as completed; "
        "write `ends: idle` there unless the CLI reports its own end"
    )


def turn_end_hint(plan: Plan) -> str:
    """The warning for an unknown profile; empty if every prompt has its own `ends`."""
    waiting = waits_for_completed(plan)
    if not waiting:
        return ""
    return (
        f"{len(waiting)} of {len(plan.steps)} steps wait for a turn read as completed; "
        "for a program without a profile of its own, such as a shell, write `ends: idle` there"
    )
