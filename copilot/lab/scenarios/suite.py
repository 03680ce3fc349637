"""`SlotPool`: an executor of processes in which the death of one disturbs no other.

A `ProcessPoolExecutor` that loses a worker gives up all its work. Here every slot is such a pool of one
process: the job whose process died fails with BrokenProcessPool, its slot gets a new one, the others go on.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from types import FrameType
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit

from copilot.errors import InputError
from copilot.lab.scenarios import Outcome, Verdict
from copilot.lab.scenarios.run import Job, ended, run_job
from copilot.lab.stopping import STOPPING

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
    if not _at_work:
        os._exit(0)
    STOPPING.ask()


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


_RETRIES = 3


@contextmanager
def open_executor(where: str, at_once: int) -> Iterator[Executor]:
    """`local`, `dask://HOST:PORT`, or `dask://local?workers=2` for processes here. Raises InputError."""
    if where == "local":
        with SlotPool(at_once) as pool:
            yield pool
        return
    place = urlsplit(where)
    if place.scheme != "dask" or not place.netloc:
        raise InputError(f"--executor {where!r}: must be local, dask://HOST:PORT or dask://local?workers=N")
    with _dask(place.netloc, parse_qs(place.query), at_once) as executor:
        yield executor


@contextmanager
def _dask(netloc: str, query: dict[str, list[str]], at_once: int) -> Iterator[Executor]:
    try:
        import distributed
        from dask import config as settings
    except ImportError:
        raise InputError(
            "--executor dask://…: Dask is not installed; pip install 'copilot-terminal[dask]'"
        ) from None
    dask: Any = distributed
    if netloc == "local":
        workers = int(query.get("workers", [str(at_once)])[0])
        with ExitStack() as stack:
            scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix="copilot-dask-"))
            stack.enter_context(settings.set({"temporary-directory": scratch}))
            cluster = dask.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address=None,
                host="127.0.0.1",
            )
            client = stack.enter_context(dask.Client(stack.enter_context(cluster)))
            yield client.get_executor(retries=_RETRIES)
        return
    with dask.Client(f"tcp://{netloc}", timeout="10s") as client:
        yield client.get_executor(retries=_RETRIES)


LOST = 2
"""How often a job whose process died is started again."""


OnOutcome = Callable[[Job, Outcome], None]


def run_suite(
    jobs: Sequence[Job], executor: Executor, on_outcome: OnOutcome = lambda job, outcome: None
) -> list[Outcome]:
    """All outcomes, in the order of the jobs. `on_outcome` is called with each as it comes.

    A job whose process died is started again, elsewhere. Raises KeyboardInterrupt, with nothing left to run.
    """
    outcomes: dict[int, Outcome] = {}
    lost = dict.fromkeys(range(len(jobs)), 0)
    waiting = list(range(len(jobs)))
    while waiting:
        started = {executor.submit(run_job, jobs[index]): index for index in waiting}
        waiting = []
        for future in as_completed(started):
            index = started[future]
            outcome = _result(future, jobs[index], lost[index])
            if outcome is None:
                lost[index] += 1
                waiting.append(index)
                continue
            outcomes[index] = outcome
            on_outcome(jobs[index], outcome)
    return [outcomes[index] for index in range(len(jobs))]


def _result(future: Future[Outcome], job: Job, lost: int) -> Outcome | None:
    """The outcome, or None if its process died and it may be started again."""
    try:
        outcome = future.result()
    except (BrokenProcessPool, ConnectionError) as error:
        if lost < LOST:
            return None
        return _fault(job, f"its process died {lost + 1} times ({type(error).__name__})", lost + 1)
    except Exception as error:
        return _fault(job, f"{type(error).__name__}: {error}", lost + 1)
    faults = ("its process died",) * lost + outcome.faults
    return replace(outcome, attempts=outcome.attempts + lost, faults=faults)


def _fault(job: Job, reason: str, attempts: int) -> Outcome:
    return replace(ended(job, Verdict.ERROR, reason), as_expected=False, attempts=attempts)


def repeated(jobs: Iterable[Job], times: int) -> list[Job]:
    return [replace(job, repetition=number) for job in jobs for number in range(1, times + 1)]


def slots() -> int:
    """How many trials run at once: one for each core that we may use."""
    return max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
