"""A cockpit that is told to end (SIGTERM), or whose terminal is gone (SIGHUP), ends its runs in order.

Without this a hang-up that is inherited as ignored (`nohup`) leaves a cockpit that reads the end of its
input, and waits to write, for ever.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from types import FrameType, TracebackType
from typing import Any

LAST_SECONDS = 8.0
"""After so long the process ends whatever is still open; the child's tree ends with it."""
_NUMBERS = (signal.SIGTERM, signal.SIGHUP)


class EndedFromOutside:
    """A context, of the main thread, in which these signals call `leave(exit_code)` on the running loop."""

    def __init__(self, leave: Callable[[int], object]) -> None:
        self._leave = leave
        self._before: dict[int, Any] = {}
        self._terminals: list[int] = []

    def __enter__(self) -> EndedFromOutside:
        # Asked now: what hangs no longer says that it is a terminal.
        self._terminals = [one for one in range(3) if os.isatty(one)]
        for number in _NUMBERS:
            self._before[number] = signal.signal(number, self._told)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _told(self, number: int, _frame: FrameType | None) -> None:
        code = 128 + number
        watchdog = threading.Timer(LAST_SECONDS, os._exit, [code])
        watchdog.daemon = True
        watchdog.start()
        if number == signal.SIGHUP:
            _lead_nowhere(self._terminals)
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            sys.exit(code)
        loop.call_soon_threadsafe(self._leave, code)


def _lead_nowhere(descriptors: Sequence[int]) -> None:
    """A terminal that is gone fails each write; behind the first that did, drawing would wait for ever."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in descriptors:
        os.dup2(nowhere, descriptor)
    os.close(nowhere)
