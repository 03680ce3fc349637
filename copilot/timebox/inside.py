"""Paths that stay inside a folder: links followed first, whatever they are called."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

from copilot.errors import InputError

_MOST_CHARACTERS = 4_096


class PathEscapeError(InputError):
    """A path that leads out of the folder that it must stay in."""


def is_inside(path: str, root: Path) -> bool:
    """Whether this relative path leads to a place below `root`, or to `root` itself."""
    try:
        inside(path, root, "path")
    except InputError:
        return False
    return True


def inside(path: str, root: Path, parameter: str) -> str:
    """`path`, relative to `root` and without detours. It need not exist.

    `root` is resolved. Raises InputError that names the parameter; PathEscapeError if it leads out, be it
    by `..`, by being absolute, or by a link.
    """
    if not path.strip() or "\0" in path or len(path) > _MOST_CHARACTERS:
        raise InputError(f"{parameter}: give a path inside the project, without NUL, of usual length")
    if path.startswith(("/", "~")) or PurePosixPath(path).is_absolute():
        raise PathEscapeError(f"{parameter}: {path[:80]}: must be relative to the project's folder")
    lexical = os.path.normpath(path)
    try:
        real = (root / path).resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise InputError(f"{parameter}: {path[:80]}: cannot be resolved: {error}") from None
    if lexical == ".." or lexical.startswith("../") or not real.is_relative_to(root):
        raise PathEscapeError(f"{parameter}: {path[:80]}: leads out of the project's folder")
    # The lexical path would be another place where a link is followed by `..`.
    return lexical if (root / lexical).resolve() == real else str(real.relative_to(root))
