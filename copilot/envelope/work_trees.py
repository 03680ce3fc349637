"""A project whose `.git` is a file: a work tree, whose repository lies elsewhere and has to be written too.

The file lies in the project, so whoever wrote the project wrote it: its word counts only where the repository
that it names knows this work tree in turn.
"""

from __future__ import annotations

from pathlib import Path

from copilot.errors import CopilotError
from copilot.plain_files import KIB, read_text

_MOST_BYTES = 4 * KIB


def shared_repository(project: Path) -> tuple[list[str], tuple[str, ...]]:
    """The folder of the repository that a work tree belongs to, if any; and what a person should know."""
    entry = project / ".git"
    if not entry.is_file():
        return [], ()
    try:
        own = (project / _text(entry).removeprefix("gitdir:").strip()).resolve()
        common = (own / _text(own / "commondir").strip()).resolve()
        known = Path(_text(own / "gitdir").strip()).resolve() == entry.resolve()
    except (CopilotError, OSError, ValueError):
        return [], (_UNKNOWN.format(entry=entry),)
    if known and own.parent == common / "worktrees" and (common / "objects").is_dir():
        return [str(common)], ()
    return [], (_UNKNOWN.format(entry=entry),)


_UNKNOWN = "envelope: the repository that {entry} names does not know this folder: git can only read it"


def _text(path: Path) -> str:
    return read_text(path, _MOST_BYTES)
