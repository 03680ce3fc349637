"""Puts a change of the person on top of another state, path by path (three-way, as `git merge-file`)."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from copilot.checkpoints.entries import Entry, Kind, blob_id
from copilot.checkpoints.git import Repository
from copilot.private_files import open_private, write_all

_MOST_BYTES = 8 << 20
"""Larger files are not merged."""
_LOOKED_AT = 8000
"""git takes a file for binary if a NUL is among so many first bytes (buffer_is_binary)."""
_MOST_CONFLICTS = 127


class Conflict(Exception):
    """The change cannot be put there; the message says why, for a person."""


@dataclass(slots=True)
class Merger:
    """Merges, with the contents it needs from `read`; new contents are in `contents`, by object id."""

    repository: Repository
    folder: Path
    read: Callable[[str], bytes]
    contents: dict[str, bytes] = field(default_factory=dict)

    def merge(self, base: Entry | None, ours: Entry | None, theirs: Entry | None) -> Entry | None:
        """What is at a path after the change from `base` to `theirs` is put on `ours`. Raises Conflict."""
        if base == theirs or ours == theirs:
            return ours
        if base == ours:
            return theirs
        if theirs is None:
            raise Conflict("you removed it, and it had been changed")
        if ours is None:
            raise Conflict("you changed it, and it was not there before")
        if ours.kind is Kind.FOLDER and theirs.kind is Kind.FOLDER:
            return theirs if base is None else replace(ours, mode=_mode(base, ours, theirs))
        if base is None:
            if ours.kind is theirs.kind is Kind.FILE and ours.blob == theirs.blob:
                return theirs
            raise Conflict("you made it, and another was there before")
        if not base.kind is ours.kind is theirs.kind is Kind.FILE:
            raise Conflict("you changed it, and what it is was changed too")
        blob, mode = self._blob(base, ours, theirs), _mode(base, ours, theirs)
        return Entry(Kind.FILE, mode, blob, theirs.group if theirs.group == ours.group else "")

    def content(self, blob: str) -> bytes:
        """A content of the store or a merged one."""
        return self.contents[blob] if blob in self.contents else self.read(blob)

    def _blob(self, base: Entry, ours: Entry, theirs: Entry) -> str:
        if base.blob == theirs.blob or ours.blob == theirs.blob:
            return ours.blob
        if base.blob == ours.blob:
            return theirs.blob
        data = self._text(self.content(ours.blob), self.content(base.blob), self.content(theirs.blob))
        blob = blob_id(data)
        self.contents[blob] = data
        return blob

    def _text(self, ours: bytes, base: bytes, theirs: bytes) -> bytes:
        """`git merge-file`: how many conflicts it found is its exit code."""
        if any(b"\0" in side[:_LOOKED_AT] for side in (ours, base, theirs)):
            raise Conflict("you changed it, and it is binary")
        if max(len(ours), len(base), len(theirs)) > _MOST_BYTES:
            raise Conflict("you changed it, and it is too large to be merged")
        with tempfile.TemporaryDirectory(prefix="merge-", dir=self.folder) as place:
            for name, data in (("ours", ours), ("base", base), ("theirs", theirs)):
                _write(Path(place) / name, data)
            paths = [str(Path(place) / name) for name in ("ours", "base", "theirs")]
            code, merged = self.repository.ended(
                ["merge-file", "-p", "-q", *paths], codes=range(_MOST_CONFLICTS + 1)
            )
        if code:
            raise Conflict("you changed the same lines")
        return merged


def _mode(base: Entry, ours: Entry, theirs: Entry) -> int:
    if base.mode == theirs.mode or ours.mode == theirs.mode:
        return ours.mode
    if base.mode == ours.mode:
        return theirs.mode
    raise Conflict("you changed its mode, and it had been changed before")


def _write(path: Path, data: bytes) -> None:
    descriptor = open_private(path, os.O_WRONLY)
    try:
        write_all(descriptor, data)
    finally:
        os.close(descriptor)
