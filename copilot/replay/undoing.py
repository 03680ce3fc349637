"""`StoredUndo`: the way back for a run that is over, or that goes on in another process."""

from __future__ import annotations

from pathlib import Path

from copilot.checkpoints.checkpoint import Checkpoint, Uncovered
from copilot.checkpoints.own_thread import OwnThread
from copilot.checkpoints.store import CHECKPOINTS_FOLDER, CheckpointStore
from copilot.checkpoints.undo import UndoPlan, UndoResult, apply_undo, plan_undo


class StoredUndo:
    """`UndoControls` on the folder of a run. The store is opened by the first call, in the one thread it has.

    Where the run goes on elsewhere the store's own lock keeps both apart.
    """

    def __init__(self, run: Path) -> None:
        self._run = run
        self._thread = OwnThread("undo")
        self._opened: CheckpointStore | None = None

    @staticmethod
    def of(run: Path) -> StoredUndo | None:
        """The way back for the run in that folder; None if it kept no checkpoints."""
        return StoredUndo(run) if (run / CHECKPOINTS_FOLDER).is_dir() else None

    async def checkpoints(self) -> tuple[Checkpoint, ...]:
        """All of the run, oldest first. Raises InputError and CheckpointError, as do all others."""
        return await self._thread.run(lambda: self._store().checkpoints())

    async def uncovered(self) -> tuple[Uncovered, ...]:
        """What the newest checkpoint does not keep."""
        return await self._thread.run(lambda: self._store().uncovered())

    async def plan(self, target: Checkpoint) -> UndoPlan:
        """What going back to `target` would do."""
        return await self._thread.run(lambda: plan_undo(self._store(), target))

    async def diff(self, plan: UndoPlan, path: str) -> str:
        """What a plan does to one file."""
        return await self._thread.run(lambda: plan.diff(path))

    async def undo(self, plan: UndoPlan) -> UndoResult:
        """Put the files back."""
        return await self._thread.run(lambda: apply_undo(self._store(), plan))

    def _store(self) -> CheckpointStore:
        if self._opened is None:
            self._opened = CheckpointStore.open(self._run)
        return self._opened
