"""The checkpoints of one run, in `checkpoints/` of its folder: taking, listing, what is not covered."""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from copilot.checkpoints.checkpoint import Budget, Changes, Checkpoint, CheckpointError, Moment, Uncovered
from copilot.checkpoints.entries import Entry, Snapshot, changes_between, differing, uncovered_of
from copilot.checkpoints.git import Repository, find_git, path_outside
from copilot.checkpoints.importer import Importer
from copilot.checkpoints.journal import Journal, read_journal, remove_journal, undone
from copilot.checkpoints.log import CheckpointLog
from copilot.checkpoints.project_writer import remove_left
from copilot.checkpoints.records import read_record, write_lock
from copilot.checkpoints.scan import FOLDER_FLAGS, Scan, Scanner
from copilot.checkpoints.states import read_state
from copilot.core.checkpoints import Author, CheckpointMoment
from copilot.documents import parse_json
from copilot.errors import InputError
from copilot.private_files import FOLDER_MODE, write_private

__all__ = [
    "CHECKPOINTS_FOLDER",
    "Author",
    "Budget",
    "Changes",
    "Checkpoint",
    "CheckpointError",
    "CheckpointStore",
    "Moment",
    "Uncovered",
]

CHECKPOINTS_FOLDER = "checkpoints"
NOTES_NAME = "notes"
_GIT_NAME = "git"
_OWN_RECORDS = "copilot's own records"


class CheckpointStore:
    """Keeps states of a project. Threads, and processes that share a run's folder, wait for each other."""

    def __init__(self, folder: Path, project: Path, budget: Budget) -> None:
        self.folder = folder
        """`checkpoints/` of the run."""
        self.project = project
        """The project's folder."""
        self.budget = budget
        self.repository = Repository(folder / _GIT_NAME, find_git(project), path_outside(project))
        self._log = CheckpointLog(folder)
        self._skipped = {path: "left out by the settings" for path in budget.skipped}
        self._skipped.update(_own_records(folder, project))
        self._scan = Scan()
        self._state: dict[str, Entry] = {}
        self._state_commit = ""
        self._kept: set[str] = set()
        self._new: set[str] = set()
        self._root = os.open(project, FOLDER_FLAGS)
        self._mutex = threading.RLock()

    @staticmethod
    def make(run: Path, project: Path, budget: Budget | None = None) -> CheckpointStore:
        """A store for a new run. Nothing of the project is read yet. Raises CheckpointError."""
        folder = run / CHECKPOINTS_FOLDER
        try:
            project = project.resolve(strict=True)
            folder.mkdir(mode=FOLDER_MODE)
            store = CheckpointStore(folder, project, budget or Budget())
            store.repository.make()
            write_private(folder / NOTES_NAME, json.dumps({"version": 1, "project": str(project)}) + "\n")
        except OSError as error:
            raise CheckpointError(f"{folder}: cannot be made: {error.strerror}") from None
        return store

    @staticmethod
    def open(run: Path, budget: Budget | None = None) -> CheckpointStore:
        """The store of a run, over or still going on. Raises InputError if it has none that can be read.

        An undo that was killed is completed first; raises CheckpointError if that cannot be done.
        """
        folder = run / CHECKPOINTS_FOLDER
        try:
            said = parse_json(read_record(folder / NOTES_NAME))
            project = Path(said["project"])
            if not project.is_absolute() or "\0" in str(project):
                raise ValueError
        except FileNotFoundError:
            raise InputError(f"{run}: has no checkpoints; the run was started without them") from None
        except (OSError, ValueError, LookupError, TypeError, RecursionError):
            raise InputError(f"{folder / NOTES_NAME}: cannot be read; this run cannot be undone") from None
        try:
            store = CheckpointStore(folder, project, budget or Budget())
        except OSError as error:
            raise InputError(f"{project}: the run's project cannot be opened: {error.strerror}") from None
        store.complete()
        return store

    @property
    def root(self) -> int:
        """A descriptor of the project's folder."""
        return self._root

    @property
    def used_bytes(self) -> int:
        """What the checkpoints take on the disk; the limit is `Budget.store_bytes`."""
        return self.repository.used_bytes()

    def take(self, author: Author, moment: Moment) -> Checkpoint:
        """Keep the project as it is now; always logs a checkpoint, also when nothing changed.

        Raises CheckpointError if it cannot be kept: over the budget, or the disk is full.
        """
        with self.writing() as lock:
            return self.keep_now(author, moment, lock)

    def checkpoints(self) -> tuple[Checkpoint, ...]:
        """All of the run, oldest first; those of another process included. Raises InputError."""
        with self._mutex:
            self._log.read()
            return tuple(self._log.checkpoints)

    def uncovered(self) -> tuple[Uncovered, ...]:
        """What the newest checkpoint does not keep."""
        taken = self.checkpoints()
        return uncovered_of(self.state(taken[-1].commit)) if taken else ()

    def close(self) -> None:
        """Let go of the project's folder. May be called again."""
        if self._root >= 0:
            os.close(self._root)
            self._root = -1

    # -- for undo -----------------------------------------------------------------------------------

    @contextlib.contextmanager
    def writing(self) -> Iterator[int]:
        """Hold the lock, with the log read and an undo that was killed completed. Raises CheckpointError."""
        with self._mutex, write_lock(self.folder) as lock, _told():
            self._log.read()
            self._open_project()
            self.repository.clean()
            self._complete(lock)
            yield lock

    def complete(self) -> None:
        """Complete the log of an undo that was killed, if there is one."""
        if read_journal(self.folder) is not None:
            with self.writing():
                pass

    def state(self, commit: str) -> dict[str, Entry]:
        """The state that a checkpoint keeps; not to be changed."""
        return self._state if commit == self._state_commit else read_state(self.repository, commit)

    def keep_now(
        self, author: Author, moment: Moment, lock: int, *, only_changes: bool = False
    ) -> Checkpoint:
        """`take`, by who holds the lock. With `only_changes` an equal state is not logged again."""
        with self._importing(lock) as importer:
            found = self._walk(importer)
            if only_changes and self._log.checkpoints and not differing(self._state, found.entries):
                checkpoint = self._log.checkpoints[-1]
                self._state = found.entries
            else:
                checkpoint = self._log_state(author, moment, found.entries, importer)
        self._scan = found
        return checkpoint

    def keep_state(self, commit: str, state: Snapshot, contents: Iterable[bytes], lock: int) -> str:
        """A commit, which is not logged, of a state that differs from that of another commit."""
        before = self.state(commit)
        if not (paths := differing(before, state)):
            return commit
        with self._importing(lock) as importer:
            for data in contents:
                importer.blob(data)
            return importer.commit(commit, before, state, paths)

    def finish_undo(self, journal: Journal, lock: int) -> Checkpoint:
        """Log what an undo did, also if it did not end; what else changed since is the person's.

        What was carried out by the same steps without being an undo, e.g. proposals, is the program's.
        """
        author = Author.UNDO if journal.moment.what == CheckpointMoment.UNDO.value else Author.PROGRAM
        remove_left(self._root, journal.token, journal.steps)
        with self._importing(lock) as importer:
            found = self._walk(importer)
            state = undone(journal, self._state, found.entries)
            checkpoint = self._log_state(author, journal.moment, state, importer)
        if differing(state, found.entries):
            with self._importing(lock) as importer:
                self._log_state(Author.PERSON, replace(journal.moment, text=""), found.entries, importer)
        self._scan = found
        remove_journal(self.folder)
        return checkpoint

    # -- how it is done -----------------------------------------------------------------------------

    def _complete(self, lock: int) -> None:
        """If an undo was killed, do what it had left to do in the log."""
        journal = read_journal(self.folder)
        if journal is None:
            return
        if journal.number == len(self._log.checkpoints):
            self.finish_undo(journal, lock)
        else:
            # Killed after its line was logged: what is not in it is the person's.
            self.keep_now(Author.PERSON, journal.moment, lock, only_changes=True)
            remove_journal(self.folder)

    def _open_project(self) -> None:
        """Have the folder that is at the project's path now; the program may have made it anew."""
        with contextlib.suppress(FileNotFoundError):
            if self._root >= 0 and os.path.samestat(os.fstat(self._root), os.lstat(self.project)):
                return
        self.close()
        try:
            self._root = os.open(self.project, FOLDER_FLAGS)
        except OSError as error:
            why = f"the project cannot be opened: {error.strerror}; make the folder again to undo"
            raise CheckpointError(f"{self.project}: {why}") from None

    @contextlib.contextmanager
    def _importing(self, lock: int) -> Iterator[Importer]:
        importer = Importer(self.repository, lock)
        try:
            self._load_last()
            yield importer
        except BaseException:
            importer.abandon()
            self.repository.clean()
            raise
        importer.abandon()

    def _load_last(self) -> None:
        """Have the state of the last checkpoint, which another process may have taken."""
        last = self._log.checkpoints[-1].commit if self._log.checkpoints else ""
        if last != self._state_commit:
            self._state = read_state(self.repository, last) if last else {}
            self._state_commit = last
            self._kept.update(entry.blob for entry in self._state.values())

    def _walk(self, importer: Importer) -> Scan:
        """Walk the project; contents that are new are kept."""
        room = -1
        kept = self._kept
        new: set[str] = set()

        def keep(blob: str, data: bytes) -> None:
            nonlocal room
            if blob in kept or blob in new:
                return
            if not new:
                room = self.budget.store_bytes - self.used_bytes
            room -= len(data)
            if room < 0:
                most = f"{self.budget.store_bytes >> 20:,} MiB"
                raise CheckpointError(f"the checkpoints of this run are full: {most} (store_bytes)")
            new.add(blob)
            importer.blob(data)

        if not self._scan.entries:
            # Too large a project is told before anything of it is read.
            Scanner(self._root, self._scan, self.budget, self._skipped, None).run()
        found = Scanner(self._root, self._scan, self.budget, self._skipped, keep).run()
        self._new = new
        return found

    def _log_state(
        self, author: Author, moment: Moment, state: dict[str, Entry], importer: Importer
    ) -> Checkpoint:
        """Commit a state if it differs from the last one, and log it."""
        number, commit = len(self._log.checkpoints), self._state_commit
        paths = differing(self._state, state)
        if paths or not commit:
            commit = importer.commit(commit, self._state, state, paths)
            self._kept |= self._new
        changes = changes_between(self._state, state, paths) if number else Changes()
        checkpoint = Checkpoint(number, commit, author, moment, changes, time.time())
        self._log.append(checkpoint)
        self._state, self._state_commit = state, commit
        return checkpoint


@contextlib.contextmanager
def _told() -> Iterator[None]:
    """A fault of the disk, or of the log, as one line."""
    try:
        yield
    except InputError as error:
        raise CheckpointError(str(error)) from None
    except OSError as error:
        raise CheckpointError(f"the checkpoint cannot be written: {error.strerror or error}") from None


def _own_records(folder: Path, project: Path) -> dict[str, str]:
    """The run's folder if it lies in the project, or the folder of all runs."""
    run = folder.parent.resolve()
    place = run.parent if run.parent.name == "runs" else run
    if place == project or not place.is_relative_to(project):
        place = run
    inside = place != project and place.is_relative_to(project)
    return {place.relative_to(project).as_posix(): _OWN_RECORDS} if inside else {}
