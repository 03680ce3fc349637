"""One thread for the blocking work on checkpoints, which the program does not wait for as it ends.

The threads of `concurrent.futures` are joined at exit: a disk or a git that hangs would keep copilot from
ending at all. Work that is cut off there is as if killed, which the log and the journal are made for.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


class OwnThread:
    """Does one work after the other; the thread is started by the first."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._works: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def run(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """Its result, or what it raised. Only in an event loop."""
        done: Future[T] = Future()
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
            self._thread.start()
        self._works.put(lambda: _do(work, done))
        return asyncio.wrap_future(done)

    def end_after(self, last: Callable[[], None]) -> None:
        """Do this after all else, then end. Nothing is to be run any more, and nobody waits."""
        if self._thread is None:
            last()
            return
        self._works.put(last)
        self._works.put(None)

    def _work(self) -> None:
        while (work := self._works.get()) is not None:
            work()
            del work  # its result is not kept until the next


def _do(work: Callable[[], T], done: Future[T]) -> None:
    if not done.set_running_or_notify_cancel():
        return
    try:
        result = work()
    except BaseException as problem:
        done.set_exception(problem)
    else:
        done.set_result(result)
