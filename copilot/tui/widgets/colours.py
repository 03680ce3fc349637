"""Arithmetic of colours, all written `#rrggbb`."""

from __future__ import annotations

from copilot.core.snapshot import Colour, Style
from copilot.screen.theme import hex_contrast as contrast
from copilot.screen.theme import luminance, rgb_of
from copilot.tui.themes import Palette

_DIM = 0.6
"""Share of the foreground that a dim cell keeps over its background."""
_LEAST_ON_COLOUR = 3.0
"""The contrast that WCAG 2.2 asks of large text (1.4.3)."""
_LEAST_TEXT = 3.0
"""Of what is meant to be read. What has less is hidden or a drawing, and stays as it is."""
_WELL_ENOUGH = 4.5
"""The contrast that WCAG 2.2 asks of text (1.4.3)."""
_LEAST_DIM = 2 / 3
"""Share of a palette's least contrast that dim text has at least: of 4.5 this is 3.0."""
_LEAST_STRONGER = 1.68
"""What is drawn stronger at all has this contrast: less would not be seen on any screen."""
_CUBE = (0, 95, 135, 175, 215, 255)


def rgb(colour: Colour, default: str, sixteen: tuple[str, ...]) -> str:
    """A colour of a cell; `default` and `sixteen` are what these colours mean there."""
    if isinstance(colour, str):
        return default if colour == "default" else colour
    if colour < 16:
        return sixteen[colour]
    if colour < 232:
        index = colour - 16
        red, green, blue = _CUBE[index // 36], _CUBE[index // 6 % 6], _CUBE[index % 6]
        return f"#{red:02x}{green:02x}{blue:02x}"
    grey = 8 + (colour - 232) * 10
    return f"#{grey:02x}{grey:02x}{grey:02x}"


def resolve(style: Style, palette: Palette, *, drawing: bool = False) -> tuple[str, str]:
    """What is really shown of a style: the colour of its text and the one behind it.

    Text is moved away from its background where it could not be read and one of the two colours is ours:
    what a program picks from the sixteen it has never seen. A `drawing` of blocks is left as faint as it is.
    """
    front, behind = style.foreground, style.background
    foreground = rgb(front, palette.foreground, palette.ansi)
    background = rgb(behind, palette.background, palette.ansi_behind)
    plain = behind == "default" and not (style.reverse or style.conceal or drawing)
    if plain and front != "default":
        foreground = readable(foreground, palette)
    if style.reverse:
        foreground, background = background, foreground
    if style.conceal or front == behind != "default":
        foreground = background
    elif behind != "default" and not drawing and (_is_ours(front) or _is_ours(behind)):
        foreground = readable_on(background, foreground)
    if style.dim:
        foreground = blend(foreground, background, _DIM)
        if plain:
            foreground = readable(foreground, palette, least=palette.least_contrast * _LEAST_DIM)
    return foreground, background


def _is_ours(colour: Colour) -> bool:
    return colour == "default" or (isinstance(colour, int) and colour < 16)


def readable_on(background: str, colour: str) -> str:
    """`colour`, moved towards white or black as far as it takes to be read on `background`."""
    if contrast(colour, background) >= _LEAST_ON_COLOUR:
        return colour
    ends = (
        ("#ffffff", "#000000")
        if luminance(rgb_of(colour)) > luminance(rgb_of(background))
        else ("#000000", "#ffffff")
    )
    end = ends[0] if contrast(ends[0], background) >= _LEAST_ON_COLOUR else ends[1]
    shades = (blend(end, colour, step / 8) for step in range(1, 9))
    return next((shade for shade in shades if contrast(shade, background) >= _LEAST_ON_COLOUR), end)


def readable(colour: str, palette: Palette, *, on: str = "", least: float = 0.0) -> str:
    """`colour`, moved towards the default foreground as far as its contrast to the background asks for.

    `on` and `least` are the background and the contrast where they are not those of the palette.
    """
    ground, least = on or palette.background, least or palette.least_contrast
    if contrast(colour, ground) >= least:
        return colour
    shades = (blend(palette.foreground, colour, step / 8) for step in range(1, 9))
    wanted = max(least, _LEAST_STRONGER)
    return next((shade for shade in shades if contrast(shade, ground) >= wanted), palette.foreground)


def readable_tinted(colour: str, palette: Palette, tint: str) -> str:
    """`colour` for `tint` in place of the default background: what is text is read there as well as before,
    or well enough, and at least as the palette asks."""
    was = contrast(colour, palette.background)
    least = min(palette.least_contrast, was)
    if was >= _LEAST_TEXT:
        least = max(palette.least_contrast, min(was, _WELL_ENOUGH))
    return readable(colour, palette, on=tint, least=least)


def blend(top: str, bottom: str, share: float) -> str:
    """`share` of `top` over the rest of `bottom`, both `#rrggbb`."""
    pairs = ((int(top[i : i + 2], 16), int(bottom[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(above * share + below * (1 - share)):02x}" for above, below in pairs)
