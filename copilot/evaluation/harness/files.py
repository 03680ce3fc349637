"""What a trial did to files: a picture before, a picture after, and the difference."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

_IGNORED = frozenset({".git", "__pycache__"})


@dataclass(frozen=True, slots=True)
class FileChanges:
    """Paths relative to the folder, sorted."""

    created: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.created or self.changed or self.deleted)

    def lines(self) -> list[str]:
        """A line for each change."""
        return [
            *(f"created {path}" for path in self.created),
            *(f"changed {path}" for path in self.changed),
            *(f"deleted {path}" for path in self.deleted),
        ]


NO_CHANGES = FileChanges()


def picture(folder: Path, ignored: Collection[str] = _IGNORED) -> dict[str, str]:
    """A digest for each file below `folder`, by its relative path; folders of these names are left out."""
    found: dict[str, str] = {}
    for above, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if one not in ignored)
        for name in sorted(names):
            path = Path(above) / name
            found[str(path.relative_to(folder))] = _digest(path)
    return found


def difference(before: dict[str, str], after: dict[str, str]) -> FileChanges:
    """What changed between two pictures."""
    return FileChanges(
        created=tuple(sorted(after.keys() - before.keys())),
        changed=tuple(sorted(path for path in before.keys() & after.keys() if before[path] != after[path])),
        deleted=tuple(sorted(before.keys() - after.keys())),
    )


def _digest(path: Path) -> str:
    if path.is_symlink():
        return f"link to {path.readlink()}"
    if not path.is_file():
        return "no regular file"
    return hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()
