"""The colours that the terminal tells the child when asked (OSC 4, 10, 11, 12; CSI ? 996 n)."""

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
    """What the widget shows as default colours."""

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
