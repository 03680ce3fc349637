"""Named timers of one run on the event loop: setting one of the same name replaces it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

LATE_SECONDS = 1.0


class Timers:
    """Calls `fire(name, late_seconds)` when a timer has run out.

    `late_seconds` is 0 up to `LATE_SECONDS`: a longer delay means that the process itself was stopped.
    """

    def __init__(self, fire: Callable[[str, float], None]) -> None:
        self._fire = fire
        self._running: dict[str, asyncio.TimerHandle] = {}
        self._due: dict[str, float] = {}

    def start(self, name: str, seconds: float) -> None:
        """Fire `name` after so many seconds, and at no other time."""
        self.stop(name)
        loop = asyncio.get_running_loop()
        self._due[name] = loop.time() + max(0.0, seconds)
        self._running[name] = loop.call_at(self._due[name], self._ring, name)

    def stop(self, name: str) -> None:
        """Forget `name`."""
        handle = self._running.pop(name, None)
        self._due.pop(name, None)
        if handle is not None:
            handle.cancel()

    def stop_all(self) -> None:
        """Forget every timer."""
        for name in tuple(self._running):
            self.stop(name)

    def remaining(self, name: str) -> float | None:
        """Seconds until `name` fires, or None if it does not run."""
        due = self._due.get(name)
        return None if due is None else max(0.0, due - asyncio.get_running_loop().time())

    def _ring(self, name: str) -> None:
        self._running.pop(name, None)
        due = self._due.pop(name)
        late = asyncio.get_running_loop().time() - due
        self._fire(name, late if late > LATE_SECONDS else 0.0)
