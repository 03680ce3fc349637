"""Colours: those that the terminal reports to the child, and how well one is read on another (WCAG 2.2)."""

from __future__ import annotations

from dataclasses import dataclass

RGB = tuple[int, int, int]

_BASIC = bytes.fromhex(
    "000000 cd3131 0dbc79 e5e510 2472c8 bc3fbc 11a8cd e5e5e5"
    "666666 f14c4c 23d18b f5f543 3b8eea d670d6 29b8db ffffff"
)
_LEVELS = (0, 95, 135, 175, 215, 255)


@dataclass(frozen=True, slots=True)
class Theme:
    """The widget's default colours; answers to OSC 10, 11, 12 and CSI ? 996 n."""

    foreground: RGB = (229, 229, 229)
    background: RGB = (18, 18, 18)
    cursor: RGB = (229, 229, 229)

    @property
    def dark(self) -> bool:
        red, green, blue = self.background
        return 299 * red + 587 * green + 114 * blue < 128_000


def palette(index: int) -> RGB:
    """The colour of a palette index, 0 to 255."""
    if index < 16:
        red, green, blue = _BASIC[3 * index : 3 * index + 3]
        return red, green, blue
    if index < 232:
        index -= 16
        return _LEVELS[index // 36], _LEVELS[index // 6 % 6], _LEVELS[index % 6]
    grey = 8 + 10 * (index - 232)
    return grey, grey, grey


def specification(colour: RGB) -> str:
    """A colour as xterm writes it: `rgb:rrrr/gggg/bbbb`."""
    return "rgb:" + "/".join(f"{part:02x}{part:02x}" for part in colour)


def contrast(one: RGB, other: RGB) -> float:
    """The contrast ratio of two colours, 1 to 21 (WCAG 2.2, "contrast ratio")."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def luminance(colour: RGB) -> float:
    """How light a colour is, 0 to 1 (WCAG 2.2, "relative luminance")."""
    parts = [part / 255 for part in colour]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def hex_contrast(one: str, other: str) -> float:
    """The same for colours written `#rrggbb`."""
    return contrast(rgb_of(one), rgb_of(other))


def rgb_of(colour: str) -> RGB:
    """A colour written `#rrggbb` by its three parts."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
