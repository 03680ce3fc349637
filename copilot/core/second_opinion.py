"""The second opinion on a reply that would be sent by itself: the pending opinion, and the counter
that hands over to the person.

A second model sees the action and the person's goal, and can only hold what policy would send. Where it says
no again and again, either it or the run is wrong, and the person is asked instead of it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from copilot.core.policy import Ruling

DENIALS_IN_A_ROW = 3
DENIALS_REMEMBERED = 10
OPINIONS_REMEMBERED = 50


@dataclass(frozen=True, slots=True)
class PendingOpinion:
    """An opinion that is waited for, and what policy said of the reply that it is about."""

    number: int
    ruling: Ruling


@dataclass(slots=True)
class OpinionBreaker:
    """Counts denials: three in a row, or ten of the last fifty, hand over to the person.

    `asked` numbers the opinions of a run. An opinion that never came is no denial.
    """

    asked: int = 0
    _denied: deque[bool] = field(default_factory=lambda: deque(maxlen=OPINIONS_REMEMBERED))
    _in_a_row: int = 0

    def count(self, *, denied: bool) -> None:
        """An opinion came."""
        self._denied.append(denied)
        self._in_a_row = self._in_a_row + 1 if denied else 0

    @property
    def why_tripped(self) -> str:
        """Why it is the person's turn now; empty while the second opinion is asked."""
        if self._in_a_row >= DENIALS_IN_A_ROW:
            return f"the second opinion said no {self._in_a_row} times in a row: this one is yours"
        denials = sum(self._denied)
        if denials >= DENIALS_REMEMBERED:
            return (
                f"the second opinion said no to {denials} of the last {len(self._denied)}: this one is yours"
            )
        return ""

    def person_acted(self) -> None:
        """The person took what was handed over: restart the count."""
        if self.why_tripped:
            self._denied.clear()
            self._in_a_row = 0
