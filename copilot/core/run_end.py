"""How a run ends, in one place: success is only what the CLI itself shows to be one.

0: at least one turn completed, or a program without turns exited 0 with nothing asked and nothing refused.
1: the CLI's last word was an error, or it left before it was done. 3: a person was needed. 4: it crashed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import re2

from copilot.core.detection import Detection
from copilot.core.effects import EndRun
from copilot.core.screen_kinds import ScreenKind
from copilot.core.screen_rules import ScreenRules

# What was refused in a run, and what that means for its end.
#
# A refusal of ours in the place of a reply is no success: the run ends held (3) with its reason. A coding
# CLI that completes a turn after it went on without what was refused; then it is only counted. Programs
# without turns never do that.


@dataclass(frozen=True, slots=True)
class Refusal:
    """One refusal: of which decision, why, and whether it took the place of a reply (or of a person's)."""

    decision: int
    reason: str
    replaced: bool


@dataclass(slots=True)
class Refusals:
    """The refusals of a run, in order, and how many of them were heard: a turn completed after them."""

    given: list[Refusal] = field(default_factory=list)
    heard: int = 0

    def add(self, decision: int, reason: str, *, replaced: bool) -> None:
        """A refusal is being typed."""
        self.given.append(Refusal(decision, reason, replaced))

    def drop(self, decision: int) -> None:
        """It was never typed: its prompt was gone."""
        self.given = [one for one in self.given if one.decision != decision]

    def turn_completed(self) -> None:
        """The CLI has completed a turn: it went on without what was refused."""
        self.heard = len(self.given)

    @property
    def unheard(self) -> str:
        """The reason of the last refusal that no completed turn followed; empty if there is none."""
        return self.given[-1].reason if len(self.given) > self.heard else ""

    @property
    def unserved(self) -> str:
        """The reason of the first refusal that replaced a reply to the end; empty if none did."""
        return next((one.reason for one in self.given[self.heard :] if one.replaced), "")

    def counted(self, reason: str) -> str:
        """The reason of a run's end with the number of its refusals, if there were any."""
        count = len(self.given)
        return f"{reason}; {count} {'request' if count == 1 else 'requests'} refused" if count else reason


def exit_words(status: int, *, by_us: bool = False) -> str:
    """`status` below 0 is a signal's number; `by_us` means that copilot was ending the child."""
    if by_us:
        return "was ended by copilot" + (f" (exit {status})" if status > 0 else "")
    return f"was ended by signal {-status}" if status < 0 else f"exited with {status}"


STALLED = "engine.stalled"
"""The rule of a screen that looked busy for too long without any sign of work."""
_GOES_ON_WITHOUT = re2.compile(r"(?i)\bwithout\b")
"""As in `Continue without using this MCP server`."""
_TURN_ENDS = frozenset({ScreenKind.COMPLETED, ScreenKind.QUESTION})


@dataclass(slots=True)
class TurnWatch:
    """What the CLI has shown so far of its turns. `last_error` is its last word, if that is an error."""

    has_composer: bool = False
    turns: int = 0
    last_error: str = ""
    error_at: float = 0.0

    def saw(self, detection: Detection, at: float) -> None:
        """A settled screen."""
        kind = detection.kind
        if kind in _TURN_ENDS:
            self.turns += 1
            self.last_error = ""
        if kind is ScreenKind.ERROR:
            self.last_error = detection.question or "the CLI shows an error"
            self.error_at = at
        self.has_composer = self.has_composer or kind in (ScreenKind.IDLE, ScreenKind.COMPLETED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All that the end of a run depends on once its child is gone.

    `decided` is an end that was decided before, `asking` means that an unanswered prompt was open,
    `plan` is how the plan wants the run to end, `person_after_error` that a person typed after the error.
    """

    status: int
    program: str
    decided: EndRun | None = None
    refusals: Refusals = field(default_factory=Refusals)
    unrecorded: str = ""
    asking: bool = False
    leaving: bool = False
    headless: bool = False
    person_after_error: bool = False
    turns: TurnWatch
    reads_turns: bool = False
    """Whether the profile can detect the end of a turn of this CLI."""
    plan: Callable[[], EndRun | None] = lambda: None


def end_of(facts: Facts) -> EndRun:  # noqa: PLR0911  one line a rule
    """How the run ends. The first line that applies counts, the strictest first."""
    error = facts.turns.last_error if not facts.person_after_error else ""
    if facts.decided is not None:
        return facts.decided
    if facts.refusals.unserved and facts.status >= 0:
        return EndRun("held", 3, facts.refusals.unserved)
    if facts.status != 0 and not facts.leaving:
        return EndRun("crashed", 4, f"{facts.program} {exit_words(facts.status)}")
    if error:
        return EndRun("failed", 1, error)
    if facts.unrecorded:
        return unrecorded_end(facts.unrecorded)
    if facts.leaving:
        return EndRun("completed", 0, facts.refusals.counted("the task is done"))
    if facts.asking:
        return EndRun("failed", 1, f"{facts.program} ended while it was asking")
    return facts.plan() or _end_by_itself(facts)


def _end_by_itself(facts: Facts) -> EndRun:
    """The child left with 0. A CLI with turns that completed none has done nothing that anybody could see."""
    turns = facts.turns
    if facts.headless and facts.reads_turns and turns.has_composer and not turns.turns:
        return EndRun("failed", 1, "the CLI ended before a turn was completed")
    return EndRun("completed", 0, facts.refusals.counted(f"{facts.program} exited 0"))


def unrecorded_end(reason: str) -> EndRun:
    """The record has gaps, so what was typed cannot be checked later."""
    return EndRun("held", 3, reason)


def end_after_grace(detection: Detection, refused: str, missed: str) -> EndRun:
    """The end of a headless run whose screen did not change for too long.

    `refused` is a refusal after which no turn was completed, `missed` why a plan's turn did not end.
    """
    if detection.kind is ScreenKind.ERROR:
        return EndRun("failed", 1, detection.question or "the CLI shows an error")
    if detection.kind is ScreenKind.UNKNOWN:
        return EndRun("held", 3, "a screen that is not understood waits for a person")
    if refused:
        return EndRun("held", 3, f"{refused}; after that the CLI did no more")
    return EndRun("held", 3, missed or "the CLI waits for an instruction, and no person can give one")


def refuses_the_folder(detection: Detection) -> bool:
    """Whether a refusal here leaves the CLI with nothing to do, unless an option says that it goes on."""
    goes_on = any(_GOES_ON_WITHOUT.search(option.label) for option in detection.options)
    return detection.kind is ScreenKind.TRUST and not goes_on


def reads_turns(rules: ScreenRules) -> bool:
    """Whether these rules know the end of a turn."""
    return any(rule.kind == ScreenKind.COMPLETED for rule in rules.rules)
