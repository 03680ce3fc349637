"""A child without a process, for sessions in which only the screen and the typed bytes count."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from typing import Any

from copilot.core.snapshot import TtyFacts

_NO_PROCESS = 1 << 30
"""More than any process id of Linux."""


class MemoryChild:
    """Stands in for the class `PtyChild`: draws `screen`, keeps what it is typed, and reads keys for ever."""

    pid = _NO_PROCESS

    def __init__(self, screen: bytes, *, reads_lines: bool = False) -> None:
        self.typed = bytearray()
        self.alive = True
        self._reads_lines = reads_lines
        self._screen = screen
        self._on_exit: Callable[[int], None] = lambda status: None

    async def start(
        self, argv: object, *, on_output: Callable[[bytes], None], on_exit: Callable[[int], None], **_: Any
    ) -> MemoryChild:
        """Begin to draw soon: `PtyChild.start` returns before the first output too."""
        self.show, self._on_exit = on_output, on_exit
        asyncio.get_running_loop().call_soon(self.show, self._screen)
        return self

    def write(self, data: bytes) -> None:
        self.typed += data

    def resize(self, columns: int, lines: int) -> None:
        """Nothing is drawn again."""

    def facts(self) -> TtyFacts:
        lines = self._reads_lines
        return TtyFacts(reading=True, echo=lines, canonical=lines, foreground="child")

    def hides_typing(self) -> bool:
        return False

    def stopped(self) -> bool:
        return False

    def reads_keys(self) -> bool:
        return True

    def waits_idle(self) -> bool:
        return True

    def interrupt(self) -> bool:
        """A terminal in raw mode: the signal of the session ends the child all the same."""
        self._end(-signal.SIGINT)
        return True

    def bring_back(self) -> bool:
        return False

    async def end(self, grace_seconds: float = 3.0) -> None:
        self._end(-signal.SIGHUP)

    def _end(self, status: int) -> None:
        if self.alive:
            self.alive = False
            asyncio.get_running_loop().call_soon(self._on_exit, status)
