"""The order in which an undo changes the project: remove from below, make from above, folders' modes last."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping

from copilot.checkpoints.entries import ROOT, Entry, Kind, Snapshot
from copilot.checkpoints.journal import OPENED, Step
from copilot.checkpoints.project_writer import ChangedMeanwhile, ProjectWriter, words

CHANGED = "it changed while it was undone"
_WRITABLE = 0o300


def opened_folders(now: Snapshot, after: Snapshot, steps: Mapping[str, Step]) -> list[str]:
    """Folders that stay, in which something is to change, and whose mode forbids it even to their owner."""
    within = {path.rpartition("/")[0] for path in steps if path != ROOT}
    return sorted(
        path
        for path in within
        if (entry := now.get(path)) is not None
        and entry.kind is Kind.FOLDER
        and entry.mode & _WRITABLE != _WRITABLE
    )


def apply_steps(
    writer: ProjectWriter,
    steps: Mapping[str, Step],
    opened: Mapping[str, Step],
    after: Snapshot,
    go_on: Callable[[], None] = lambda: None,
) -> dict[str, str]:
    """Carry out all steps; the paths that could not be changed, and why. They are as they were.

    `opened` holds the folders of `opened_folders`, `after` the whole state that is to be. `go_on` is called
    before each change, and may raise to end it there. Raises CheckpointError if a content is missing.
    """
    return _Steps(writer, steps, opened, after, go_on).run()


class _Steps:
    def __init__(
        self,
        writer: ProjectWriter,
        steps: Mapping[str, Step],
        opened: Mapping[str, Step],
        after: Snapshot,
        go_on: Callable[[], None],
    ) -> None:
        self._go_on = go_on
        self._writer = writer
        self._steps = steps
        self._opened = opened
        self._failed: dict[str, str] = {}
        self._sources = {
            entry.group: path for path, entry in after.items() if entry.group and path not in steps
        }

    def run(self) -> dict[str, str]:
        for path, step in sorted(self._opened.items()):
            if step.before is not None:
                with self._trying(path):
                    self._writer.set_mode(path, step.before.mode | OPENED)
        for path, step in sorted(self._steps.items(), reverse=True):
            self._clear(path, step)
        for path, step in sorted(self._steps.items()):
            if path not in self._failed:
                self._make(path, step)
        self._set_modes()
        return self._failed

    @contextlib.contextmanager
    def _trying(self, path: str) -> Iterator[None]:
        self._go_on()
        try:
            yield
        except ChangedMeanwhile:
            self._failed[path] = CHANGED
        except OSError as error:
            self._failed[path] = words(error)

    def _clear(self, path: str, step: Step) -> None:
        """Remove what is to go, or is a folder where a file is to be, or the other way round."""
        if step.before is None or (
            step.after is not None and _is_folder(step.before) == _is_folder(step.after)
        ):
            return
        with self._trying(path):
            self._writer.remove(path, step.before)

    def _make(self, path: str, step: Step) -> None:
        entry = step.after
        if entry is None:
            return
        cleared = _is_folder(step.before) != _is_folder(entry)
        expected = None if cleared else step.before
        with self._trying(path):
            if entry.kind is Kind.FOLDER:
                if cleared:
                    self._writer.make_folder(path)
            elif entry.group and entry.group in self._sources:
                self._writer.link(self._sources[entry.group], path, expected)
            else:
                self._writer.put(path, expected, entry)
                if entry.group:
                    self._sources[entry.group] = path

    def _set_modes(self) -> None:
        """Of folders, from below, as a folder may forbid its owner to enter it."""
        for path, step in sorted({**self._opened, **self._steps}.items(), reverse=True):
            left = step.after if path not in self._failed else step.before
            if left is not None and left.kind is Kind.FOLDER:
                with self._trying(path):
                    self._writer.set_mode(path, left.mode)


def _is_folder(entry: Entry | None) -> bool:
    return entry is not None and entry.kind is Kind.FOLDER
