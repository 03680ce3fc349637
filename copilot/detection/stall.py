"""A program that looks busy and shows no sign of work any more. Time and CPU time come in as data.

Signs of work are what a person could see or ask the kernel for: a changed cell, another title, report or
progress, CPU time of the program or of what it started. A spinner is one, bytes that change nothing are not.
"""

from __future__ import annotations

from copilot.core.detection import Detection
from copilot.core.run_end import STALLED
from copilot.core.screen_kinds import ScreenKind
from copilot.core.snapshot import ScreenSnapshot

_WORKING = frozenset({ScreenKind.BUSY, ScreenKind.STARTING})
_LOOKS = 4
"""How often the CPU time is read while nothing else shows work."""
_LEAST_SHARE = 0.02
"""Of one processor. What only waits wakes up now and then, and uses less."""


class StallWatch:
    """Fed with every look; `seconds` is how long nothing may happen, 0 for ever."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._since = 0.0
        self._seen_at = 0.0
        self._measured_at = 0.0
        self._last: ScreenSnapshot | None = None
        self._watching = False

    @property
    def next_check_at(self) -> float | None:
        """When to look again though nothing is drawn; None while nothing is watched."""
        if not self._watching:
            return None
        return max(self._measured_at, self._seen_at) + self.seconds / _LOOKS

    def measures(self, at: float) -> bool:
        """Whether the CPU time should be measured now."""
        return self._watching and at - self._measured_at >= self.seconds / _LOOKS - 1e-6

    def used(self, cpu_seconds: float | None, at: float) -> None:
        """So much CPU time was used since the last time; None where it is not known."""
        if cpu_seconds and cpu_seconds >= _LEAST_SHARE * (at - self._measured_at):
            self._since = at
        self._measured_at = at

    def read(self, detection: Detection, snapshot: ScreenSnapshot, at: float) -> Detection:
        """The same reading, or that it is not known any more what the program does."""
        working = self.seconds > 0 and detection.kind in _WORKING
        begins = working and not self._watching
        # after a stop of the whole process nothing is known of the time between
        unseen = at - self._seen_at > self.seconds / 2
        if not working or begins or unseen or _changed(snapshot, self._last):
            self._since = at
        if begins:
            self._measured_at = at
        self._watching, self._last, self._seen_at = working, snapshot, at
        if not working or at - self._since < self.seconds:
            return detection
        note = f"no output, no report and no CPU time for {self.seconds:g} s: it seems to hang"
        return Detection(
            ScreenKind.UNKNOWN, rule=STALLED, note=note, certainty=0.0, columns=detection.columns
        )


def _changed(one: ScreenSnapshot, other: ScreenSnapshot | None) -> bool:
    if one is other:
        return False
    return other is None or (
        (one.title, one.program_status, one.progress) != (other.title, other.program_status, other.progress)
        or (one.characters, one.styles) != (other.characters, other.styles)
    )
