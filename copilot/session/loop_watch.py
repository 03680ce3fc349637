"""Ends a headless process whose event loop is stuck: its limits are not kept by who judges alone.

The time limit and signals are heard on the loop, where screens are read and judged. Were a step there
without end, the loop would hear nothing. A thread asks it, when the limit is due and after each signal,
whether it still turns. The supervisor ends the child's tree once this process is gone; the run folder is as
after a kill.
"""

from __future__ import annotations

import asyncio
import os
import queue
import signal
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

TURN_SECONDS = 5.0
"""A loop that has not turned for so long is stuck; on a busy machine, or with a slow disk, turns are late."""
LIMIT_CODE, SIGNAL_CODE = 3, 130
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_LIMIT, _OVER = 0, -1


class LoopWatch:
    """A context manager for the main thread: gives signals to `interrupt`. It watches until `ended`."""

    def __init__(
        self, interrupt: Callable[[], None], ended: asyncio.Future[Any], limit_seconds: float | None
    ) -> None:
        self._interrupt = interrupt
        ended.add_done_callback(lambda _: self._came.put(_OVER))
        self._loop = asyncio.get_running_loop()
        self._due = None if limit_seconds is None else time.monotonic() + limit_seconds
        self._came: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> None:
        self._before = {number: signal.signal(number, self._signalled) for number in _SIGNALS}
        threading.Thread(target=self._watch, name="loop watch", daemon=True).start()

    def __exit__(self, *_: object) -> None:
        for number, before in self._before.items():
            signal.signal(number, signal.SIG_DFL if before is None else before)

    def _signalled(self, number: int, _: FrameType | None) -> None:
        self._loop.call_soon_threadsafe(self._interrupt)
        self._came.put(number)

    def _watch(self) -> None:
        while (came := self._next()) != _OVER:
            turned = threading.Event()
            try:
                self._loop.call_soon_threadsafe(turned.set)
            except RuntimeError:  # it is closed: the run has just ended
                return
            if not turned.wait(TURN_SECONDS):
                what = "the time limit is reached" if came == _LIMIT else "told to end"
                os.write(2, f"copilot: error: {what}, and copilot itself is stuck: ended at once\n".encode())
                os._exit(LIMIT_CODE if came == _LIMIT else SIGNAL_CODE)

    def _next(self) -> int:
        """The number of the signal that came, or that the limit is due, or that it is over."""
        left = None if self._due is None else max(0.0, self._due - time.monotonic())
        try:
            return self._came.get(timeout=left)
        except queue.Empty:
            self._due = None
            return _LIMIT
