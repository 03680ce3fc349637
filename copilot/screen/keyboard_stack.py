"""The kitty keyboard protocol's flags: a stack of them, one for each grid."""

from __future__ import annotations

DEEPEST = 16
ALL = 31


class KeyboardStack:
    """`flags`: 1 disambiguate, 2 event types, 4 alternate keys, 8 all keys as escapes, 16 text."""

    __slots__ = ("_below", "flags")

    def __init__(self) -> None:
        self.flags = 0
        self._below: list[int] = []

    def push(self, flags: int) -> None:
        self._below = [*self._below, self.flags][-DEEPEST:]
        self.flags = flags & ALL

    def pop(self, number: int) -> None:
        for _ in range(min(number, DEEPEST)):
            self.flags = self._below.pop() if self._below else 0

    def set(self, flags: int, how: int) -> None:
        """`how`: 1 replace, 2 add, 3 take away."""
        flags &= ALL
        if how == 1:
            self.flags = flags
        elif how == 2:
            self.flags |= flags
        elif how == 3:
            self.flags &= ~flags
