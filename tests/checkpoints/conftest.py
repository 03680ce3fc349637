"""A project and the folder of a run, for the tests of checkpoints."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from copilot.checkpoints.scan import TICK_NS
from copilot.checkpoints.store import Author, Checkpoint, CheckpointStore, Moment


class Kept:
    """A project with its store; the first checkpoint is taken by `start`."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "project"
        self.run = folder / "run"
        self.project.mkdir()
        self.run.mkdir()
        self._store: CheckpointStore | None = None

    @property
    def store(self) -> CheckpointStore:
        if self._store is None:
            self._store = CheckpointStore.make(self.run, self.project)
        return self._store

    def file(self, path: str, text: str = "") -> Path:
        """Write a file of the project."""
        place = self.project / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        return place

    def start(self) -> Checkpoint:
        return self.store.take(Author.START, Moment("start", 0.0))

    def program(self) -> Checkpoint:
        """The program worked until now."""
        return self.store.take(Author.PROGRAM, Moment("waits", 0.0))

    def person(self) -> Checkpoint:
        """The person worked until now."""
        return self.store.take(Author.PERSON, Moment("reply", 0.0))

    def close(self) -> None:
        if self._store is not None:
            self._store.close()


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Kept]:
    kept = Kept(tmp_path)
    yield kept
    kept.close()


def until_times_are_told_apart(path: Path) -> None:
    """Return once a change of a file would leave another ctime than it has."""
    while time.time_ns() - path.lstat().st_ctime_ns <= 2 * TICK_NS:
        time.sleep(0)
