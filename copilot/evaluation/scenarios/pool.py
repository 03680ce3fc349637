"""`SlotPool`: an executor of processes in which the death of one disturbs no other.

A `ProcessPoolExecutor` that loses a worker gives up all its work. Here every slot is such a pool of one
process: the job whose process died fails with BrokenProcessPool, its slot gets a new one, the others go on.
"""

from __future__ import annotations

import multiprocessing
import queue
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

Result = TypeVar("Result")


def _worker() -> None:
    """Ctrl-C goes to the whole group; a worker ends its own trial in order, and then itself."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


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
            slot = self._free.get()
            if self._closed or not promised.set_running_or_notify_cancel():
                self._free.put(slot)
                if not promised.done():
                    promised.cancel()
                return
            try:
                promised.set_result(slot.submit(fn, *args, **kwargs).result())
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

    def processes(self) -> list[int]:
        """The ids of the worker processes that have begun."""
        with self._lock:
            pools = list(self._all)
        return [pid for pool in pools for pid in list(getattr(pool, "_processes", None) or {})]

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
