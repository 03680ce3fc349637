"""What the repository itself says, read from its files and never by running git.

git's index holds the paths of all tracked files as bytes (Documentation/gitformat-index.txt). Where it cannot
be read plainly (version 4, a split index), everything counts as tracked.
"""

from __future__ import annotations

import posixpath

from copilot.guard.scope import ProjectScope


def is_committed(scope: ProjectScope, path: str) -> bool:
    """Whether git tracks the file `path` (as the shell names it, or a link to it)."""
    root = scope.root
    data = scope.disk.read_file(posixpath.join(root, ".git", "index"))
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


def own_settings(scope: ProjectScope, folder: str) -> str:
    """Why git in `folder` would take its settings from a repository inside the project, or ""."""
    root, here = scope.root, scope.resolve(folder)
    while here.startswith(root + "/") or here == root:
        entries = {one.name: one.kind for one in scope.disk.list_folder(here)}
        shown = posixpath.relpath(here, root)
        if "HEAD" in entries and ("commondir" in entries or {"objects", "refs"} <= entries.keys()):
            return f"{shown} is a repository without a work tree, whose settings run programs"
        if here == root:
            return ""
        if ".git" in entries:
            return f"{shown} is a repository of its own, whose settings run programs"
        here = posixpath.dirname(here)
    return ""
