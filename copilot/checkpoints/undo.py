"""Going back to a checkpoint: the plan, file by file, and carrying it out.

The result is the target's state with everything the person changed after it merged on top, path by path. What
cannot be merged is refused: that file stays as it is now, and the version it would have got is kept beside the
checkpoints.
"""

from __future__ import annotations

from dataclasses import dataclass

from copilot.checkpoints.checkpoint import Checkpoint
from copilot.checkpoints.store import CheckpointStore
from copilot.core.checkpoints import Author


@dataclass(frozen=True, slots=True)
class FileUndo:
    """What undo does with one path. `added` and `removed` count lines from now to after; 0 for binary files.

    `action` is one of `restore` (as at the target), `remove` (it was made since), `merge` (the person's changes
    on top of the target's version), `refuse` (stays as it is now, `why` says the reason), `keep` (stays, no
    conflict: the person's, or not covered; `why` says which).
    """

    path: str
    action: str
    why: str = ""
    added: int = 0
    removed: int = 0


@dataclass(frozen=True, slots=True)
class UndoPlan:
    """What going back to `target` does; `before` is the project as it is now. Files are sorted by path."""

    target: Checkpoint
    before: Checkpoint
    files: tuple[FileUndo, ...]

    def diff(self, path: str) -> str:
        """The change from now to after as a unified diff, one line for a binary file, "" if there is none."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class UndoResult:
    """What was done. `refused` holds path, why, and where the other version is ("" if there is none)."""

    restored: tuple[str, ...]
    removed: tuple[str, ...]
    merged: tuple[str, ...]
    refused: tuple[tuple[str, str, str], ...]
    checkpoint: Checkpoint


def plan_undo(
    store: CheckpointStore, target: Checkpoint, *, author: Author | None = None, at: float = 0.0
) -> UndoPlan:
    """What undo would do. Takes a checkpoint of now first; nothing in the project changes.

    `author` made the changes since the last checkpoint: by default the program if that checkpoint was a reply (it
    was at work since), else the person. `at` is that checkpoint's second of the run. Raises CheckpointError.
    """
    raise NotImplementedError


def apply_undo(store: CheckpointStore, plan: UndoPlan) -> UndoResult:
    """Carry out a plan. A file that changed since the plan was made is refused.

    Killed in the middle, the next `open` or `take` completes the log, and undo can be run again. Raises
    CheckpointError if nothing could be done or the disk is full.
    """
    raise NotImplementedError
