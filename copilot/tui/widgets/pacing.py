"""`FramePacer`: when the terminal is painted. Time is given from outside.

The first change after quiet is painted in the next turn of the loop, so an echo is quick; under a flow of
changes at most so many frames a second. A key lifts the cap for a moment: a person waits for what
follows it. Inside a synchronized update (mode 2026) painting waits for its end, but never long: a child that
dies inside one must not freeze the picture.
"""

from __future__ import annotations

from dataclasses import dataclass

FOCUSED_FRAMES, UNFOCUSED_FRAMES, HIDDEN_FRAMES = 30.0, 10.0, 2.0
ECHO_FRAMES = 240.0
"""The cap while an echo is awaited."""
ECHO_SECONDS = 0.1
"""How long after a key an echo is awaited."""
FLOOD_SECONDS = 0.1
LONGEST_HOLD_SECONDS = 0.15


@dataclass(slots=True)
class FramePacer:
    """Decides the wait before the next paint; `frames` is the cap per second."""

    frames: float = FOCUSED_FRAMES
    _painted_at: float = -1.0
    _held_since: float | None = None
    _echo_until: float = -1.0
    _crowded_until: float = -1.0

    def wait(self, now: float, *, synchronized: bool) -> float:
        """Seconds until a change seen at `now` should be painted; 0 means at once."""
        frames = ECHO_FRAMES if self.awaits_echo(now) else self.frames
        due = max(0.0, self._painted_at + 1.0 / frames - now)
        if not synchronized:
            self._held_since = None
            return due
        if self._held_since is None:
            self._held_since = now
        left = self._held_since + LONGEST_HOLD_SECONDS - now
        return max(due, left) if left > 0 else due

    def crowded(self, now: float) -> None:
        """Something changed at `now` though a frame was already waited for."""
        self._crowded_until = now + FLOOD_SECONDS

    def floods(self, now: float) -> bool:
        """Whether more changes than there are frames."""
        return now < self._crowded_until

    def typed(self, now: float) -> None:
        """A person pressed a key: what changes now is its echo."""
        self._echo_until = now + ECHO_SECONDS

    def awaits_echo(self, now: float) -> bool:
        return now < self._echo_until

    def painted(self, now: float) -> None:
        self._painted_at = now
        self._held_since = None
