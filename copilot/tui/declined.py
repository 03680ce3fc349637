"""For a moment after a command that opened nothing, or after a mode that ended by itself, keys are not sent.

Who asks for a box types into it without looking, and who closes one presses Esc: in a dialog of the program
that is an answer. Half a second is what is typed without looking at the screen; whoever looks sees that keys
are the program's.
"""

from __future__ import annotations

KEPT_SECONDS = 0.5


class Declined:
    """Whether keys are still meant for what is not there. Times are of the session's clock, in seconds."""

    def __init__(self) -> None:
        self._until = float("-inf")
        self.why = ""
        """What the person was told, or is told with the first key that is not sent."""

    def begin(self, now: float, why: str) -> None:
        """Nothing takes keys from now on, for this reason."""
        self._until, self.why = now + KEPT_SECONDS, why

    def end(self) -> None:
        """Keys go to the program again."""
        self._until = float("-inf")

    def takes(self, now: float) -> bool:
        """Whether a key at this moment is not for the program. It makes the time no longer."""
        return now < self._until
