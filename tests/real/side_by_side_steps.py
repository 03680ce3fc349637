"""What can be done in a scene: keys, text, paste, mouse, sizes. Sizes are those of the window."""

from __future__ import annotations

import time
from collections.abc import Sequence

from tests.real.side_by_side import Step
from tests.real.stands import Stand

SMALL, LARGE, USUAL = (80, 24), (200, 60), (120, 40)
ROUND = (SMALL, LARGE, USUAL)
WHEEL_UP, WHEEL_DOWN = 64, 65
ESCAPE = "\x1b"
_PAUSE_SECONDS = 0.2


class Absent(Exception):
    """The program is not on this machine; the message says which."""


def keys(name: str, *names: str, sees: str = "", gone: str = "") -> Step:
    return Step(name, lambda stand: _press(stand, names), sees, gone)


def _press(stand: Stand, names: Sequence[str]) -> None:
    """Keys as a person presses them: what follows Escape too fast would be taken for Alt."""
    for name in names:
        stand.keys(name)
        if name == "Escape":
            time.sleep(_PAUSE_SECONDS)


def text(name: str, typed: str, *names: str, sees: str = "", gone: str = "") -> Step:

    def do(stand: Stand) -> None:
        if typed.startswith(ESCAPE):
            _press(stand, ["Escape"])
        stand.type(typed.removeprefix(ESCAPE))
        time.sleep(_PAUSE_SECONDS)
        _press(stand, names)

    return Step(name, do, sees, gone)


def paste(name: str, pasted: str, *, sees: str = "") -> Step:
    return Step(name, lambda stand: stand.paste(pasted), sees)


def look(name: str, *, sees: str = "", gone: str = "", seconds: float = 0.4) -> Step:
    """Do nothing but look."""
    return Step(name, lambda stand: None, sees, gone, starts=True, settle_seconds=seconds)


def click(name: str, column: int, row: int, *, sees: str = "") -> Step:

    def do(stand: Stand) -> None:
        stand.mouse(0, column, row)
        stand.mouse(0, column, row, release=True)

    return Step(name, do, sees)


def drag(name: str, start: tuple[int, int], end: tuple[int, int], *, sees: str = "") -> Step:
    """Drag with the left button from one (column, row) to another."""

    def do(stand: Stand) -> None:
        stand.mouse(0, *start)
        stand.mouse(32, *((start[0] + end[0]) // 2, (start[1] + end[1]) // 2))
        stand.mouse(32, *end)
        stand.mouse(0, *end, release=True)

    return Step(name, do, sees)


def wheel(name: str, code: int, notches: int, *, sees: str = "") -> Step:

    def do(stand: Stand) -> None:
        for _ in range(notches):
            stand.mouse(code, 10, 8)

    return Step(name, do, sees)


def resize(*sizes: tuple[int, int]) -> list[Step]:

    def to(columns: int, lines: int) -> Step:
        return Step(f"at-{columns}x{lines}", lambda stand: stand.resize(columns, lines))

    return [to(*size) for size in sizes]
