"""The looks at the disk of one verdict: each is counted, and what was seen once is not looked up again."""

from __future__ import annotations

import dataclasses
import functools

from copilot.guard.budget import Budget
from copilot.guard.disk import Disk, Entry
from copilot.guard.scope import ProjectScope

_LOOK = 4
"""Asking the system."""
_COMPONENT = 2
"""One folder of a path that is resolved."""
_BELOW = 1_200
"""Two hundred names, each with its kind."""
_BYTES_A_UNIT = 4_000
"""Of reading alone; who parses what was read counts that."""


def counted(scope: ProjectScope, budget: Budget) -> ProjectScope:
    """The same scope, of which every look spends from `budget`. For one verdict."""
    disk = scope.disk

    @functools.cache
    def resolve(path: str) -> str:
        budget.spend(_COMPONENT * path.count("/"))
        return scope.resolve(path)

    @functools.cache
    def is_file(path: str) -> bool:
        budget.spend(_LOOK + _COMPONENT * path.count("/"))
        return scope.is_file(path)

    @functools.cache
    def files_below(folder: str) -> tuple[str, ...] | None:
        budget.spend(_BELOW)
        return scope.files_below(folder)

    listed: dict[str, tuple[Entry, ...]] = {}
    read: dict[str, bytes | None] = {}

    def list_folder(path: str) -> tuple[Entry, ...]:
        if path not in listed:
            budget.spend(_LOOK + path.count("/"))
            listed[path] = disk.list_folder(path)
        budget.spend(len(listed[path]) // 2)
        return listed[path]

    def read_file(path: str) -> bytes | None:
        if path not in read:
            budget.spend(_LOOK + path.count("/"))
            read[path] = disk.read_file(path)
        budget.spend(len(read[path] or b"") // _BYTES_A_UNIT)
        return read[path]

    @functools.cache
    def size_of(path: str) -> int | None:
        budget.spend(_LOOK + path.count("/"))
        return disk.size_of(path)

    return dataclasses.replace(
        scope,
        resolve=resolve,
        is_file=is_file,
        files_below=files_below,
        disk=Disk(list_folder, read_file, size_of),
    )
