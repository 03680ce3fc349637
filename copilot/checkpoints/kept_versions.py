"""The versions that refused files would have got, as plain files in `undo/NNN/` beside the checkpoints."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from copilot.checkpoints.entries import Entry, Kind, Snapshot
from copilot.checkpoints.outcome import Refusal
from copilot.private_files import FOLDER_MODE, open_private, write_all

VERSIONS_FOLDER = "undo"
PERSONS_SUFFIX = ".yours"


class KeptVersions:
    """Those of one undo."""

    def __init__(self, folder: Path, number: int, content: Callable[[str], bytes]) -> None:
        self._place = folder / VERSIONS_FOLDER / f"{number:03d}"
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
        """
        if entry is None or entry.kind not in (Kind.FILE, Kind.LINK):
            return ""
        data = self._content(entry.blob)
        self._count += 1
        try:
            return _write(self._place / path, data)
        except OSError:
            return _write(self._place / f"version-{self._count}", data)


def _write(path: Path, data: bytes) -> str:
    for folder in reversed([path.parent, *path.parent.parents][:-1]):
        if not folder.exists():
            folder.mkdir(mode=FOLDER_MODE)
    descriptor = open_private(path, os.O_WRONLY | os.O_EXCL)
    try:
        write_all(descriptor, data)
    finally:
        os.close(descriptor)
    return str(path)
