"""Select Graphic Rendition: what the parameters of `CSI ... m` do to a style.

Colours with `;` and with `:`, the underline styles of kitty (`4:3`), underline colour (58), overline.
Unknown parameters are passed over; a colour that is cut short ends the sequence, as in xterm.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from copilot.core.snapshot import Colour

BOLD, DIM, ITALIC, BLINK, REVERSE, CONCEAL, STRIKE, OVERLINE, PROTECTED = (1 << n for n in range(9))
UNDERLINE_SHIFT = 16
UNDERLINES = 7 << UNDERLINE_SHIFT
"""Underline style: 0 none, 1 single, 2 double, 3 curly, 4 dotted, 5 dashed."""

Attributes = tuple[Colour, Colour, int, Colour, str]
"""Foreground, background, flags, underline colour, link."""

Effect = tuple[Colour | None, Colour | None, int, int, Colour | None]
"""Foreground and background or None to leave them, flags to keep, flags to set, underline colour or None."""

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
EXTENDED = {38: 0, 48: 1, 58: 2}
"""Which colour (foreground, background, underline) follows a code."""

NAMED: dict[int, tuple[int, Colour]] = {
    first + n: (slot, colour + n)
    for first, slot, colour in ((30, 0, 0), (40, 1, 0), (90, 0, 8), (100, 1, 8))
    for n in range(8)
}
NAMED |= {39: (0, "default"), 49: (1, "default"), 59: (2, "default")}
HEX = {str(value): f"{value:02x}" for value in range(256)}


def number(text: str) -> int:
    """A parameter; what is missing is 0, what is no number is -1 (and so unknown)."""
    if not text:
        return 0
    return min(int(text), 65535) if text.isdecimal() else -1


_direct = re.compile(
    "(?:38;2;([0-9]+);([0-9]+);([0-9]+)(?:(?:;|m\x1b\\[)(?=4)|(?=m)))?(?:48;2;([0-9]+);([0-9]+);([0-9]+))?m"
).fullmatch
"""What truecolour programs send most: foreground, background, or both; no reset may follow."""


_BYTE = "(?:1[0-9]{0,2}|2(?:[0-4][0-9]?|5[0-5]?|[6-9])?|[03-9][0-9]?)"
both_direct = re.compile(f"38;2;{_BYTE};{_BYTE};{_BYTE}(?:m\x1b\\[|;)48;2;{_BYTE};{_BYTE};{_BYTE}m").fullmatch
"""Exactly a foreground and a background, both valid: nothing of either colour before is left."""


def effect(sgr: str) -> Effect:
    """What SGR sequences do, one after the other: `1m`, or `1m ESC [ 31m`, the first ESC [ cut off."""
    if len(sgr) > 12 and (found := _direct(sgr)):
        r, g, b, red, green, blue = found.groups()
        try:
            front = f"#{HEX[r]}{HEX[g]}{HEX[b]}" if r else None
            back = f"#{HEX[red]}{HEX[green]}{HEX[blue]}" if red else None
            return front, back, -1, 0, None
        except KeyError:
            pass
    change = Change()
    for parameters in sgr[:-1].split("m\x1b["):
        change.apply(parameters)
    foreground, background, underline = change.colours
    return foreground, background, change.keep, change.flags, underline


class Change:
    """The effect of the parameters read so far."""

    __slots__ = ("colours", "flags", "keep")

    def __init__(self) -> None:
        self.colours: list[Colour | None] = [None, None, None]
        self.keep = -1
        self.flags = 0

    def apply(self, parameters: str) -> None:
        """One sequence. Link and protection are not SGR's to change."""
        fields = iter(parameters.split(";"))
        for field in fields:
            if ":" in field:
                self._with_colons([number(part) for part in field.split(":")])
                continue
            code = number(field)
            if code in SET:
                self.flags |= SET[code]
            elif code in NAMED:
                slot, colour = NAMED[code]
                self.colours[slot] = colour
            elif code in EXTENDED:
                extended = _extended(fields)
                if extended is not None:
                    self.colours[EXTENDED[code]] = extended
            elif code in CLEAR:
                self._clear(CLEAR[code])
            elif code in UNDERLINE:
                self._underline(UNDERLINE[code])
            elif code == 0:
                self.colours = ["default", "default", "default"]
                self.keep = PROTECTED
                self.flags = 0

    def _clear(self, flags: int) -> None:
        self.keep &= ~flags
        self.flags &= ~flags

    def _underline(self, kind: int) -> None:
        self._clear(UNDERLINES)
        self.flags |= kind << UNDERLINE_SHIFT

    def _with_colons(self, values: list[int]) -> None:
        """`4:n`, `38:5:n`, `38:2:r:g:b`, `38:2:space:r:g:b:...`."""
        if values[0] == 4 and 0 <= values[1] <= 5:
            self._underline(values[1])
        elif values[0] in EXTENDED:
            colour: Colour | None = None
            if values[1] == 5 and len(values) > 2 and 0 <= values[2] < 256:
                colour = values[2]
            elif values[1] == 2 and len(values) >= 5:
                colour = _rgb(values[2:5] if len(values) == 5 else values[3:6])
            if colour is not None:
                self.colours[EXTENDED[values[0]]] = colour


def _extended(fields: Iterator[str]) -> Colour | None:
    """A colour after 38, 48 or 58 written with `;`; None if it is none."""
    kind = number(next(fields, ""))
    if kind == 5:
        index = number(next(fields, "256"))
        return index if 0 <= index < 256 else None
    if kind == 2:
        return _rgb([number(next(fields, "256")) for _ in range(3)])
    return None


def _rgb(values: list[int]) -> Colour | None:
    red, green, blue = values
    if 0 <= red < 256 and 0 <= green < 256 and 0 <= blue < 256:
        return f"#{red:02x}{green:02x}{blue:02x}"
    return None
