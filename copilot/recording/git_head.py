"""The commit that a folder is at, read from files: no git runs, so none of its hooks or monitors."""

from __future__ import annotations

from pathlib import Path

_MOST_BYTES = 4 * 1024 * 1024


def git_commit(folder: Path) -> str | None:
    """The commit id of the work tree around `folder`; None if there is none, or it cannot be told."""
    try:
        for parent in (folder, *folder.parents):
            entry = parent / ".git"
            if entry.exists():
                return _head(_git_folder(entry))
    except (OSError, ValueError):
        pass
    return None


def _git_folder(entry: Path) -> Path:
    """`.git` itself, or the folder that a `.git` file names (work trees, submodules)."""
    if entry.is_dir():
        return entry
    target = _text(entry).removeprefix("gitdir:").strip()
    return (entry.parent / target).resolve()


def _head(git: Path) -> str | None:
    head = _text(git / "HEAD").strip()
    if not head.startswith("ref:"):
        return _commit(head)
    name = head.removeprefix("ref:").strip()
    if ".." in name or name.startswith("/"):
        return None
    common = git / "commondir"
    shared = (git / _text(common).strip()).resolve() if common.is_file() else git
    for place in (git, shared):
        if (place / name).is_file():
            return _commit(_text(place / name).strip())
    if (shared / "packed-refs").is_file():
        for line in _text(shared / "packed-refs").splitlines():
            commit, _, ref = line.partition(" ")
            if ref == name:
                return _commit(commit)
    return None


def _commit(text: str) -> str | None:
    return text if len(text) in (40, 64) and all(c in "0123456789abcdef" for c in text) else None


def _text(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(_MOST_BYTES).decode("utf-8", "replace")
