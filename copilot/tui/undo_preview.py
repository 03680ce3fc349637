"""What going back to a checkpoint would do, read file by file and cut where it is long. No widgets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from copilot.checkpoints.checkpoint import Checkpoint, Uncovered
from copilot.checkpoints.undo import FileUndo, UndoPlan
from copilot.session.view import UndoControls

MOST_FILES = 40
"""Of more files than this the diff is not read; all are counted."""
MOST_ROWS = 120
"""Rows of one file's diff."""
MOST_CHARACTERS = 60_000
"""Of one file's diff; what is behind them is only counted."""
DONE_BY = {"restore": "restored", "remove": "removed", "merge": "merged"}
"""The actions of a plan that change a file, and how they are said."""


@dataclass(frozen=True, slots=True)
class FileDiff:
    """One file's diff without its head. `more` counts the rows that are cut off."""

    file: FileUndo
    rows: tuple[str, ...] = ()
    more: int = 0


@dataclass(frozen=True, slots=True)
class UndoPreview:
    """A plan with the diffs of its first files. `unread` counts the files behind them."""

    plan: UndoPlan
    diffs: tuple[FileDiff, ...]
    unread: int
    uncovered: tuple[Uncovered, ...]

    def files(self, *actions: str) -> tuple[FileUndo, ...]:
        """The plan's files with these actions."""
        return tuple(one for one in self.plan.files if one.action in actions)

    @property
    def changing(self) -> tuple[FileUndo, ...]:
        """The files that would be changed."""
        return self.files(*DONE_BY)


async def read_preview(
    controls: UndoControls, target: Checkpoint, wanted: Callable[[], bool]
) -> UndoPreview | None:
    """Plan it, and read the diffs; None as soon as it is not `wanted` any more. Raises CopilotError."""
    plan = await controls.plan(target)
    changing = [one for one in plan.files if one.action in DONE_BY]
    diffs = []
    for file in changing[:MOST_FILES]:
        if not wanted():
            return None
        diffs.append(cut_diff(file, await controls.diff(plan, file.path)))
    uncovered = await controls.uncovered()
    if not wanted():
        return None
    return UndoPreview(plan, tuple(diffs), len(changing) - len(diffs), uncovered)


def cut_diff(file: FileUndo, text: str) -> FileDiff:
    """The rows of a unified diff behind its two lines of names, at most MOST_ROWS of them."""
    head = 0
    for name in ("--- ", "+++ "):
        if text.startswith(name, head):
            head = text.find("\n", head) + 1 or len(text)
    end = head + MOST_CHARACTERS
    rows = text[head:end].rstrip("\n").split("\n") if text[head:end].strip() else []
    behind = text[end:].rstrip("\n")
    more = behind.count("\n") + (1 if behind else 0)
    return FileDiff(file, tuple(rows[:MOST_ROWS]), max(0, len(rows) - MOST_ROWS) + more)
