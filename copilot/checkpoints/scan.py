"""Walks the project and reads what changed since the last walk. Follows no link, opens nothing but plain
files.

Nothing of the project is asked what to do: no ignore file, no git configuration. Each folder is opened below
its parent, so that a folder that becomes a link on the way leads nowhere. The root's `.git` is not even
looked at.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

from copilot.checkpoints.checkpoint import Budget, CheckpointError
from copilot.checkpoints.entries import ROOT, Entry, Kind, blob_id, is_git_name
from copilot.checkpoints.reading import StatKey, read_file, read_link, stat_key
from copilot.checkpoints.rebuildable import rebuilt_by

FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
MOST_DEEP = 100
"""Folders inside each other that are walked; each holds a descriptor open meanwhile."""
RUN_RECORDS = frozenset({"manifest.json", "transcript.jsonl"})
"""A folder with these is a run's (`recording/artifacts.py`): another run is not part of what this one did."""
TICK_NS = 25_000_000
"""Two changes within this time may leave the same ctime: some kernels advance it every 10 ms only."""
_SECOND_NS = 1_000_000_000
_COARSE_NS = 2 * _SECOND_NS
"""The same for file systems that keep whole seconds."""
_MODE_BITS, _FORMAT = 0o7777, 0o170000
_SPECIAL = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFBLK: "a device",
    stat.S_IFCHR: "a device",
}


def holds_git(names: Collection[str]) -> bool:
    """Whether a folder with these names is a repository."""
    return ".git" in names or any(len(name) == 4 and is_git_name(name) for name in names)


@dataclass(slots=True)
class Scan:
    """What a walk found: an entry for each path, and what tells whether it must be read again."""

    entries: dict[str, Entry] = field(default_factory=dict)
    seen: dict[str, StatKey] = field(default_factory=dict)
    bytes: int = 0
    grouped: set[str] = field(default_factory=set)
    """Paths that are one file with others."""


class Scanner:
    """One walk. `keep` gets each content that is read, with its object id; without it nothing is read."""

    def __init__(
        self,
        root: int,
        last: Scan,
        budget: Budget,
        skipped: dict[str, str],
        keep: Callable[[str, bytes], None] | None,
    ) -> None:
        self._root = root
        self._last = last
        self._budget = budget
        self._skipped = skipped
        self._keep = keep
        self._found = Scan()
        self._groups: dict[tuple[int, int], list[str]] = {}
        self._started_ns = time.time_ns()
        self._end_at = time.monotonic() + budget.seconds
        self._device = os.fstat(root).st_dev

    def run(self) -> Scan:
        """Walk all of the project. Raises CheckpointError over the budget, OSError without the root."""
        self._found.entries[ROOT] = Entry(Kind.FOLDER, os.fstat(self._root).st_mode & _MODE_BITS)
        with os.scandir(self._root) as entries:
            found = [entry for entry in self._some(entries) if not is_git_name(entry.name)]
            self._walk(self._root, found, {entry.name for entry in found}, "", 0)
        self._join_groups()
        return self._found

    def _some(self, entries: Iterator[os.DirEntry[str]]) -> list[os.DirEntry[str]]:
        """All entries of a folder, or as many as are over the budget in any case."""
        return list(islice(entries, self._budget.entries + 2))

    def _walk(
        self, folder: int, found: list[os.DirEntry[str]], names: set[str], prefix: str, depth: int
    ) -> None:
        """All entries of an open folder. The loop is the whole cost of a walk that finds nothing new.

        What is unchanged keeps its old objects: fewer new ones, so that no garbage collection is due.
        """
        last_seen, last_entries = self._last.seen, self._last.entries
        seen, entries = self._found.seen, self._found.entries
        folders, total = [], 0
        for one in found:
            try:
                at = one.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            name = one.name
            path = prefix + name
            mode = at.st_mode
            if mode & _FORMAT == stat.S_IFDIR:
                folders.append((name, path, at))
                continue
            if at.st_nlink > 1:
                self._groups.setdefault((at.st_dev, at.st_ino), []).append(path)
            last = last_seen.get(path)
            # The same fields as `stat_key`, without the cost of a call.
            if last == (mode, at.st_size, at.st_mtime_ns, at.st_ctime_ns, at.st_ino, at.st_dev):
                seen[path] = last
                entries[path] = last_entries[path]
                total += at.st_size
            else:
                total += self._read(folder, name, path, at)
        self._found.bytes += total
        self._check()
        for name, path, at in folders:
            self._enter(folder, name, path, at, names, depth)

    def _enter(
        self, parent: int, name: str, path: str, at: os.stat_result, beside: set[str], depth: int
    ) -> None:
        why = self._skipped.get(path, "")
        if not why and at.st_dev != self._device:
            why = "on another file system"
        if not why and depth >= MOST_DEEP:
            why = f"deeper than {MOST_DEEP} folders"
        if why:
            self._uncover(path, why)
            return
        self._check_time()
        try:
            folder = os.open(name, FOLDER_FLAGS, dir_fd=parent)
        except FileNotFoundError:
            return
        except OSError as error:
            self._uncover(path, _words(error))
            return
        try:
            self._walk_inside(folder, name, path, beside, depth)
        finally:
            os.close(folder)

    def _walk_inside(self, folder: int, name: str, path: str, beside: set[str], depth: int) -> None:
        try:
            with os.scandir(folder) as entries:
                found = self._some(entries)
                inside = {entry.name for entry in found}
                if holds_git(inside):
                    self._uncover(path, "a git repository of its own")
                elif inside >= RUN_RECORDS:
                    self._uncover(path, "the records of a run of copilot")
                elif by := rebuilt_by(name, inside, beside):
                    self._uncover(path, f"can be built again by {by}")
                else:
                    mode = os.fstat(folder).st_mode & _MODE_BITS
                    last = self._last.entries.get(path)
                    same = last is not None and last.kind is Kind.FOLDER and last.mode == mode
                    self._found.entries[path] = last if last and same else Entry(Kind.FOLDER, mode)
                    self._walk(folder, found, inside, path + "/", depth + 1)
        except PermissionError as error:
            self._uncover(path, _words(error))

    def _read(self, folder: int, name: str, path: str, at: os.stat_result) -> int:
        """Read one file or link that is new or may have changed; its size."""
        if why := _SPECIAL.get(stat.S_IFMT(at.st_mode), ""):
            self._uncover(path, why)
            return 0
        if at.st_size > self._budget.file_bytes:
            self._uncover(path, f"larger than {_size(self._budget.file_bytes)}")
            return 0
        if self._keep is None:
            self._found.entries[path] = Entry(Kind.FILE)
            return at.st_size
        try:
            if stat.S_ISLNK(at.st_mode):
                data, found, stood_still = read_link(folder, name), at, True
                entry = Entry(Kind.LINK, 0, blob_id(data))
            else:
                data, found, stood_still = read_file(folder, name, self._budget.file_bytes)
                entry = Entry(Kind.FILE, found.st_mode & _MODE_BITS, blob_id(data))
        except FileNotFoundError:
            return 0
        except OSError as error:
            self._uncover(path, _words(error))
            return 0
        self._keep(entry.blob, data)
        last = self._last.entries.get(path)
        self._found.entries[path] = last if last == entry else entry
        if stood_still and not self._is_fresh(found):
            self._found.seen[path] = stat_key(found)
        self._check_time()
        return len(data)

    def _is_fresh(self, at: os.stat_result) -> bool:
        """Whether another change could still leave the same times."""
        whole = at.st_ctime_ns % _SECOND_NS == 0 and at.st_mtime_ns % _SECOND_NS == 0
        return at.st_ctime_ns > self._started_ns - (_COARSE_NS if whole else TICK_NS)

    def _uncover(self, path: str, why: str) -> None:
        self._found.entries[path] = Entry(Kind.UNCOVERED, why=why)

    def _check(self) -> None:
        """Raise CheckpointError once the walk is over the budget."""
        budget = self._budget
        if len(self._found.entries) > budget.entries:
            raise CheckpointError(
                f"the project holds more than {budget.entries:,} files: too many for checkpoints (entries)"
            )
        if self._found.bytes > budget.project_bytes:
            raise CheckpointError(
                f"the project holds more than {_size(budget.project_bytes)}: too much for checkpoints"
                " (project_bytes)"
            )
        self._check_time()

    def _check_time(self) -> None:
        if time.monotonic() > self._end_at:
            raise CheckpointError(
                f"reading the project takes longer than {self._budget.seconds:g} s: too long for a checkpoint"
                " (seconds)"
            )

    def _join_groups(self) -> None:
        """Give files that are one file their group. A cached entry may name the group of the last walk."""
        entries, grouped = self._found.entries, self._found.grouped
        for paths in self._groups.values():
            covered = sorted(filter(self._is_file, paths)) if len(paths) > 1 else []
            for path in covered if len(covered) > 1 else ():
                grouped.add(path)
                if entries[path].group != covered[0]:
                    entries[path] = replace(entries[path], group=covered[0])
        for path in self._last.grouped - grouped:
            if (entry := entries.get(path)) is not None and entry.group:
                entries[path] = replace(entry, group="")

    def _is_file(self, path: str) -> bool:
        entry = self._found.entries.get(path)
        return entry is not None and entry.kind is Kind.FILE


def _size(number: int) -> str:
    return f"{number >> 20:,} MiB" if number >= 1 << 20 else f"{number:,} bytes"


def _words(error: OSError) -> str:
    """Why it is not covered, the same words each time."""
    return "cannot be read" if isinstance(error, PermissionError) else (error.strerror or "cannot be read")
