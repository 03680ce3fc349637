"""The checkpoints of one run, in `checkpoints/` of its folder: taking one, listing them, what is not covered."""

from __future__ import annotations

from pathlib import Path

from copilot.checkpoints.checkpoint import (
    Budget,
    Changes,
    Checkpoint,
    CheckpointError,
    Moment,
    Uncovered,
)
from copilot.core.checkpoints import Author

__all__ = [
    "Author",
    "Budget",
    "Changes",
    "Checkpoint",
    "CheckpointError",
    "CheckpointStore",
    "Moment",
    "Uncovered",
]


class CheckpointStore:
    """Keeps states of a project. One object per thread at a time; two processes may share a run's folder."""

    @staticmethod
    def make(run: Path, project: Path, budget: Budget = Budget()) -> CheckpointStore:  # noqa: B008
        """A store for a new run. Nothing of the project is read yet. Raises CheckpointError."""
        raise NotImplementedError

    @staticmethod
    def open(run: Path) -> CheckpointStore:
        """The store of a run, over or still going on. Raises InputError if it has none or it cannot be read."""
        raise NotImplementedError

    @property
    def project(self) -> Path:
        """The project's folder."""
        raise NotImplementedError

    @property
    def budget(self) -> Budget:
        """Its limits."""
        raise NotImplementedError

    @property
    def used_bytes(self) -> int:
        """What the checkpoints take on the disk; the limit is `Budget.store_bytes`."""
        raise NotImplementedError

    def take(self, author: Author, moment: Moment) -> Checkpoint:
        """Keep the project as it is now; always logs a checkpoint, also when nothing changed.

        Raises CheckpointError if it cannot be kept: over the budget, or the disk is full.
        """
        raise NotImplementedError

    def checkpoints(self) -> tuple[Checkpoint, ...]:
        """All of the run, oldest first; those of another process included."""
        raise NotImplementedError

    def uncovered(self) -> tuple[Uncovered, ...]:
        """What the newest checkpoint does not keep."""
        raise NotImplementedError

    def close(self) -> None:
        """Let go of the project's folder. May be called again."""
        raise NotImplementedError
