"""The state of a project: what is at each path, and how two states differ.

A snapshot maps paths without a trailing `/` to entries; the project's own folder is the path "". Every
covered path has all its parents in the snapshot as folders.
"""

from __future__ import annotations

import hashlib
import platform
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from copilot.checkpoints.checkpoint import Changes, Uncovered

ROOT = ""
_FOLDS_CASE = platform.system() == "Darwin"
_ELSEWHERE = re.compile(r"(?:^|/)(?:\.{0,2}|\.git)(?:/|\Z)|\0", re.IGNORECASE if _FOLDS_CASE else 0)


class Kind(Enum):
    """What is at a path."""

    FILE = "file"
    LINK = "link"
    FOLDER = "folder"
    UNCOVERED = "uncovered"


@dataclass(frozen=True, slots=True)
class Entry:
    """One path of a snapshot.

    `mode` holds the 12 permission bits (0 for links), `blob` the object id of the content or the link's
    target, `group` the first path of those that are the same file (hard links), `why` the reason if it is not
    covered.
    """

    kind: Kind
    mode: int = 0
    blob: str = ""
    group: str = ""
    why: str = ""


Snapshot = Mapping[str, Entry]


def blob_id(data: bytes) -> str:
    """The object id that git gives this content in a repository of SHA-256 (hash-function-transition)."""
    return hashlib.sha256(b"blob %d\0" % len(data) + data).hexdigest()


def is_git_name(name: str) -> bool:
    """Whether git keeps a repository under this name."""
    return name == ".git" or (_FOLDS_CASE and name.lower() == ".git")


def is_project_path(path: str) -> bool:
    """Whether a state may hold this path: below the project, and in no repository of git's.

    A record that says another is none of ours: undo would write where it never looks.
    """
    return not _ELSEWHERE.search(path)


def parents(path: str) -> Iterator[str]:
    """The folders above a path, nearest first, without the project's own."""
    while (cut := path.rfind("/")) > 0:
        path = path[:cut]
        yield path


def shown_path(path: str, entry: Entry | None) -> str:
    """The path as `Changes` and plans name it: a folder's ends in `/`."""
    if path == ROOT:
        return "./"
    return path + "/" if entry is not None and entry.kind is Kind.FOLDER else path


def differing(before: Snapshot, after: Snapshot) -> list[str]:
    """The paths at which two snapshots differ, sorted."""
    if before == after:
        return []
    found = [path for path, entry in after.items() if (old := before.get(path)) is not entry and old != entry]
    found.extend(path for path in before if path not in after)
    return sorted(found)


def is_uncovered(snapshot: Snapshot, path: str) -> bool:
    """Whether a snapshot does not say what is at this path: it, or a folder above it, is not covered."""
    return any(
        (entry := snapshot.get(one)) is not None and entry.kind is Kind.UNCOVERED
        for one in (path, *parents(path))
    )


def changes_between(before: Snapshot, after: Snapshot, paths: list[str]) -> Changes:
    """What changed at these paths; what one side does not cover is left out, and so are hard links."""
    created, changed, removed = [], [], []
    for path in paths:
        old, new = _alone(before.get(path)), _alone(after.get(path))
        if old == new or is_uncovered(before, path) or is_uncovered(after, path):
            continue
        if old is not None and new is not None and old.kind is new.kind:
            changed.append(shown_path(path, new))
            continue
        if old is not None:
            removed.append(shown_path(path, old))
        if new is not None:
            created.append(shown_path(path, new))
    return Changes(tuple(sorted(created)), tuple(sorted(changed)), tuple(sorted(removed)))


def _alone(entry: Entry | None) -> Entry | None:
    return replace(entry, group="") if entry is not None and entry.group else entry


def uncovered_of(snapshot: Snapshot) -> tuple[Uncovered, ...]:
    """What a snapshot does not keep, sorted by path."""
    return tuple(
        Uncovered(path, entry.why) for path, entry in sorted(snapshot.items()) if entry.kind is Kind.UNCOVERED
    )
