"""Folders that a tool builds anew from what is covered: named as not covered, by their name and what is in
them.

A table instead of the project's ignore files: those may name anything, also what nobody can build again. A
folder that has only the name is covered.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rebuildable:
    """One rule: a folder of this name, if it holds one of `inside` or one of `beside` lies next to it.

    With neither given the name alone says it. `by` is what builds it again.
    """

    name: str
    by: str
    inside: frozenset[str] = frozenset()
    beside: frozenset[str] = frozenset()


_NODE = frozenset(
    {"package.json", "package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb"}
)
_TAG = frozenset({"CACHEDIR.TAG"})
"""Written by tools into their caches (bford.info/cachedir)."""
_GRADLE = frozenset({"build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "gradlew"})

REBUILDABLE: tuple[Rebuildable, ...] = (
    Rebuildable("node_modules", "the package manager", beside=_NODE),
    Rebuildable("node_modules", "the package manager", inside=frozenset({".package-lock.json", ".bin"})),
    Rebuildable(".venv", "making the virtual environment again", inside=frozenset({"pyvenv.cfg"})),
    Rebuildable("venv", "making the virtual environment again", inside=frozenset({"pyvenv.cfg"})),
    Rebuildable("env", "making the virtual environment again", inside=frozenset({"pyvenv.cfg"})),
    Rebuildable("__pycache__", "Python"),
    Rebuildable(".mypy_cache", "mypy", inside=_TAG),
    Rebuildable(".pytest_cache", "pytest", inside=_TAG),
    Rebuildable(".ruff_cache", "ruff", inside=_TAG),
    Rebuildable(".hypothesis", "Hypothesis"),
    Rebuildable(".tox", "tox", beside=frozenset({"tox.ini", "pyproject.toml", "setup.cfg"})),
    Rebuildable(".nox", "nox", beside=frozenset({"noxfile.py"})),
    Rebuildable("target", "Cargo", inside=_TAG),
    Rebuildable("target", "Cargo", beside=frozenset({"Cargo.toml"})),
    Rebuildable(".gradle", "Gradle", beside=_GRADLE),
    Rebuildable(".next", "Next.js", beside=frozenset({"package.json"})),
    Rebuildable(".nuxt", "Nuxt", beside=frozenset({"package.json"})),
    Rebuildable(".turbo", "Turborepo", beside=frozenset({"package.json", "turbo.json"})),
    Rebuildable(".parcel-cache", "Parcel", beside=frozenset({"package.json"})),
    Rebuildable(".terraform", "`terraform init`", inside=frozenset({"providers", "modules"})),
)
_NAMES = frozenset(rule.name for rule in REBUILDABLE)


def rebuilt_by(name: str, inside: Set[str], beside: Set[str]) -> str:
    """What builds this folder again, "" if it is to be covered. Both sets are names of directory entries."""
    if name not in _NAMES:
        return ""
    for rule in REBUILDABLE:
        alone = not rule.inside and not rule.beside
        if rule.name == name and (alone or rule.inside & inside or rule.beside & beside):
            return rule.by
    return ""
