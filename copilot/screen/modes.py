"""What the child switches: modes by number (private ones shifted by 5, as in pyte), charsets, key flags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pyte.charsets import VT100_MAP

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


INSERT = 4
NEW_LINE = 20


def private(number: int) -> int:
    """How a private mode (`CSI ? number h`) is numbered here."""
    return number << 5


CURSOR_KEYS = private(1)
COLUMN_SWITCH = private(3)
REVERSE_SCREEN = private(5)
ORIGIN = private(6)
AUTO_WRAP = private(7)
CURSOR_BLINK = private(12)
CURSOR_SHOWN = private(25)
REVERSE_WRAP = private(45)
KEYPAD = private(66)
SAVED_CURSOR = private(1048)
MOUSE_X10 = private(9)
MOUSE_CLICKS = private(1000)
MOUSE_DRAG = private(1002)
MOUSE_MOTION = private(1003)
FOCUS = private(1004)
MOUSE_SGR = private(1006)
WHEEL_AS_ARROWS = private(1007)
BRACKETED_PASTE = private(2004)
SYNCHRONIZED = private(2026)
GRAPHEMES = private(2027)

MOUSE_KINDS = frozenset({MOUSE_X10, MOUSE_CLICKS, MOUSE_DRAG, MOUSE_MOTION})
"""What the child wants to hear of the mouse: the last one that was set holds."""

ALTERNATE = frozenset(map(private, (47, 1047, 1049)))

INITIAL = frozenset({AUTO_WRAP, CURSOR_SHOWN, WHEEL_AS_ARROWS})

KNOWN = (
    frozenset({INSERT, NEW_LINE})
    | frozenset(map(private, (1, 5, 6, 7, 9, 12, 25, 45, 47, 66, 1000, 1002, 1003, 1004, 1006, 1007)))
    | frozenset(map(private, (1047, 1048, 1049, 2004, 2026, 2031)))
)
"""Modes that DECRQM reports as set or reset."""

QUIET = KNOWN - {INSERT, ORIGIN, AUTO_WRAP, REVERSE_SCREEN, SAVED_CURSOR} - MOUSE_KINDS - ALTERNATE
"""Modes that only need to be remembered."""

QUIET_NAMES = {f"?{mode >> 5}": mode for mode in QUIET if mode > NEW_LINE}
"""The same by the parameters that name one alone."""

ALWAYS = frozenset({GRAPHEMES})
"""Modes that are on and stay on."""


Charset = Mapping[int, str] | None
"""A translation, or None for ASCII."""

CHARSETS: dict[str, Charset] = {
    "0": {code: VT100_MAP[code] for code in range(ord("_"), 0x7F)} | {ord("_"): " ", ord("h"): "␤"},
    "A": {ord("#"): "£"},
    "B": None,
}
"""By the final character of `ESC ( F`: DEC line drawing, British, ASCII; what is not here means ASCII."""

SLOTS = "()*+"
"""`ESC ( F` sets G0, `ESC ) F` G1, `ESC * F` G2, `ESC + F` G3."""

DEEPEST_KEYBOARD = 16
ALL_KEYBOARD_FLAGS = 31


class Modes:
    """What is switched now. `numbers` holds the modes that are on and is the same set for ever."""

    def __init__(self) -> None:
        self.numbers: set[int] = set()
        self.reset()

    def reset(self) -> None:
        """RIS."""
        self.keyboards: list[tuple[int, ...]] = [(0,), (0,)]
        """The kitty keyboard flags (see `copilot.screen.keys`) of main and alternate screen: a stack each,
        the last holds."""
        self.modify_other_keys = 0
        self.cursor_shape = 0
        self.numbers.clear()
        self.soft_reset()

    def soft_reset(self) -> None:
        """DECSTR; the alternate screen stays on."""
        self.numbers &= ALTERNATE
        self.numbers |= INITIAL
        self.charsets: list[Charset] = [None] * 4
        self.charset = 0
        self.single_shift = 0
        self.update()

    def update(self) -> None:
        """Work out what the parser asks most; to be called after a change of modes or charsets."""
        self.origin = ORIGIN in self.numbers
        """Lines are counted from the top margin (DECOM)."""
        self.careful = (
            INSERT in self.numbers or self.charsets[self.charset] is not None or self.single_shift > 0
        )
        """Text may not be written by slices."""

    def switch(self, mode: int, on: bool) -> None:
        (self.numbers.add if on else self.numbers.discard)(mode)
        self.update()

    def report(self, mode: int) -> int:
        """The value of DECRPM: 0 unknown, 1 set, 2 reset, 3 always set."""
        if mode in ALWAYS:
            return 3
        if mode not in KNOWN:
            return 0
        return 1 if mode in self.numbers else 2

    def push_keyboard(self, screen: int, flags: int) -> None:
        """Kitty keyboard flags for one screen, 0 the main and 1 the alternate one, over those it has."""
        stack = (*self.keyboards[screen], flags & ALL_KEYBOARD_FLAGS)
        self.keyboards[screen] = stack[-DEEPEST_KEYBOARD - 1 :]

    def pop_keyboard(self, screen: int, number: int) -> None:
        self.keyboards[screen] = self.keyboards[screen][: -min(number, DEEPEST_KEYBOARD)] or (0,)

    def set_keyboard(self, screen: int, flags: int, how: int = 1) -> None:
        """`how`: 1 replace, 2 add, 3 take away."""
        *below, old = self.keyboards[screen]
        flags &= ALL_KEYBOARD_FLAGS
        new = {1: flags, 2: old | flags, 3: old & ~flags}.get(how, old)
        self.keyboards[screen] = (*below, new)

    def set_modify_other_keys(self, resource: int, level: int = 0) -> None:
        """XTMODKEYS of one resource (0 means all); only modifyOtherKeys is known."""
        if resource in (0, 4):
            self.modify_other_keys = min(level, 3)

    def set_cursor_shape(self, shape: int) -> None:
        """DECSCUSR: 0 to 6."""
        if shape <= 6:
            self.cursor_shape = shape

    def define_charset(self, code: str, mode: str) -> None:
        """`code` is a key of `CHARSETS`, `mode` one of `SLOTS`."""
        self.charsets[SLOTS.index(mode)] = CHARSETS.get(code)
        self.update()

    def shift_to(self, charset: int) -> None:
        """SI, SO, LS2, LS3."""
        self.charset = charset
        self.update()

    def shift_in(self) -> None:
        self.shift_to(0)

    def shift_out(self) -> None:
        self.shift_to(1)

    def shift_once(self, charset: int) -> None:
        """SS2, SS3: for one character."""
        self.single_shift = charset
        self.update()

    def translated(self, text: str) -> str:
        """The text in the charset that is shifted to."""
        table = self.charsets[self.charset] or {}
        first = text[:1].translate((self.charsets[self.single_shift] or {}) if self.single_shift else table)
        if self.single_shift and text:
            self.shift_once(0)
        return first + text[1:].translate(table)
