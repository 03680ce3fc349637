"""After a command that opened nothing: what is typed for its box must not reach the program,
and the key bar says so meanwhile.

A person who asks for a box types into it without looking, an instruction or Escape; in a dialog of the
program that is an answer.
"""

from __future__ import annotations

FIRST_SECONDS = 4.0
"""So long the first key is taken for the box."""
NEXT_SECONDS = 2.5
"""And so long after a key that was, the next one."""
ENDS = ("escape", "enter")
"""What would have closed the box."""


class Declined:
    """Whether keys are still meant for a box that did not open. Times are of the session's clock, in s."""

    def __init__(self) -> None:
        self._until = float("-inf")
        self._only: frozenset[str] | None = None

    def begin(self, now: float, only: frozenset[str] | None = None) -> None:
        """A command opened nothing. `only`: its box is led by these keys, and no words are written in it."""
        self._until, self._only = now + FIRST_SECONDS, only

    def end(self) -> None:
        """Keys go to the program again."""
        self._until = float("-inf")

    def kept(self, now: float) -> str:
        """Which keys are kept from the program, in words; empty if none are."""
        if now >= self._until:
            return ""
        return "what is typed" if self._only is None else "arrows, Enter"

    def seconds_left(self, now: float) -> float:
        """For how long keys are still kept from the program; 0 if they are not."""
        return max(0.0, self._until - now)

    def takes(self, key: str, now: float) -> bool:
        """Whether this key is not for the program."""
        if now >= self._until:
            return False
        if self._only is not None and key not in self._only:
            self.end()
            return False
        self._until = float("-inf") if key in ENDS else now + NEXT_SECONDS
        return True
