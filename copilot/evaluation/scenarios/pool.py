"""`SlotPool`: an executor of processes in which the death of one disturbs no other.

A `ProcessPoolExecutor` that loses a worker gives up all its work. Here every slot is such a pool of one
process: the job whose process died fails with BrokenProcessPool, its slot gets a new one, the others go on.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from types import FrameType
from typing import Any, TypeVar

Result = TypeVar("Result")


_at_work = False


def _worker() -> None:
    """Ctrl-C at a terminal reaches every process of its group: here only the parent's word counts.

    A handler that does nothing, not an ignored signal: what is ignored would stay so in our own children.
    """
    signal.signal(signal.SIGINT, lambda number, frame: None)
    signal.signal(signal.SIGTERM, _stop)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _stop(number: int, frame: FrameType | None) -> None:
    """End the trial in order, or the process at once if it has none."""
    if _at_work:
        raise KeyboardInterrupt
    os._exit(0)


def _guarded(fn: Callable[..., Result], *args: Any, **kwargs: Any) -> Result:
    global _at_work
    _at_work = True
    try:
        return fn(*args, **kwargs)
    finally:
        _at_work = False


class SlotPool(Executor):
    """`slots` processes, each in a pool of its own."""

    def __init__(self, slots: int) -> None:
        self._free: queue.SimpleQueue[ProcessPoolExecutor] = queue.SimpleQueue()
        self._all: set[ProcessPoolExecutor] = set()
        self._lock = threading.Lock()
        self._closed = False
        for _ in range(slots):
            self._free.put(self._new())

    def _new(self) -> ProcessPoolExecutor:
        made = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=_worker)
        with self._lock:
            self._all.add(made)
        return made

    def submit(self, fn: Callable[..., Result], /, *args: Any, **kwargs: Any) -> Future[Result]:
        """Run it in the next free slot."""
        promised: Future[Result] = Future()

        def work() -> None:
            # A worker is started from here, and inherits this: Ctrl-C must not hit it while it imports.
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            slot = self._free.get()
            if self._closed or not promised.set_running_or_notify_cancel():
                self._free.put(slot)
                if not promised.done():
                    promised.cancel()
                return
            try:
                promised.set_result(slot.submit(_guarded, fn, *args, **kwargs).result())
            except BrokenProcessPool as error:
                slot.shutdown(wait=False)
                slot = slot if self._closed else self._new()
                promised.set_exception(error)
            except BaseException as error:
                promised.set_exception(error)
            finally:
                self._free.put(slot)

        threading.Thread(target=work, daemon=True).start()
        return promised

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes; with `cancel_futures` in the midst of their work, which they clean up."""
        self._closed = True
        with self._lock:
            pools = list(self._all)
        for pool in pools:
            workers = list((getattr(pool, "_processes", None) or {}).values())
            if cancel_futures:
                for process in workers:
                    process.terminate()
            pool.shutdown(wait=wait, cancel_futures=True)
