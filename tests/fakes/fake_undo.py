"""`FakeUndo`: checkpoints, plans and diffs as a test wants them, given when it lets them through."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from copilot.checkpoints.checkpoint import Changes, Checkpoint, Moment, Uncovered
from copilot.checkpoints.undo import FileUndo, UndoPlan, UndoResult
from copilot.core.checkpoints import Author

EPOCH = 1_800_000_000.0


def checkpoint(
    number: int, author: Author, what: str, changes: Changes | None = None, **moment: Any
) -> Checkpoint:
    """Taken ten seconds after the one before, unless `moment` says another second."""
    at = moment.pop("at", number * 10.0)
    changes = changes or Changes()
    return Checkpoint(
        number, f"commit{number}", author, Moment(what, at, **moment), changes, EPOCH + number * 10.0
    )


def plan_of(target: Checkpoint, *files: FileUndo) -> UndoPlan:
    """A plan that nothing can carry out but the fake."""
    before = checkpoint(99, Author.PERSON, "undo")
    return UndoPlan(target, before, files, cast(Any, None), cast(Any, None), "")


class FakeUndo:
    """`UndoControls`. `files` are those of the plan for a checkpoint's number, `diffs` those of a path.

    The problem of a call's name is raised by it; while its gate is not set, it is waited for.
    """

    def __init__(self, *checkpoints: Checkpoint) -> None:
        self.taken = checkpoints
        self.files: dict[int, tuple[FileUndo, ...]] = {}
        self.diffs: dict[str, str] = {}
        self.left_out: tuple[Uncovered, ...] = ()
        self.refused: tuple[tuple[str, str, str], ...] = ()
        self.problems: dict[str, Exception] = {}
        self.calls: list[tuple[str, Any]] = []
        self.gates: dict[str, asyncio.Event] = {}

    async def checkpoints(self) -> tuple[Checkpoint, ...]:
        await self._call("checkpoints", None)
        return self.taken

    async def uncovered(self) -> tuple[Uncovered, ...]:
        await self._call("uncovered", None)
        return self.left_out

    async def plan(self, target: Checkpoint) -> UndoPlan:
        await self._call("plan", target.number)
        return plan_of(target, *self.files.get(target.number, ()))

    async def diff(self, plan: UndoPlan, path: str) -> str:
        await self._call("diff", path)
        return self.diffs.get(path, "")

    async def undo(self, plan: UndoPlan) -> UndoResult:
        await self._call("undo", plan.target.number)
        done = {action: tuple(one.path for one in plan.files if one.action == action) for action in _ACTIONS}
        after = checkpoint(100, Author.UNDO, "undo")
        return UndoResult(done["restore"], done["remove"], done["merge"], self.refused, after)

    async def _call(self, name: str, about: Any) -> None:
        self.calls.append((name, about))
        if name in self.gates:
            await self.gates[name].wait()
        if name in self.problems:
            raise self.problems[name]


_ACTIONS = ("restore", "remove", "merge")
