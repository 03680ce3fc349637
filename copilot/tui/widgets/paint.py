"""From a row of the emulated screen to a Strip: the hot path of the terminal widget.

A strip is made once per write to its row and then lives on the row. Colours are resolved here, so that
Textual's filters find nothing to do; cursor, selection, matches and evidence are laid over the runs of a row,
never into what is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rich.color import Color, ColorSystem
from rich.segment import Segment
from rich.style import Style as RichStyle
from textual.strip import Strip

from copilot.core.snapshot import Colour, Style
from copilot.screen.rows import Picture
from copilot.screen.styles import DEFAULT, TextStyle
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


def rgb(colour: Colour, default: str, sixteen: tuple[str, ...]) -> str:
    """A colour of a cell; `default` and `sixteen` are what these colours mean there."""
    if isinstance(colour, str):
        return default if colour == "default" else colour
    return sixteen[colour] if colour < 16 else Color.from_ansi(colour).get_truecolor().hex


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
    pairs = zip(rgb_of(top), rgb_of(bottom), strict=True)
    return "#" + "".join(f"{round(above * share + below * (1 - share)):02x}" for above, below in pairs)


class RowStrip(Strip):
    """Its ANSI text is made with it. Its segments, and the nine caches of a Strip, exist only once something
    asks for them: a dialog over the terminal, a filter, a picture. A frame of the terminal itself never does.
    """

    __slots__ = ("_pieces",)

    def __init__(self, pieces: list[tuple[str, RichStyle]], cells: int, ansi: str) -> None:
        self._pieces = pieces
        self._cell_length = cells
        self._render_cache = ansi

    def __getattr__(self, name: str) -> Any:
        """Called for slots that are empty yet."""
        if name not in Strip.__slots__:
            raise AttributeError(name)
        ansi = self._render_cache
        super().__init__([Segment(text, style) for text, style in self._pieces], self._cell_length)
        self._render_cache = ansi
        return object.__getattribute__(self, name)

    def divide(self, cuts: Iterable[int]) -> Sequence[Strip]:
        """As a Strip does. The usual cut is at the end, and leaves it whole."""
        cuts = list(cuts)
        return [self] if cuts == [self._cell_length] else super().divide(cuts)


_MOST_LOOKS = 20_000
_HOSTILE: dict[int, str | None] = {
    **{code: "�" for code in (*range(32), *range(0x7F, 0xA0), 0x2028, 0x2029)},
    0xAD: "-",
    **dict.fromkeys((0x061C, 0x180E, *range(0x200B, 0x200D), 0x200E, 0x200F, *range(0x202A, 0x202F), 0xFEFF)),
    **dict.fromkeys((*range(0x2060, 0x2070), *range(0xE0000, 0xE0080))),
}
"""Controls, and what would hide or turn round text; those without width are left out. Cells hold hardly
any of them, and if one ever did it would not get further than this."""
_RESET = "\x1b[0m"
_BLOCKS = " " + "".join(map(chr, range(0x2580, 0x25A0)))
"""Programs draw edges and pictures with them: those are not to be read, and may be faint."""


class Look:
    """How cells of one style are drawn: for Rich, and as the sequence that sets it, whatever was set.

    `drawing` is the look of block elements in that style, where it is another one.
    """

    __slots__ = ("drawing", "painter", "prefix", "rich")

    def __init__(self, painter: StripPainter, rich: RichStyle) -> None:
        self.painter = painter
        self.rich = rich
        self.drawing: Look | None = None
        codes = Strip.render_ansi(rich, painter.colours)
        self.prefix = f"\x1b[0;{codes}m" if codes else _RESET


Runs = list[tuple[int, int, Look]]
"""A row from left to right without gaps: first column, column after the last, look."""


class Overlay:
    """What is laid over cells; `change` gives the style of a cell from its own. Results are kept."""

    def __init__(self, painter: StripPainter, change: Callable[[RichStyle], RichStyle]) -> None:
        self._painter = painter
        self._change = change
        self._kept: dict[int, tuple[Look, Look]] = {}
        """By identity, with the look itself, so that no id is ever of another look."""

    def over(self, look: Look) -> Look:
        """The look of cells under this overlay that have `look` without it."""
        kept = self._kept.get(id(look))
        if kept is None:
            if len(self._kept) > _MOST_LOOKS:
                self._kept.clear()
            kept = self._kept[id(look)] = (look, Look(self._painter, self._change(look.rich)))
        return kept[1]


class StripPainter:
    """Makes strips in the colours of one palette, for a terminal that knows `colours`."""

    def __init__(self, palette: Palette, colours: ColorSystem = ColorSystem.TRUECOLOR) -> None:
        self.palette = palette
        self.colours = colours
        self._looks: dict[Style, Look] = {}
        self.default = self.look(DEFAULT)

    def look(self, pen: TextStyle) -> Look:
        """How cells in this pen are drawn; it is kept on the pen."""
        look = pen.rich
        if look is None or look.painter is not self:
            look = self._looks.get(pen.seen)
            if look is None:
                if len(self._looks) > _MOST_LOOKS:
                    self._looks.clear()
                look = self._looks[pen.seen] = self._new_look(pen.seen)
            pen.rich = look
        found: Look = look
        return found

    def _new_look(self, style: Style) -> Look:
        look = Look(self, self.rich_style(style))
        drawing = self.rich_style(style, drawing=True)
        if drawing != look.rich:
            look.drawing = Look(self, drawing)
        return look

    def runs(self, picture: Picture) -> Runs:
        pens, starts, runs = picture.pens, picture.starts, []
        for start, end in zip(starts, [*starts[1:], len(pens)], strict=True):
            pen = pens[start]
            look = pen.rich
            if look is None or look.painter is not self:
                look = self.look(pen)
            runs.append((start, end, look))
        return runs

    def strip(
        self,
        picture: Picture,
        runs: Runs,
        gutter: tuple[str, Look] | None = None,
        stamps: dict[int, str] | None = None,
    ) -> RowStrip:
        """The strip of a row; `gutter` comes before it, one cell for each character.

        `stamps` are characters that are drawn in place of those in these columns.
        """
        text, columns = picture.text, len(picture.characters)
        characters: Sequence[str] | None = None
        if stamps:
            characters = [stamps.get(column, cell) for column, cell in enumerate(picture.characters)]
        elif not (picture.plain and text.isprintable()):
            characters = picture.characters
        pieces, ansi = [], []
        last = None
        if gutter is not None:
            columns += len(gutter[0])
            last = gutter[1]
            pieces.append((gutter[0], last.rich))
            ansi += [last.prefix, gutter[0]]
        for start, end, look in runs:
            piece = text[start:end] if characters is None else _shown("".join(characters[start:end]))
            if look.drawing is not None and not piece.strip(_BLOCKS):
                look = look.drawing
            pieces.append((piece, look.rich))
            if look is not last:
                ansi.append(look.prefix)
                last = look
            ansi.append(piece)
        ansi.append(_RESET)
        return RowStrip(pieces, columns, "".join(ansi))

    def rich_style(self, style: Style, *, drawing: bool = False) -> RichStyle:
        """The style as Rich draws it; of text, or of a `drawing` made of blocks."""
        if self.palette.native:
            return native_style(style)
        foreground, background = resolve(style, self.palette, drawing=drawing)
        return RichStyle(
            color=Color.parse(foreground),
            bgcolor=Color.parse(background),
            bold=style.bold or None,
            italic=style.italic or None,
            underline=style.underline or None,
            strike=style.strikethrough or None,
        )


def native_style(style: Style) -> RichStyle:
    """The style in the outer terminal's own colours: whatever it makes of them."""
    foreground, background = _native(style.foreground), _native(style.background)
    return RichStyle(
        color=background if style.conceal else foreground,
        bgcolor=background,
        bold=style.bold or None,
        dim=style.dim or None,
        italic=style.italic or None,
        underline=style.underline or None,
        strike=style.strikethrough or None,
        reverse=(style.reverse and not style.conceal) or None,
    )


def _native(colour: Colour) -> Color:
    if isinstance(colour, int):
        return Color.from_ansi(colour)
    return Color.default() if colour == "default" else Color.parse(colour)


def _shown(text: str) -> str:
    return text if text.isprintable() else text.translate(_HOSTILE)


def laid_over(runs: Runs, start: int, end: int, overlay: Overlay) -> Runs:
    """The runs with the cells from `start` up to `end` under `overlay`."""
    result: Runs = []
    for first, last, look in runs:
        left, right = max(first, start), min(last, end)
        if left >= right:
            result.append((first, last, look))
            continue
        if first < left:
            result.append((first, left, look))
        result.append((left, right, overlay.over(look)))
        if right < last:
            result.append((right, last, look))
    return result
