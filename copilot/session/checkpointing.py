"""Checkpoints of a live run: taken in a thread of their own, and undone for the person."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from copilot.checkpoints.checkpoint import Budget, Checkpoint, CheckpointError, Moment, Uncovered
from copilot.checkpoints.own_thread import OwnThread
from copilot.checkpoints.store import CheckpointStore
from copilot.checkpoints.undo import UndoPlan, UndoResult, apply_undo, plan_undo
from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.checkpoints import Author, CheckpointMoment
from copilot.errors import InputError
from copilot.session.ports import ends_by_fault

if TYPE_CHECKING:
    from copilot.session.live import LiveSession

START_SECONDS = 0.5
"""The child starts after so long, though the first checkpoint is not whole."""
END_SECONDS = 10.0
"""How long the last checkpoint may take after the run."""
_MOST_LISTED = 500
_NEARLY_FULL = 0.8


class Checkpointing:
    """Takes checkpoints, one after the other, and answers with events of the run."""

    def __init__(self, store: CheckpointStore, session: LiveSession, clean: Callable[[str], str]) -> None:
        """`clean` redacts a line and makes it safe to show."""
        self._store = store
        self._session = session
        self._clean = clean
        self._thread = OwnThread("checkpoints")
        self._tasks: set[asyncio.Task[None]] = set()
        self._logged = 0
        """How many checkpoints of the log are known."""
        self._warned = False

    def fault(self, problem: Exception) -> None:
        """A fault here is one of the session."""
        self._session.fault(problem)

    async def begin(self) -> None:
        """Take the first one; return when it is taken, or after START_SECONDS, while it goes on."""
        first = self._start(fx.TakeCheckpoint(CheckpointMoment.START, 1))
        await asyncio.wait({first}, timeout=START_SECONDS)

    def carry_out(self, effect: fx.TakeCheckpoint) -> None:
        """Take one; the answer is an event."""
        self._start(effect)

    async def settled(self, seconds: float) -> bool:
        """Wait until none is being taken, at most so long; whether that is so."""
        if not self._tasks:
            return True
        _, pending = await asyncio.wait(set(self._tasks), timeout=seconds)
        return not pending

    async def close(self) -> None:
        """Take the last one, and let go of the store."""
        last = self._start(fx.TakeCheckpoint(CheckpointMoment.END, self._session.run.decisions + 1))
        await asyncio.wait({last}, timeout=END_SECONDS)
        # A descriptor that is closed while the thread is at work may be another folder's then.
        self._thread.end_after(self._store.close)

    # -- undo ----------------------------------------------------------------------------------------

    async def checkpoints(self) -> tuple[Checkpoint, ...]:
        """All of this run, oldest first."""
        return await self._thread.run(self._store.checkpoints)

    async def uncovered(self) -> tuple[Uncovered, ...]:
        """What the newest checkpoint does not keep."""
        return await self._thread.run(self._store.uncovered)

    async def plan(self, target: Checkpoint) -> UndoPlan:
        """What going back to `target` would do. Raises CheckpointError."""
        at, busy = self._session.clock(), not self._session.run.detection.waiting
        author = Author.PROGRAM if busy else Author.PERSON
        plan = await self._thread.run(lambda: plan_undo(self._store, target, author=author, at=at))
        self._follow_log(await self.checkpoints())
        return plan

    async def diff(self, plan: UndoPlan, path: str) -> str:
        """What a plan does to one file. Raises CheckpointError."""
        return await self._thread.run(lambda: plan.diff(path))

    async def undo(self, plan: UndoPlan) -> UndoResult:
        """Put the files back; the CLI is told once it is ready. Raises CheckpointError."""
        result = await self._thread.run(lambda: apply_undo(self._store, plan))
        self._follow_log(await self.checkpoints())
        return result

    # -- taking --------------------------------------------------------------------------------------

    def _start(self, effect: fx.TakeCheckpoint) -> asyncio.Task[None]:
        moment = Moment(effect.moment.value, self._session.clock(), effect.before, self._clean(effect.text))
        task = asyncio.get_running_loop().create_task(self._take(effect, moment), name="checkpoint")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _take(self, effect: fx.TakeCheckpoint, moment: Moment) -> None:
        author = effect.moment.author
        try:
            # In one go: what lists the log in between would take this one for somebody else's.
            taken, logged, used = await self._thread.run(
                lambda: (self._store.take(author, moment), self._store.checkpoints(), self._store.used_bytes)
            )
        except CheckpointError as problem:
            self._answer(self._failed(effect, str(problem)))
        except Exception as problem:
            self._answer(self._failed(effect, f"{type(problem).__name__}: {problem}"))
        else:
            self._follow_log(logged, own=taken.number)
            self._answer(self._taken(effect.moment, effect.before, taken))
            self._warn_when_nearly_full(used)

    def _failed(self, effect: fx.TakeCheckpoint, reason: str) -> ev.CheckpointFailed:
        at = self._session.clock()
        return ev.CheckpointFailed(at=at, moment=effect.moment, reason=reason, before=effect.before)

    def _taken(self, moment: CheckpointMoment, before: int, taken: Checkpoint) -> ev.CheckpointTaken:
        changes = taken.changes
        created, changed, removed = (
            _listed(paths) for paths in (changes.created, changes.changed, changes.removed)
        )
        count = len(changes.created) + len(changes.changed) + len(changes.removed)
        return ev.CheckpointTaken(
            at=self._session.clock(),
            number=taken.number,
            moment=moment,
            author=taken.author,
            before=before,
            created=created,
            changed=changed,
            removed=removed,
            unlisted=count - len(created) - len(changed) - len(removed),
        )

    @ends_by_fault
    def _answer(self, event: ev.CheckpointTaken | ev.CheckpointFailed) -> None:
        session = self._session
        if session.run.ended:
            session.recorder.event(event)
            return
        if isinstance(event, ev.CheckpointFailed) and event.moment is CheckpointMoment.START:
            session.listener.on_note(f"no undo in this run: {event.reason}")
        session.feed(event)

    def _follow_log(self, logged: tuple[Checkpoint, ...], own: int = -1) -> None:
        """Tell the run what is in the log besides `own`, by us or by another process.

        These are files that were put back, and what else had changed before anybody looked at an undo.
        """
        new, self._logged = logged[self._logged :], len(logged)
        for one in new:
            if self._session.run.ended or one.number == own:
                continue
            if one.author is not Author.UNDO:
                if one.changes:
                    self._answer(self._taken(CheckpointMoment.UNDO, self._session.run.decisions + 1, one))
                continue
            changes = one.changes
            every = sorted((*changes.created, *changes.changed, *changes.removed))
            paths = _listed(tuple(every))
            self._session.feed(
                ev.FilesRestored(
                    at=self._session.clock(),
                    number=one.number,
                    before=one.moment.decision,
                    paths=paths,
                    unlisted=len(every) - len(paths),
                )
            )

    def _warn_when_nearly_full(self, used: int) -> None:
        most = self._store.budget.store_bytes
        if used < most * _NEARLY_FULL or self._warned:
            return
        self._warned = True
        self._session.listener.on_note(
            f"checkpoints take {used >> 20} of {most >> 20} MiB: when that is full, replies are held"
        )


def _listed(paths: tuple[str, ...]) -> tuple[str, ...]:
    """The first paths, of those whose names a transcript can hold."""
    return tuple(path for path in paths if path.isprintable() and _is_text(path))[:_MOST_LISTED]


def _is_text(path: str) -> bool:
    with suppress(UnicodeEncodeError):
        path.encode()
        return True
    return False


async def begin_checkpoints(
    session: LiveSession, project: str, clean: Callable[[str], str]
) -> Checkpointing | None:
    """Checkpoints for this run, the first one begun; None where there can be none, which is said."""
    folder = session.recorder.folder
    try:
        store = await asyncio.to_thread(CheckpointStore.make, folder, Path(project), Budget())
    except (CheckpointError, InputError, OSError) as problem:
        session.listener.on_note(f"no undo in this run: {problem}")
        return None
    session.run.checkpoints = True
    taking = Checkpointing(store, session, clean)
    await taking.begin()
    return taking
