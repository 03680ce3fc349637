"""Which repository of git a project belongs to: its settings may lie outside the project.

A worktree's `.git` is a file that names its folder (gitrepository-layout(5)); a project may also be a
subfolder of its repository. Read from files, never by running git.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass

from copilot.guard.disk import Unread
from copilot.guard.scope import ProjectScope

_DEEPEST = 40


@dataclass(frozen=True, slots=True)
class Repository:
    """`top` is the work tree, `folder` holds its index, `common` settings and objects."""

    top: str
    folder: str
    common: str


def repository_of(scope: ProjectScope) -> Repository | None:
    """The repository that git uses in the project, also one whose top is above it."""
    here = scope.root
    for _ in range(_DEEPEST):
        found = _at(scope, here)
        if found is not None or here == "/":
            return found
        here = posixpath.dirname(here)
    return None


def pointed_folder(scope: ProjectScope, top: str) -> str:
    """The folder that the file `.git` in `top` names, or "" if there is no such file."""
    try:
        data = scope.disk.read_file(posixpath.join(top, ".git"))
    except Unread:
        return ""
    pointer = (data or b"").partition(b"gitdir:")[2].strip().decode("utf-8", "surrogateescape")
    return scope.resolve(posixpath.join(top, pointer)) if pointer else ""


def _at(scope: ProjectScope, top: str) -> Repository | None:
    inner = posixpath.join(top, ".git")
    if any(one.name == "HEAD" for one in scope.disk.list_folder(inner)):
        return Repository(top, inner, inner)
    folder = pointed_folder(scope, top)
    if not folder:
        return None
    shared = (scope.disk.read_file(posixpath.join(folder, "commondir")) or b"").strip()
    common = posixpath.join(folder, shared.decode("utf-8", "surrogateescape")) if shared else folder
    return Repository(top, folder, scope.resolve(common))
