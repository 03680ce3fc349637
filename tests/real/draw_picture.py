"""A `Picture` as SVG, to be looked at."""

from __future__ import annotations

from html import escape

from copilot.core.snapshot import Style
from copilot.tui.themes import PALETTES
from tests.real.cells import Picture
from tests.real.compare import painted_look

_WIDE, _HIGH = 8.4, 17.0


def svg(picture: Picture) -> str:
    """The picture in the cockpit's dark palette; the cursor is a frame."""
    palette = PALETTES["copilot-dark"]
    width, height = picture.columns * _WIDE, len(picture.rows) * _HIGH
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}">'
        '<g font-family="DejaVu Sans Mono, monospace" font-size="14px" xml:space="preserve">'
        f'<rect width="100%" height="100%" fill="{palette.background}"/>'
    ]
    for y, row in enumerate(picture.rows):
        column = 0
        for glyph in row:
            parts.append(_glyph(glyph.text, glyph.style, column, y, glyph.width))
            column += glyph.width
    if picture.cursor is not None:
        y, x = picture.cursor
        parts.append(
            f'<rect x="{x * _WIDE:.1f}" y="{y * _HIGH:.1f}" width="{_WIDE}" height="{_HIGH}" fill="none" '
            f'stroke="{palette.foreground}"/>'
        )
    return "".join(parts) + "</g></svg>\n"


def _glyph(text: str, style: Style, column: int, y: int, width: int) -> str:
    look = painted_look(style)
    x, top = column * _WIDE, y * _HIGH
    drawn = ""
    if look.background != PALETTES["copilot-dark"].background:
        drawn = (
            f'<rect x="{x:.1f}" y="{top:.1f}" width="{width * _WIDE + 0.2:.1f}" height="{_HIGH + 0.2}" '
            f'fill="{look.background}"/>'
        )
    if text == " " and not (look.underline or look.strikethrough):
        return drawn
    lines = [name for name, on in (("underline", look.underline), ("line-through", look.strikethrough)) if on]
    attributes = (
        (' font-weight="bold"' if look.bold else "")
        + (' font-style="italic"' if look.italic else "")
        + (f' text-decoration="{" ".join(lines)}"' if lines else "")
    )
    shown = escape("".join(character for character in text if character >= " ").replace(" ", "\u00a0"))
    return f'{drawn}<text x="{x:.1f}" y="{top + 13:.1f}" fill="{look.foreground}"{attributes}>{shown}</text>'
