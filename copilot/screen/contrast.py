"""How well one colour can be read on another, by WCAG 2.2: the one place where it is computed."""

from __future__ import annotations

from copilot.screen.theme import RGB


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
