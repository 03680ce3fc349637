"""Detects an interrupt that ended nothing: a shell at its prompt takes Ctrl-C and reads on.

The wait for the program to tidy up can then be skipped. A program on its way out may read its terminal for a
moment, so two checks in a row must find the child idle.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from copilot.session.ports import Child

_CHECK_SECONDS = 0.15
_CHECKS = 2


class IgnoredInterrupt:
    """Checks the child after an interrupt, until it ends or is idle: then `on_ignored` is called once."""

    def __init__(self, on_ignored: Callable[[], None]) -> None:
        self._on_ignored = on_ignored
        self._next: asyncio.TimerHandle | None = None

    def watch(self, child: Child) -> None:
        """Start the checks; the child has just been interrupted."""
        self._check_later(child, 0)

    def _check_later(self, child: Child, idle_checks: int) -> None:
        self._next = asyncio.get_running_loop().call_later(_CHECK_SECONDS, self._check, child, idle_checks)

    def _check(self, child: Child, idle_checks: int) -> None:
        if not child.alive:
            return
        idle_checks = idle_checks + 1 if child.waits_idle() else 0
        if idle_checks < _CHECKS:
            self._check_later(child, idle_checks)
        else:
            self._on_ignored()

    def close(self) -> None:
        """Stop the checks."""
        if self._next is not None:
            self._next.cancel()
