"""Select Graphic Rendition: what the parameters of `CSI ... m` do to a style.

Colours with `;` and with `:`, the underline styles of kitty (`4:3`), underline colour (58), overline.
Unknown parameters are passed over; a colour that is cut short ends the sequence, as in xterm.
"""

from __future__ import annotations

from copilot.core.snapshot import Colour

BOLD, DIM, ITALIC, BLINK, REVERSE, CONCEAL, STRIKE, OVERLINE, PROTECTED = (1 << n for n in range(9))
UNDERLINE_SHIFT = 16
UNDERLINES = 7 << UNDERLINE_SHIFT
"""Underline style: 0 none, 1 single, 2 double, 3 curly, 4 dotted, 5 dashed."""

Attributes = tuple[Colour, Colour, int, Colour, str]
"""Foreground, background, flags, underline colour, link."""

SET = {1: BOLD, 2: DIM, 3: ITALIC, 5: BLINK, 6: BLINK, 7: REVERSE, 8: CONCEAL, 9: STRIKE, 53: OVERLINE}
CLEAR = {
    22: BOLD | DIM,
    23: ITALIC,
    24: UNDERLINES,
    25: BLINK,
    27: REVERSE,
    28: CONCEAL,
    29: STRIKE,
    55: OVERLINE,
}
UNDERLINE = {4: 1, 21: 2}
SLOT = {38: 0, 48: 1, 58: 3, 39: 0, 49: 1, 59: 3}
"""Which of the attributes a colour code sets."""

NAMED: dict[int, tuple[int, int]] = {
    first + n: (slot, colour + n)
    for first, slot, colour in ((30, 0, 0), (40, 1, 0), (90, 0, 8), (100, 1, 8))
    for n in range(8)
}


def number(text: str) -> int:
    """A parameter; what is missing is 0, what is no number is -1 (and so unknown)."""
    if not text:
        return 0
    return min(int(text), 65535) if text.isdecimal() else -1


def apply(attributes: Attributes, parameters: str) -> Attributes:
    """The attributes after one SGR sequence. Link and protection are not SGR's to change."""
    if not parameters or parameters == "0":
        return _reset(attributes)
    state: list[Colour] = list(attributes)
    flags = attributes[2]
    fields = iter(parameters.split(";"))
    for field in fields:
        if ":" in field:
            flags = _with_colons(state, flags, field.split(":"))
            continue
        code = number(field)
        if code in NAMED:
            slot, state_colour = NAMED[code]
            state[slot] = state_colour
        elif code in SET:
            flags |= SET[code]
        elif code in CLEAR:
            flags &= ~CLEAR[code]
        elif code in (38, 48, 58):
            colour = _colour([number(next(fields, ""))], fields)
            if colour is not None:
                state[SLOT[code]] = colour
        elif code in (39, 49, 59):
            state[SLOT[code]] = "default"
        elif code in UNDERLINE:
            flags = flags & ~UNDERLINES | UNDERLINE[code] << UNDERLINE_SHIFT
        elif code == 0:
            state[0] = state[1] = state[3] = "default"
            flags &= PROTECTED
    return state[0], state[1], flags, state[3], attributes[4]


def _reset(attributes: Attributes) -> Attributes:
    return "default", "default", attributes[2] & PROTECTED, "default", attributes[4]


def _colour(kind: list[int], fields: object) -> Colour | None:
    """A colour after 38, 48 or 58 written with `;`; None if it is none."""
    rest = iter(fields)  # type: ignore[call-overload]
    if kind == [5]:
        index = number(next(rest, "256"))
        return index if 0 <= index < 256 else None
    if kind == [2]:
        return _rgb([number(next(rest, "256")) for _ in range(3)])
    return None


def _rgb(values: list[int]) -> Colour | None:
    red, green, blue = values
    if 0 <= red < 256 and 0 <= green < 256 and 0 <= blue < 256:
        return f"#{red:02x}{green:02x}{blue:02x}"
    return None


def _with_colons(state: list[Colour], flags: int, parts: list[str]) -> int:
    """`4:n`, `38:5:n`, `38:2:r:g:b`, `38:2:space:r:g:b:...`; returns the flags."""
    values = [number(part) for part in parts]
    if values[0] == 4 and 0 <= values[1] <= 5:
        return flags & ~UNDERLINES | values[1] << UNDERLINE_SHIFT
    if values[0] in (38, 48, 58):
        colour: Colour | None = None
        if values[1] == 5 and len(values) > 2 and 0 <= values[2] < 256:
            colour = values[2]
        elif values[1] == 2 and len(values) >= 5:
            colour = _rgb(values[2:5] if len(values) == 5 else values[3:6])
        if colour is not None:
            state[SLOT[values[0]]] = colour
    return flags
