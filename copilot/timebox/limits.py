"""The two limits of a boxed command: all of its time, and the time without a byte. Time is data here."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from copilot.errors import InputError


class Outcome(StrEnum):
    """How a boxed command came to its end: by itself, or ended because of a limit."""

    EXITED = "exited"
    TIMEOUT = "timeout"
    NO_OUTPUT = "no_output"


@dataclass(frozen=True, slots=True)
class Limits:
    """`hard_seconds` for everything, `silence_seconds` without output (None: no such limit).

    `grace_seconds` is what a command has between TERM and KILL. Raises InputError for what is no time.
    """

    hard_seconds: float
    silence_seconds: float | None = None
    grace_seconds: float = 2.0

    def __post_init__(self) -> None:
        for name, value in (("hard", self.hard_seconds), ("silence", self.silence_seconds)):
            if value is not None and not (math.isfinite(value) and value > 0):
                raise InputError(f"the {name} limit is {value}; give a time above 0")
        if not (math.isfinite(self.grace_seconds) and self.grace_seconds >= 0):
            raise InputError(f"the grace is {self.grace_seconds}; give a time of 0 or more")


class Countdown:
    """When a command that started at `started` is to be ended. Each byte restarts the time of silence."""

    def __init__(self, limits: Limits, started: float) -> None:
        self._hard_at = started + limits.hard_seconds
        self._silence = limits.silence_seconds
        self._silent_at = math.inf if self._silence is None else started + self._silence

    def heard(self, at: float) -> None:
        """Output came."""
        if self._silence is not None:
            self._silent_at = max(self._silent_at, at + self._silence)

    @property
    def next_at(self) -> float:
        """The moment of the next limit."""
        return min(self._hard_at, self._silent_at)

    def due(self, at: float) -> Outcome | None:
        """The limit that has been reached: of two the earlier one, the hard limit if they fall together.

        So a late look, after a pause of the machine, names the same limit as one in time.
        """
        if at < self.next_at:
            return None
        return Outcome.TIMEOUT if self._hard_at <= self._silent_at else Outcome.NO_OUTPUT
