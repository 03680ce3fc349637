"""What git's index says of a project, read from its file and never by running git.

Documentation/gitformat-index.txt: versions 2 to 4, and a split index with its shared part. Where it cannot be
read for certain, everything may be tracked.
"""

from __future__ import annotations

import functools
import posixpath
from bisect import bisect_left
from dataclasses import dataclass

from copilot.guard.budget import Budget
from copilot.guard.disk import Unread
from copilot.guard.repository import Repository, pointed_folder, repository_of
from copilot.guard.scope import ProjectScope

_MODE, _SUBMODULE, _LONGER = 24, 0o160000, 0x4000
_HASHES = (20, 32)
"""Bytes of SHA-1 and SHA-256; the file does not say which."""
_OPTIONAL = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""How the name of an extension begins that a reader may skip."""


@dataclass(frozen=True, slots=True)
class Index:
    """Tracked paths from the top of the repository, sorted. `certain`: there are no others."""

    names: tuple[bytes, ...] = ()
    submodules: tuple[bytes, ...] = ()
    certain: bool = True
    shared: str = ""
    """The hash in the name of the file that holds the other entries of a split index."""

    def tracks(self, name: bytes) -> bool:
        place = bisect_left(self.names, name)
        return self.names[place : place + 1] == (name,)

    def tracks_below(self, folder: bytes) -> bool:
        place = bisect_left(self.names, folder)
        return place < len(self.names) and self.names[place].startswith(folder)


_UNREAD = Index(certain=False)


def index_of(scope: ProjectScope, repository: Repository) -> Index:
    """The index of the repository, with the shared part of a split one."""
    try:
        data = scope.disk.read_file(posixpath.join(repository.folder, "index"))
        if data is None:
            there = any(one.name == "index" for one in scope.disk.list_folder(repository.folder))
            return _UNREAD if there else Index()
        own = parse_index(data)
        if not own.shared:
            return own
        other = scope.disk.read_file(posixpath.join(repository.folder, f"sharedindex.{own.shared}"))
    except Unread:
        return _UNREAD
    return _joined(own, parse_index(other)) if other is not None else _UNREAD


def _joined(own: Index, shared: Index) -> Index:
    """All names of both: those that the own part takes away again are too many, never too few."""
    return Index(
        tuple(sorted({*own.names, *shared.names})),
        (*own.submodules, *shared.submodules),
        own.certain and shared.certain and not shared.shared,
    )


@functools.lru_cache(maxsize=4)
def parse_index(data: bytes) -> Index:
    """The entries of an index file; not certain where the file is not of a known form."""
    found = (_parsed(data, size) for size in _HASHES)
    return next((one for one in found if one is not None), _UNREAD)


def _parsed(data: bytes, size: int) -> Index | None:
    """The same for hashes of `size` bytes; None if they have another length."""
    version, count = int.from_bytes(data[4:8]), int.from_bytes(data[8:12])
    if data[:4] != b"DIRC" or version not in (2, 3, 4):
        return None
    try:
        names, submodules, position = _entries(data, size, version, count)
    except (IndexError, ValueError):
        return None
    return _extended(data, size, position, Index(tuple(sorted(set(names))), tuple(submodules)))


def _entries(data: bytes, size: int, version: int, count: int) -> tuple[list[bytes], list[bytes], int]:
    names: list[bytes] = []
    submodules: list[bytes] = []
    position, name = 12, b""
    for _ in range(count):
        start = position
        flags = int.from_bytes(data[start + 40 + size : start + 42 + size])
        position += 42 + size + (2 if flags & _LONGER and version > 2 else 0)
        if version == 4:
            kept, position = _number(data, position)
            if kept > len(name):
                raise ValueError
            name = name[: len(name) - kept]
        else:
            name = b""
        end = data.index(b"\0", position)
        name += data[position:end]
        position = end + 1
        if version < 4:
            position = start + (end - start + 8) // 8 * 8
        if name:
            names.append(name)
        if int.from_bytes(data[start + _MODE : start + _MODE + 4]) == _SUBMODULE:
            submodules.append(name)
    return names, submodules, position


def _number(data: bytes, position: int) -> tuple[int, int]:
    """A length of version 4, in the encoding of pack files, and the position behind it."""
    byte = data[position]
    value = byte & 127
    while byte & 128:
        position += 1
        byte = data[position]
        value = ((value + 1) << 7) | (byte & 127)
    return value, position + 1


def _extended(data: bytes, size: int, position: int, index: Index) -> Index | None:
    """The index as its extensions say; None if they do not end where the checksum begins."""
    shared, certain = "", True
    end = len(data) - size
    while position < end:
        kind, length = data[position : position + 4], int.from_bytes(data[position + 4 : position + 8])
        if kind == b"link":
            other = data[position + 8 : position + 8 + size]
            shared = other.hex() if any(other) else ""
        elif kind[0] not in _OPTIONAL:
            certain = False
        position += 8 + length
    if position != end:
        return None
    # An entry of a split index without a name replaces one of the shared part.
    certain = certain and not (shared and b"" in index.submodules)
    return Index(index.names, index.submodules, certain, shared)


def is_committed(scope: ProjectScope, path: str, *, doubt: bool = True) -> bool:
    """Whether git tracks the file `path` (as the shell names it, or a link to it).

    `doubt` is the answer where that cannot be known.
    """
    repository = repository_of(scope)
    if repository is None:
        return False
    index = index_of(scope, repository)
    names = (
        scope.resolve(path),
        posixpath.join(scope.resolve(posixpath.dirname(path)), posixpath.basename(path)),
    )
    if any(index.tracks(name) for one in names if (name := _below_top(repository, one))):
        return True
    return doubt and not index.certain


def tracks_below(scope: ProjectScope, folder: str) -> bool:
    """Whether git tracks anything in `folder`; what cannot be read plainly counts as tracked."""
    repository = repository_of(scope)
    if repository is None:
        return False
    index = index_of(scope, repository)
    shown = _below_top(repository, scope.resolve(folder))
    return not index.certain or (bool(shown) and index.tracks_below(shown + b"/"))


def tracked_below(scope: ProjectScope, start: str) -> tuple[str, ...] | None:
    """What git's index names at or below `start`, as seen from there; None if that is not certain."""
    repository = repository_of(scope)
    if repository is None:
        return ()
    index = index_of(scope, repository)
    shown = _below_top(repository, start)
    folder = shown + b"/" if shown else b""
    found = (name[len(folder) :] for name in index.names if name.startswith(folder) or name == shown)
    return tuple(name.decode("utf-8", "surrogateescape") for name in found) if index.certain else None


def _below_top(repository: Repository, path: str) -> bytes:
    """A path as the index names it; empty for one that is not below the top."""
    if not path.startswith(repository.top.rstrip("/") + "/"):
        return b""
    return posixpath.relpath(path, repository.top).encode("utf-8", "surrogateescape")


def live_submodules(scope: ProjectScope) -> str:
    """A submodule that takes its settings from a place that the project can write, or "".

    git asks it with its own settings, also for the state of the whole. Those of a submodule that git itself
    fetched lie below `.git/modules`; another has them in the work tree.
    """
    repository = repository_of(scope)
    if repository is None:
        return ""
    index = index_of(scope, repository)
    if not index.certain and not index.names:
        return "what its index names"
    for one in index.submodules:
        path = one.decode("utf-8", "surrogateescape")
        place = posixpath.join(repository.top, path)
        pointed = pointed_folder(scope, place)
        own = posixpath.join(scope.resolve(repository.common), "modules") + "/"
        if scope.disk.list_folder(posixpath.join(place, ".git")) or (pointed and not pointed.startswith(own)):
            return path
    return ""


def own_settings(scope: ProjectScope, folder: str, budget: Budget) -> str:
    """Why git in `folder` would take its settings from a repository inside the project, or ""."""
    root = scope.root
    for here in scope.folders_up(folder):
        entries = {one.name for one in scope.disk.list_folder(here)}
        budget.spend(len(entries) // 4)
        shown = posixpath.relpath(here, root)
        if "HEAD" in entries and ("commondir" in entries or {"objects", "refs"} <= entries):
            return f"{shown} is a repository without a work tree, whose settings run programs"
        if here != root and ".git" in entries:
            return f"{shown} is a repository of its own, whose settings run programs"
    return ""
