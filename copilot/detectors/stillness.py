"""Since when nothing on the screen has changed: for readings that only rest can tell from work."""

from __future__ import annotations

from copilot.core.snapshot import ScreenSnapshot

_RUN_GAP_SECONDS = 1.5
"""Changes that follow each other so soon are one movement: a spinner, a clock that ticks."""


class Stillness:
    """Watches texts, colours and title. The cursor may blink."""

    def __init__(self) -> None:
        self.since = 0.0
        """When the last change was seen."""
        self._moving_from = 0.0
        self._last: ScreenSnapshot | None = None

    @property
    def moved_for(self) -> float:
        """How long the last movement took, from its first change to its last, in seconds."""
        return self.since - self._moving_from

    def see(self, snapshot: ScreenSnapshot, at: float) -> None:
        """The screen as it is now."""
        if self._last is not None and _same(snapshot, self._last):
            return
        if self._last is None or at - self.since > _RUN_GAP_SECONDS:
            self._moving_from = at
        self._last, self.since = snapshot, at


def _same(one: ScreenSnapshot, other: ScreenSnapshot) -> bool:
    if one is other:
        return True
    return (one.title, one.characters, one.styles) == (other.title, other.characters, other.styles)
