"""Writes all steps of an application or none: after a failure or a signal those that were done are reversed.

What was done is read from the disk, not remembered: an error may come from the middle of a step.
"""

from __future__ import annotations

import contextlib
import secrets
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence

from copilot.checkpoints.apply_steps import CHANGED, apply_steps, opened_folders
from copilot.checkpoints.checkpoint import CheckpointError, Moment
from copilot.checkpoints.entries import Entry, differing
from copilot.checkpoints.journal import OPENED, Journal, Step, write_journal
from copilot.checkpoints.project_writer import ChangedMeanwhile, ProjectWriter, remove_left
from copilot.checkpoints.states import Contents
from copilot.checkpoints.store import CheckpointStore
from copilot.errors import CopilotError

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_OF_A_SIGNAL = 128


class Interrupted(CopilotError):
    """A signal came while it was written; `exit_code` is the one of that signal."""

    def __init__(self, number: int, said: str) -> None:
        super().__init__(f"interrupted; {said}")
        self.exit_code = _OF_A_SIGNAL + number


def write(
    store: CheckpointStore, now: Mapping[str, Entry], after: Mapping[str, Entry], moment: Moment, lock: int
) -> dict[str, str]:
    """All steps, or none of them if one fails; which failed, and why.

    Raises Interrupted for a signal, and CheckpointError if something could not be put back.
    """
    steps = {path: Step(now.get(path), after.get(path)) for path in differing(now, after)}
    opened = {path: Step(now[path], now[path]) for path in opened_folders(now, after, steps)}
    journal = Journal(len(store.checkpoints()), secrets.token_hex(8), moment, {**opened, **steps})
    failed: dict[str, str] = {}
    stopped: BaseException | None = None
    with _signals_wait() as came:
        write_journal(store.folder, journal)
        with Contents(store.repository) as contents:
            writer = ProjectWriter(store.root, journal.token, contents.read, store.budget.file_bytes)
            try:
                failed = apply_steps(writer, steps, opened, after, lambda: _go_on(came))
                _go_on(came)
            except BaseException as error:
                stopped = error
            if failed or stopped:
                remove_left(store.root, journal.token, steps)
            left = _take_back(writer, steps, opened, now) if failed or stopped else ""
        with contextlib.suppress(CopilotError, OSError) if stopped else contextlib.nullcontext():
            store.finish_undo(journal, lock)  # else the journal stays, and the next one who looks finishes
    _raise_for(stopped, left, came)
    return failed


def _go_on(came: Sequence[int]) -> None:
    if came:
        raise KeyboardInterrupt


def _raise_for(stopped: BaseException | None, left: str, came: Sequence[int]) -> None:
    """An interrupt stays one, with its exit code, whatever could not be put back."""
    if isinstance(stopped, KeyboardInterrupt):
        raise Interrupted(came[0] if came else signal.SIGINT, left or "nothing is changed") from None
    if left:
        raise CheckpointError(left) from stopped
    if stopped is not None:
        raise stopped
    if came:
        raise Interrupted(came[0], "all was written before; copilot undo last takes it back")


def _take_back(
    writer: ProjectWriter, steps: Mapping[str, Step], opened: Mapping[str, Step], now: Mapping[str, Entry]
) -> str:
    """Reverse the steps that were done; what could not be put back, and why, or ""."""
    for path, step in opened.items():
        with contextlib.suppress(OSError, ChangedMeanwhile):
            writer.set_mode(path, (step.before.mode if step.before else 0) | OPENED)
    back: dict[str, Step] = {}
    left: dict[str, str] = {}
    for path, step in steps.items():
        if writer.holds(path, step.before):
            continue
        # Of a file that a folder replaces, the first half of the step may be all that was done.
        there = next((one for one in (step.after, None) if writer.holds(path, one)), step.before)
        if there == step.before:
            left[path] = CHANGED
        else:
            back[path] = Step(there, step.before)
    left.update(apply_steps(writer, back, opened, now))
    if not left:
        return ""
    path, why = next(iter(left.items()))
    return f"{path}: could not be put back: {why}; copilot undo last brings it back"


@contextlib.contextmanager
def _signals_wait() -> Iterator[list[int]]:
    """The signals that came meanwhile; they do nothing else, so that no step is broken off in its middle.

    One that is ignored (nohup) stays ignored. Outside the main thread no handler can be set.
    """
    came: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield came
        return
    before = {one: signal.getsignal(one) for one in _SIGNALS}
    held = {one: handler for one, handler in before.items() if handler not in (signal.SIG_IGN, None)}
    for one in held:
        signal.signal(one, lambda number, _frame: came.append(number))
    try:
        yield came
    finally:
        for one, handler in held.items():
            signal.signal(one, handler)
