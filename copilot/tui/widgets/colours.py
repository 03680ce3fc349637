"""Arithmetic of colours, all written `#rrggbb`."""

from __future__ import annotations

from copilot.core.snapshot import Colour
from copilot.tui.themes import Palette

_CUBE = (0, 95, 135, 175, 215, 255)


def rgb(colour: Colour, default: str, palette: Palette) -> str:
    """A colour of a cell; `default` is what the default colour means there."""
    if isinstance(colour, str):
        return default if colour == "default" else colour
    if colour < 16:
        return palette.ansi[colour]
    if colour < 232:
        index = colour - 16
        red, green, blue = _CUBE[index // 36], _CUBE[index // 6 % 6], _CUBE[index % 6]
        return f"#{red:02x}{green:02x}{blue:02x}"
    grey = 8 + (colour - 232) * 10
    return f"#{grey:02x}{grey:02x}{grey:02x}"


def readable(colour: str, palette: Palette) -> str:
    """`colour`, moved towards the default foreground as far as the palette's least contrast asks for."""
    share = 1.0
    while share > 0 and contrast(shade := blend(colour, palette.foreground, share), palette.background) < (
        palette.least_contrast if share == 1.0 else palette.least_contrast * 1.4
    ):
        share -= 0.125
    return shade


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def blend(top: str, bottom: str, share: float) -> str:
    """`share` of `top` over the rest of `bottom`, both `#rrggbb`."""
    pairs = ((int(top[i : i + 2], 16), int(bottom[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(above * share + below * (1 - share)):02x}" for above, below in pairs)
