"""The world that proposals change: a state of a folder, changed in memory first.

Nothing here touches the disk. An operation that cannot be done raises Refused, and then nothing of the whole
result is done.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import replace

from copilot.checkpoints.entries import Entry, Kind, Snapshot, blob_id, is_project_path, parents
from copilot.proposals.ranges import Refused

_FILE_MODE = 0o644
_FOLDER_MODE = 0o755
_EXECUTABLE = 0o111
_NOT_OURS = {Kind.LINK: "is a link; name the file itself", Kind.UNCOVERED: "is not covered by checkpoints"}


class World:
    """The entries of a folder by path, with what operations make of them. Contents come from `read`."""

    def __init__(self, snapshot: Snapshot, read: Callable[[str], bytes]) -> None:
        self.before = snapshot
        self.entries = dict(snapshot)
        self.contents: dict[str, bytes] = {}
        """New contents by object id."""
        self._read = read

    def has(self, path: str) -> bool:
        """Whether something is there. Raises Refused where that cannot be said."""
        self._reach(path)
        return path in self.entries

    def is_folder(self, path: str) -> bool:
        return self.has(path) and self.entries[path].kind is Kind.FOLDER

    def is_file(self, path: str, data: bytes, *, executable: bool | None) -> bool:
        """Whether a file is there that holds this; `executable` None is either."""
        entry = self.entries.get(path) if self.has(path) else None
        if entry is None or entry.kind is not Kind.FILE or entry.blob != blob_id(data):
            return False
        return executable in (None, bool(entry.mode & 0o100))

    def hash_of(self, path: str) -> str:
        """The SHA-256 of a file, or of all that is below a folder. Raises Refused if there is none."""
        entry = self._existing(path)
        if entry.kind is Kind.FILE:
            return hashlib.sha256(self.data_of(entry)).hexdigest()
        below = [f"{one[len(path) :]}\0{self.entries[one].blob}\n" for one in sorted(self._below(path))]
        return hashlib.sha256("".join(below).encode("utf-8", "surrogateescape")).hexdigest()

    def check_base(self, path: str, before_hash: str) -> None:
        """Raises Refused unless this is what the path is now."""
        if self.hash_of(path) != before_hash:
            raise Refused(f"{path}: is stale: it changed since the proposal was made; look at it again")

    def text_of(self, path: str) -> str:
        """The text of a file with its line ends. Raises Refused for a file that holds no text."""
        entry = self._existing(path)
        if entry.kind is not Kind.FILE:
            raise Refused(f"{path}: is a folder; name a file")
        data = self.data_of(entry)
        if b"\0" in data:
            raise Refused(f"{path}: is binary; set its whole text, or leave it")
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            raise Refused(f"{path}: is not UTF-8 text; save it as UTF-8") from None

    def data_of(self, entry: Entry) -> bytes:
        return self.contents[entry.blob] if entry.blob in self.contents else self._read(entry.blob)

    def create_file(self, path: str, data: bytes, *, executable: bool) -> None:
        self._free(path)
        self._make_parents(path)
        mode = _FILE_MODE | (_EXECUTABLE if executable else 0)
        self.entries[path] = Entry(Kind.FILE, mode, self._keep(data))

    def create_folder(self, path: str) -> None:
        self._free(path)
        self._make_parents(path)
        self.entries[path] = Entry(Kind.FOLDER, _FOLDER_MODE)

    def set_data(self, path: str, data: bytes) -> None:
        self.entries[path] = replace(self._file(path), blob=self._keep(data))

    def set_executable(self, path: str, executable: bool) -> None:
        entry = self._file(path)
        mode = entry.mode | _EXECUTABLE if executable else entry.mode & ~_EXECUTABLE
        self.entries[path] = replace(entry, mode=mode)

    def rename(self, path: str, new_path: str) -> None:
        self._removable(path)
        if new_path == path or new_path.startswith(f"{path}/"):
            raise Refused(f"{new_path}: lies in what is moved; name another place")
        self._free(new_path)
        self._make_parents(new_path)
        for one in [path, *self._below(path)]:
            self.entries[new_path + one[len(path) :]] = self.entries.pop(one)

    def delete(self, path: str) -> None:
        self._removable(path)
        for one in [path, *self._below(path)]:
            del self.entries[one]

    def _keep(self, data: bytes) -> str:
        blob = blob_id(data)
        self.contents[blob] = data
        return blob

    def _existing(self, path: str) -> Entry:
        self._reach(path)
        entry = self.entries.get(path)
        if entry is None:
            raise Refused(f"{path}: is not there; look at the folder again")
        if entry.kind in _NOT_OURS:
            raise Refused(f"{path}: {_NOT_OURS[entry.kind]}{_said(entry)}")
        if entry.group:
            raise Refused(f"{path}: is one file with other names (hard links); break the link first")
        return entry

    def _file(self, path: str) -> Entry:
        entry = self._existing(path)
        if entry.kind is not Kind.FILE:
            raise Refused(f"{path}: is a folder; name a file")
        return entry

    def _removable(self, path: str) -> None:
        """Raises Refused if something is in it that undo could not bring back."""
        self._existing(path)
        for one in self._below(path):
            if self.entries[one].kind is not Kind.FOLDER:
                self._linked_or_existing(one)

    def _linked_or_existing(self, path: str) -> None:
        if self.entries[path].kind is not Kind.LINK:
            self._existing(path)

    def _free(self, path: str) -> None:
        self._reach(path)
        if path in self.entries:
            raise Refused(f"{path}: is there already; use it, or name another place")

    def _reach(self, path: str) -> None:
        """Raises Refused if the path leads out of the project, into a repository, or through no folder."""
        if not is_project_path(path):
            raise Refused(f"{path}: lies outside the project or in a repository; name a path in the project")
        for parent in parents(path):
            entry = self.entries.get(parent)
            if entry is not None and entry.kind is not Kind.FOLDER:
                why = _NOT_OURS.get(entry.kind, "is a file, no folder")
                raise Refused(f"{path}: {parent} {why}{_said(entry)}")

    def _make_parents(self, path: str) -> None:
        for parent in parents(path):
            self.entries.setdefault(parent, Entry(Kind.FOLDER, _FOLDER_MODE))

    def _below(self, path: str) -> Iterator[str]:
        yield from [one for one in self.entries if one.startswith(f"{path}/")]


def _said(entry: Entry) -> str:
    return f" ({entry.why})" if entry.why else ""
