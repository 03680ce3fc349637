"""`Ledger`: which files of the project were made, changed and removed in a run, by whom, and when."""

from __future__ import annotations

from dataclasses import dataclass

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.checkpoints import Author


@dataclass(frozen=True, slots=True)
class FileChanges:
    """What one author changed up to a checkpoint. `before` is the number of the first decision after it.

    The paths are relative to the project; `unlisted` counts those that are not listed.
    """

    at: float
    checkpoint: int
    before: int
    author: Author
    created: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    unlisted: int = 0

    @property
    def count(self) -> int:
        """How many paths changed."""
        return len(self.created) + len(self.changed) + len(self.removed) + self.unlisted


@dataclass(frozen=True, slots=True)
class Restored:
    """An undo that the run was told of: the number of its checkpoint, and how many paths it put back."""

    at: float
    checkpoint: int
    count: int


class Ledger:
    """Gathers the changes of a run from its events."""

    def __init__(self) -> None:
        self.changes: list[FileChanges] = []
        """By the program and by the person, oldest first."""
        self.made: set[str] = set()
        """What the program itself made in this run, and nobody else has changed since."""
        self._existed: set[str] = set()
        """What was removed and is not the program's own: made again, it is not either."""
        self.restored: list[Restored] = []
        """Undos, oldest first."""

    def receive(self, step: ev.Event | fx.Effect) -> None:
        """One event or effect of the run; only checkpoints and undos count."""
        if isinstance(step, ev.FilesRestored):
            self.restored.append(Restored(step.at, step.number, len(step.paths) + step.unlisted))
            self._changed_by_another(step.paths, step.unlisted)
        if not isinstance(step, ev.CheckpointTaken):
            return
        changes = FileChanges(
            step.at,
            step.number,
            step.before,
            step.author,
            step.created,
            step.changed,
            step.removed,
            step.unlisted,
        )
        if changes.count:
            self.changes.append(changes)
        gone = {path for path in step.removed if path not in self.made}
        self._existed.update(gone)
        if gone or step.unlisted:
            # What is new may be what is gone, under another name.
            self._existed.update(step.created)
        self.made.difference_update(step.removed)
        if step.author is Author.PROGRAM:
            self.made.update(path for path in step.created if path not in self._existed)
        else:
            self._changed_by_another((*step.changed, *step.created), step.unlisted)

    def _changed_by_another(self, paths: tuple[str, ...], unlisted: int) -> None:
        """What is not listed may be any of them."""
        if unlisted:
            self.made.clear()
        self.made.difference_update(paths)
