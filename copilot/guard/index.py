"""What the repository itself says, read from its files and never by running git.

git's index holds the paths of all tracked files as bytes (Documentation/gitformat-index.txt). Where it cannot
be read plainly (version 4, a split index), everything counts as tracked.
"""

from __future__ import annotations

import posixpath
import re

from copilot.guard.budget import Budget
from copilot.guard.disk import Unread
from copilot.guard.scope import ProjectScope


def is_committed(scope: ProjectScope, path: str) -> bool:
    """Whether git tracks the file `path` (as the shell names it, or a link to it)."""
    root = scope.root
    try:
        data = scope.disk.read_file(posixpath.join(root, ".git", "index"))
    except Unread:
        return True
    if data is None:
        # Without a repository nothing is committed; an index that cannot be read might hold anything.
        return any(one.name == "index" for one in scope.disk.list_folder(posixpath.join(root, ".git")))
    if data[:4] != b"DIRC" or data[4:8] not in (b"\0\0\0\2", b"\0\0\0\3") or b"link\0\0" in data[-4096:]:
        return True
    names = {
        scope.resolve(path),
        posixpath.join(scope.resolve(posixpath.dirname(path)), posixpath.basename(path)),
    }
    return any(
        name.startswith(root + "/")
        and posixpath.relpath(name, root).encode("utf-8", "surrogateescape") + b"\0" in data
        for name in names
    )


_GITLINK = re.compile(rb"\x00\x00\xe0\x00.{34}([^\x00]{1,1000})\x00", re.DOTALL)
"""A submodule in the index: its mode (160000), sizes and hash, then its path."""


def tracks_below(scope: ProjectScope, folder: str) -> bool:
    """Whether git tracks anything in `folder`; what cannot be read plainly counts as tracked."""
    data = scope.disk.read_file(posixpath.join(scope.root, ".git", "index"))
    if data is None:
        return False
    if data[4:8] not in (b"\0\0\0\2", b"\0\0\0\3"):
        return True
    shown = f"{posixpath.relpath(scope.resolve(folder), scope.root)}/".encode("utf-8", "surrogateescape")
    return any(_begins_entry(data, match.start()) for match in re.finditer(re.escape(shown), data))


def _begins_entry(data: bytes, position: int) -> bool:
    """Whether a path of the index begins there: the 12 bits before it are its length."""
    length = data.find(b"\0", position) - position
    said = {int.from_bytes(data[position - back : position - back + 2]) & 0xFFF for back in (2, 4)}
    return min(length, 0xFFF) in said


def live_submodules(scope: ProjectScope) -> str:
    """A submodule whose folder is a repository of its own (`.git` is a folder there), or "".

    git asks it with its own settings, also for the state of the whole; git itself keeps those of a submodule
    that it fetched below `.git/modules`.
    """
    data = scope.disk.read_file(posixpath.join(scope.root, ".git", "index")) or b""
    for match in _GITLINK.finditer(data):
        path = match.group(1).decode("utf-8", "surrogateescape")
        if scope.disk.list_folder(posixpath.join(scope.root, path, ".git")):
            return path
    return ""


def own_settings(scope: ProjectScope, folder: str, budget: Budget) -> str:
    """Why git in `folder` would take its settings from a repository inside the project, or ""."""
    root, here = scope.root, scope.resolve(folder)
    while here.startswith(root + "/") or here == root:
        entries = {one.name for one in scope.disk.list_folder(here)}
        budget.spend(len(entries) // 4)
        shown = posixpath.relpath(here, root)
        if "HEAD" in entries and ("commondir" in entries or {"objects", "refs"} <= entries):
            return f"{shown} is a repository without a work tree, whose settings run programs"
        if here == root:
            return ""
        if ".git" in entries:
            return f"{shown} is a repository of its own, whose settings run programs"
        here = posixpath.dirname(here)
    return ""
