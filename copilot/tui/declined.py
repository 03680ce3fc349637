"""After a command that opened nothing: what is typed for its box must not reach the program.

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

    def begin(self, now: float) -> None:
        """A command opened nothing."""
        self._until = now + FIRST_SECONDS

    def end(self) -> None:
        """Keys go to the program again."""
        self._until = float("-inf")

    def takes(self, key: str, now: float) -> bool:
        """Whether this key is not for the program."""
        if now >= self._until:
            return False
        self._until = float("-inf") if key in ENDS else now + NEXT_SECONDS
        return True
