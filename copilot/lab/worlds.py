"""`WorldLog`: the project as it was at each request of the model, so that a deed is known by what it did."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from copilot.lab.workspace import FileChanges, difference, file_digest, files_below
from copilot.plain_files import read_plain

_MOST_TEXT = 100_000
_BY_PRODUCTS = frozenset({".git", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache"})


@dataclass(frozen=True, slots=True)
class World:
    """The project's files at one moment: `at` in seconds since the trial began, digests by relative path."""

    at: float
    files: Mapping[str, str]


@dataclass(slots=True)
class WorldLog:
    """Pictures of `project`. `texts` holds each text that was seen, by its digest; long ones are cut."""

    project: Path
    worlds: list[World] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    _known: dict[str, tuple[tuple[int, ...], str]] = field(default_factory=dict)

    def note(self, at: float) -> None:
        files = {name: self._digest(name, path) for name, path in files_below(self.project, _BY_PRODUCTS)}
        self.worlds.append(World(round(at, 3), files))

    def _digest(self, name: str, path: Path) -> str:
        """The file's digest; read again only if its time, size or place has changed."""
        try:
            seen = os.lstat(path)
            state = (seen.st_mtime_ns, seen.st_ctime_ns, seen.st_size, seen.st_ino)
            if name in self._known and self._known[name][0] == state:
                return self._known[name][1]
            digest = file_digest(path)
        except OSError:
            return "cannot be read"
        if digest not in self.texts:
            with suppress(OSError):
                self.texts[digest] = read_plain(path, _MOST_TEXT).decode("utf-8", "replace")
        self._known[name] = (state, digest)
        return digest


def changes_between(one: World, other: World) -> FileChanges:
    return difference(dict(one.files), dict(other.files))
