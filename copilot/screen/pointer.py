"""Mouse and focus as the bytes that the child expects. Nothing is sent that it did not ask for."""

from __future__ import annotations

from dataclasses import dataclass

from copilot.screen.keys import ALT, CTRL, SHIFT, KeyModes, encode_key

LEFT, MIDDLE, RIGHT, NONE = 0, 1, 2, 3
WHEEL_UP, WHEEL_DOWN, WHEEL_LEFT, WHEEL_RIGHT = 64, 65, 66, 67
PRESS, RELEASE, MOTION = "press", "release", "motion"
ROWS_PER_NOTCH = 3


@dataclass(frozen=True, slots=True)
class PointerModes:
    """`tracking` is 0 or the mode: 9 presses, 1000 clicks, 1002 drags, 1003 every motion."""

    tracking: int = 0
    sgr: bool = False
    focus: bool = False
    wheel_as_arrows: bool = False


def encode_mouse(
    kind: str, button: int, column: int, row: int, modes: PointerModes, modifiers: int = 0
) -> bytes:
    """A mouse event at a cell counted from 0; empty if the child does not want it.

    A motion without a button has button `NONE`.
    """
    if not _wanted(kind, button, modes.tracking):
        return b""
    code = button + (32 if kind == MOTION else 0)
    if modes.tracking != 9:
        for bit, value in ((SHIFT, 4), (ALT, 8), (CTRL, 16)):
            code += value if modifiers & bit else 0
    if modes.sgr:
        final = "m" if kind == RELEASE else "M"
        return f"\x1b[<{code};{column + 1};{row + 1}{final}".encode()
    if max(column, row) > 222:
        return b""
    if kind == RELEASE:
        code = code - button + NONE
    return b"\x1b[M" + bytes((32 + code, 33 + column, 33 + row))


def _wanted(kind: str, button: int, tracking: int) -> bool:
    if kind == MOTION:
        return tracking == 1003 or (tracking == 1002 and button != NONE)
    if kind == RELEASE:
        return tracking >= 1000 and button < WHEEL_UP
    return tracking > 0 and (tracking != 9 or button < WHEEL_UP)


def encode_wheel_as_arrows(button: int, modes: PointerModes, keys: KeyModes) -> bytes:
    """The wheel in a full screen program that does not track the mouse (mode 1007)."""
    if modes.tracking or not modes.wheel_as_arrows or button not in (WHEEL_UP, WHEEL_DOWN):
        return b""
    return encode_key("Up" if button == WHEEL_UP else "Down", keys) * ROWS_PER_NOTCH


def encode_focus(gained: bool, modes: PointerModes) -> bytes:
    if not modes.focus:
        return b""
    return b"\x1b[I" if gained else b"\x1b[O"
