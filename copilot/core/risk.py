"""`Risk`: our own judgement of what sending a reply would do."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class RiskLevel(enum.IntEnum):
    """The scale, mildest first. `docs/safety.md` says what falls where."""

    NONE = 0
    LOW = 1
    MEDIUM = 2
    HIGH = 3
    FORBIDDEN = 4

    @property
    def word(self) -> str:
        """The lower-case word used in files and on screens."""
        return self.name.lower()

    @classmethod
    def from_word(cls, word: str) -> RiskLevel:
        """The level of that name. Raises KeyError for another word."""
        return cls[word.upper()]


@dataclass(frozen=True, slots=True)
class Risk:
    """A level with its reasons, the id of the rule that decided, and the part of the text that it saw.

    `start` is where `part` begins in the judged text, in characters; None if it is not there word for
    word. `grants` are the rules of the grants without which the level would be high.
    """

    level: RiskLevel
    reasons: tuple[str, ...] = ()
    rule: str = ""
    part: str = ""
    start: int | None = None
    grants: tuple[str, ...] = ()

    @property
    def span(self) -> tuple[int, int] | None:
        """Where `part` begins and ends in the judged text, in characters."""
        return None if self.start is None else (self.start, self.start + len(self.part))

    @property
    def reason(self) -> str:
        """The reasons in one line."""
        return "; ".join(self.reasons)


NO_RISK = Risk(RiskLevel.NONE, ("nothing is run or changed",), "risk.none")
