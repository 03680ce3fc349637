"""The versions that refused files would have got, as plain files in `undo/NNN/` beside the checkpoints."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

from copilot.checkpoints.entries import Entry, Kind, Snapshot
from copilot.checkpoints.outcome import Refusal
from copilot.checkpoints.scan import FOLDER_FLAGS
from copilot.private_files import FILE_MODE, FOLDER_MODE, write_all

VERSIONS_FOLDER = "undo"
PERSONS_SUFFIX = ".yours"
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class KeptVersions:
    """Those of one undo. Each folder is opened below the one before: a link in its place leads nowhere."""

    def __init__(self, folder: Path, number: int, content: Callable[[str], bytes]) -> None:
        self._folder = folder
        self._below = f"{VERSIONS_FOLDER}/{number:03d}"
        self._content = content
        self._count = 0

    def keep_refused(self, path: str, refusal: Refusal, now: Snapshot) -> str:
        """Write what a refused path would have got, and the person's own version if it is not there now."""
        place = self.keep(path, refusal.version)
        persons, at = refusal.persons, now.get(path)
        if persons is None or (at is not None and at.blob == persons.blob):
            return place
        own = self.keep(f"{path}{PERSONS_SUFFIX}", persons)
        return place or own

    def keep(self, path: str, entry: Entry | None) -> str:
        """Write a version; where it is, "" if there is none. A link is kept as the text of its target.

        A path that cannot be made there, as another is a file where it needs a folder, gets a plain number.
        Raises OSError.
        """
        if entry is None or entry.kind not in (Kind.FILE, Kind.LINK):
            return ""
        data = self._content(entry.blob)
        self._count += 1
        with contextlib.suppress(OSError):
            return self._write(path, data)
        for number in count(self._count):
            with contextlib.suppress(FileExistsError):
                return self._write(f"version-{number}", data)
        raise AssertionError

    def _write(self, path: str, data: bytes) -> str:
        below, _, name = f"{self._below}/{path}".rpartition("/")
        with _made(self._folder, below) as folder:
            descriptor = os.open(name, _NEW_FILE, FILE_MODE, dir_fd=folder)
            try:
                write_all(descriptor, data)
            except OSError:
                os.unlink(name, dir_fd=folder)
                raise
            finally:
                os.close(descriptor)
        return str(self._folder / below / name)


@contextlib.contextmanager
def _made(start: Path, path: str) -> Iterator[int]:
    """A descriptor of a folder below another, made if need be."""
    descriptor = os.open(start, FOLDER_FLAGS)
    try:
        for part in path.split("/"):
            with contextlib.suppress(FileExistsError):
                os.mkdir(part, FOLDER_MODE, dir_fd=descriptor)
            below = os.open(part, FOLDER_FLAGS, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = below
        yield descriptor
    finally:
        os.close(descriptor)
