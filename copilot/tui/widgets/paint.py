"""From a row of the emulated screen to a Strip: the hot path of the terminal widget.

A strip is made once per write to its row and then lives on the row. Colours are resolved here, so that
Textual's filters find nothing to do; cursor, selection and evidence are laid over a strip, never into it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress, islice
from operator import is_not

from rich.color import Color
from rich.segment import Segment
from rich.style import Style as RichStyle
from textual.strip import Strip

from copilot.core.snapshot import DEFAULT_STYLE, Colour, Style
from copilot.tui.themes import Palette

_MOST_STYLES = 20_000
_DIM = 0.6
"""Share of the foreground that a dim cell keeps over its background."""
_HOSTILE: dict[int, str | None] = {
    **{code: "�" for code in (*range(32), *range(0x7F, 0xA0), 0x2028, 0x2029)},
    0xAD: "-",
    **dict.fromkeys((0x061C, 0x180E, *range(0x200B, 0x200D), 0x200E, 0x200F, *range(0x202A, 0x202F), 0xFEFF)),
    **dict.fromkeys((*range(0x2060, 0x2070), *range(0xE0000, 0xE0080))),
}
"""Controls, and what would hide or turn round text; those without width are left out. Cells hold hardly
any of them, and if one ever did it would not get further than this."""
_CUBE = (0, 95, 135, 175, 215, 255)


class StripPainter:
    """Makes strips in the colours of one palette."""

    def __init__(self, palette: Palette) -> None:
        self.palette = palette
        self._styles: dict[int, tuple[Style, RichStyle]] = {}
        """By identity: screens intern their styles, and hashing one is slow. The entry keeps the id taken."""
        self.default = self.rich_style(DEFAULT_STYLE)

    def strip(self, characters: Sequence[str], styles: Sequence[Style], gutter: int = 0) -> Strip:
        """The strip of one row, after `gutter` blanks. An empty cell follows a wide character."""
        rich_style, columns = self.rich_style, len(characters)
        changes = compress(range(1, columns), map(is_not, islice(styles, 1, None), styles))
        starts = [0, *changes]
        segments = [Segment(" " * gutter, self.default)] if gutter else []
        for start, end in zip(starts, [*starts[1:], columns], strict=True):
            text = "".join(characters[start:end])
            if not text.isprintable():
                text = text.translate(_HOSTILE)
            segments.append(Segment(text, rich_style(styles[start])))
        return Strip(segments, columns + gutter)

    def rich_style(self, style: Style) -> RichStyle:
        """The style as Rich draws it, cached."""
        found = self._styles.get(id(style))
        if found is None:
            if len(self._styles) > _MOST_STYLES:
                self._styles.clear()
            found = self._styles[id(style)] = (style, self._resolve(style))
        return found[1]

    def _resolve(self, style: Style) -> RichStyle:
        foreground = self.rgb(style.foreground, self.palette.foreground)
        background = self.rgb(style.background, self.palette.background)
        if style.background == "default" and not style.reverse and foreground != self.palette.foreground:
            foreground = readable(foreground, self.palette)
        if style.reverse:
            foreground, background = background, foreground
        if style.conceal:
            foreground = background
        elif style.dim:
            foreground = blend(foreground, background, _DIM)
        return RichStyle(
            color=Color.parse(foreground),
            bgcolor=Color.parse(background),
            bold=style.bold or None,
            italic=style.italic or None,
            underline=style.underline or None,
            strike=style.strikethrough or None,
        )

    def rgb(self, colour: Colour, default: str) -> str:
        """A colour of a cell as `#rrggbb`."""
        if isinstance(colour, str):
            return default if colour == "default" else colour
        if colour < 16:
            return self.palette.ansi[colour]
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


def with_cursor(strip: Strip, column: int, width: int, style: RichStyle) -> Strip:
    """The strip with the cell at `column` (`width` cells wide) drawn in `style` on top of its own."""
    before, cell, after = strip.divide([column, column + width, strip.cell_length])
    return Strip.join([before, _restyled(cell, style), after])


def _restyled(strip: Strip, style: RichStyle) -> Strip:
    return Strip([Segment(text, (own or RichStyle()) + style) for text, own, _ in strip], strip.cell_length)


def with_span(strip: Strip, start: int, end: int, style: RichStyle) -> Strip:
    """The strip with cells `start` to `end` (excluded) drawn in `style`: selection."""
    length = strip.cell_length
    start, end = max(0, min(start, length)), max(0, min(end, length))
    if start >= end:
        return strip
    before, middle, after = strip.divide([start, end, length])
    return Strip.join([before, _restyled(middle, style), after])


def with_backdrop(strip: Strip, default: RichStyle, background: RichStyle) -> Strip:
    """The strip with another background wherever the child set none: evidence rows."""
    plain = default.bgcolor
    return Strip(
        [
            Segment(text, style + background if style is not None and style.bgcolor == plain else style)
            for text, style, _ in strip
        ],
        strip.cell_length,
    )
