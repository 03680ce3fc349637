"""What was refused in a run, and what that means for its end.

A refusal of ours in the place of a reply is no success: the run ends held (3) with its reason. A coding CLI
that completes a turn after it went on without what was refused; then it is only counted. Programs without
turns never do that.
"""

from __future__ import annotations

from dataclasses import dataclass, field


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
        """The reason of the first refusal that stands in place of a reply to the end; empty if none does."""
        return next((one.reason for one in self.given[self.heard :] if one.replaced), "")

    def counted(self, reason: str) -> str:
        """The reason of a run's end with the number of its refusals, if there were any."""
        count = len(self.given)
        return f"{reason}; {count} {'request' if count == 1 else 'requests'} refused" if count else reason
