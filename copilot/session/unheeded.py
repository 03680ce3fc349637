"""An interrupt that had nothing to end: a shell at its prompt takes Ctrl-C and reads on.

The time that a program gets for tidying up would then be waited for nothing. One look may meet a program
that asks its terminal something on its way out, so two in a row must agree.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from copilot.session.ports import Child

_LOOK_SECONDS = 0.15
_LOOKS = 2


class UnheededInterrupt:
    """Looks at the child after an interrupt, until it has ended. `found` is called once."""

    def __init__(self, found: Callable[[], None]) -> None:
        self._found = found
        self._next: asyncio.TimerHandle | None = None

    def watch(self, child: Child) -> None:
        """The child has just been interrupted."""
        self._look_later(child, 0)

    def _look_later(self, child: Child, agreed: int) -> None:
        self._next = asyncio.get_running_loop().call_later(_LOOK_SECONDS, self._look, child, agreed)

    def _look(self, child: Child, agreed: int) -> None:
        if not child.alive:
            return
        agreed = agreed + 1 if child.waits_idle() else 0
        if agreed < _LOOKS:
            self._look_later(child, agreed)
        else:
            self._found()

    def close(self) -> None:
        """Look no more."""
        if self._next is not None:
            self._next.cancel()
