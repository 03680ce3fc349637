"""The grants of a run: which are open, how often they were used, and which were revoked.

Time is data (seconds since the epoch), so that a test or a replay decides as the run did.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from copilot.guard.grants import Grant


@dataclass(frozen=True, slots=True)
class GrantLine:
    """One grant as it is shown: its state is `open`, `used up`, `over` or `revoked`."""

    rule: str
    state: str
    used: int
    left: int | None
    until: float | None
    by: str = ""
    """Who gave it: `settings` (options and files), or `you`."""


class GrantBook:
    """Keeps grants by their rules. A rule that is given twice is one grant."""

    def __init__(self, grants: Iterable[Grant], given_at: float) -> None:
        self._grants: dict[str, Grant] = {}
        self._used: Counter[str] = Counter()
        self._revoked: set[str] = set()
        self._by: dict[str, str] = {}
        for grant in grants:
            self.give(grant, given_at)

    def give(self, grant: Grant, at: float, by: str = "settings") -> None:
        """Add a grant from now on; adding it again restarts its limits."""
        until = grant.until
        if grant.lasts_seconds is not None:
            ends = at + grant.lasts_seconds
            until = ends if until is None else min(until, ends)
        self._grants[grant.rule] = dataclasses.replace(grant, until=until, lasts_seconds=None)
        self._by[grant.rule] = by
        self._revoked.discard(grant.rule)
        del self._used[grant.rule]

    def open_at(self, at: float) -> tuple[Grant, ...]:
        """The grants that are open at that time, each with its remaining uses and without its end."""
        return tuple(
            dataclasses.replace(grant, times=self._left(grant), until=None)
            for grant in self._grants.values()
            if self._state(grant, at) == "open"
        )

    def use(self, rules: Sequence[str]) -> None:
        """A reply that rested on these grants was given; one entry for each command that was lifted."""
        self._used.update(rule for rule in rules if rule in self._grants)

    def revoke(self, rule: str) -> bool:
        """Revoke a grant; False if no open grant has that rule."""
        known = rule in self._grants and rule not in self._revoked
        if known:
            self._revoked.add(rule)
        return known

    def lines(self, at: float) -> tuple[GrantLine, ...]:
        """Every grant that was given, with what became of it."""
        return tuple(
            GrantLine(
                rule, self._state(grant, at), self._used[rule], self._left(grant), grant.until, self._by[rule]
            )
            for rule, grant in self._grants.items()
        )

    def _left(self, grant: Grant) -> int | None:
        return None if grant.times is None else max(0, grant.times - self._used[grant.rule])

    def _state(self, grant: Grant, at: float) -> str:
        if grant.rule in self._revoked:
            return "revoked"
        if self._left(grant) == 0:
            return "used up"
        return "over" if grant.until is not None and at >= grant.until else "open"
