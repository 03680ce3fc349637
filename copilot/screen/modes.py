"""Modes by number, as pyte keeps them: private ones shifted by 5."""

from __future__ import annotations

INSERT = 4
NEW_LINE = 20


def private(number: int) -> int:
    """The number of a private mode (`CSI ? number h`) as it stands in `mode`."""
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
SCHEME_REPORTS = private(2031)

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


def report(number: int, modes: set[int]) -> int:
    """The value of DECRPM: 0 unknown, 1 set, 2 reset, 3 always set."""
    if number in ALWAYS:
        return 3
    if number not in KNOWN:
        return 0
    return 1 if number in modes else 2
