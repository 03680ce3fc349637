"""Whether an install is pinned: which lock file of the project names what it fetches.

Looked at on disk, in the project's folder itself: a question that says "from the lock file" proves nothing.
"""

from __future__ import annotations

import posixpath

from copilot.safety.scope import ProjectScope, locate

_LOCKS: dict[str, tuple[str, ...]] = {
    "package.json": (
        "package-lock.json",
        "npm-shrinkwrap.json",
        "yarn.lock",
        "pnpm-lock.yaml",
        "bun.lock",
        "bun.lockb",
    ),
    "pyproject.toml": ("uv.lock", "poetry.lock", "pdm.lock"),
    "Pipfile": ("Pipfile.lock",),
    "requirements.txt": (),
    "setup.py": (),
    "Cargo.toml": ("Cargo.lock",),
    "Gemfile": ("Gemfile.lock",),
    "composer.json": ("composer.lock",),
    "go.mod": ("go.sum",),
    "mix.exs": ("mix.lock",),
}
"""The manifests of package managers, each with the files that pin what it names."""
_OF_INSTALLER: dict[str, tuple[str, ...]] = {
    "npm": ("package-lock.json", "npm-shrinkwrap.json"),
    "yarn": ("yarn.lock",),
    "pnpm": ("pnpm-lock.yaml",),
    "bun": ("bun.lock", "bun.lockb"),
    "pip": (),
    "pip3": (),
    "poetry": ("poetry.lock",),
    "uv": ("uv.lock",),
    "pdm": ("pdm.lock",),
    "pipenv": ("Pipfile.lock",),
    "cargo": ("Cargo.lock",),
    "bundle": ("Gemfile.lock",),
    "bundler": ("Gemfile.lock",),
    "composer": ("composer.lock",),
    "mix": ("mix.lock",),
}
_ANY_LOCK = ("", "lock file", "lockfile")


def lock_file_for(scope: ProjectScope, said: str = "") -> str:
    """The lock file that an install rests on; empty if any manifest of the project has none.

    `said` is what the question names: an installer, a file, "lock file", or nothing.
    """
    if scope.too_wide:
        return ""
    manifests = [name for name in _LOCKS if _exists(scope, name)]
    pinned = {name: [lock for lock in _LOCKS[name] if _exists(scope, lock)] for name in manifests}
    there = [lock for locks in pinned.values() for lock in locks]
    if said in _OF_INSTALLER:
        return next((lock for lock in there if lock in _OF_INSTALLER[said]), "")
    if said in _ANY_LOCK:
        return there[0] if there and all(pinned.values()) else ""
    return next((lock for lock in there if lock.casefold() == said), "")


def _exists(scope: ProjectScope, name: str) -> bool:
    """Whether it is a plain file of the project's folder (a link must not lead out of it)."""
    place = locate(scope, name)
    return place.inside and scope.is_file(posixpath.join(scope.root, name))
