"""What lies below a dialog, drawn dim: where the colours are the terminal's own no tint can be laid over it.

It is drawn in the same pass as the tint would be, so that it costs no further painting.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from rich.color import Color, ColorType
from rich.console import RenderableType
from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.color import Color as Tint
from textual.renderables.background_screen import BackgroundScreen

_DIM = Style(dim=True, bold=False)
"""Bold and dim at once is drawn in as many ways as there are terminals."""
_NOT_REVERSED = Style(reverse=False, underline=True)


class DimmedScreen(BackgroundScreen):
    """As Textual's, with dim text in place of a tint."""

    @classmethod
    def process_segments(cls, segments: Iterable[Segment], color: Tint) -> Iterable[Segment]:
        """The segments without links, dim; a badge is told by the colour of its word."""
        for text, style, control in super().process_segments(segments, color):
            yield Segment(text, style if control or style is None else _dim_style(style), control)


def dimmed(below: RenderableType, app: App[object]) -> RenderableType:
    """What a modal screen shows of the one below it: dim where the theme's colours are the terminal's."""
    if isinstance(below, BackgroundScreen) and app.current_theme.ansi:
        return DimmedScreen(below.screen, below.color)
    return below


@lru_cache(4096)
def _dim_style(style: Style) -> Style:
    if (
        style.reverse
    ):  # A terminal lays dim on the text alone: what is reversed would stay as bright as it was.
        return style + _DIM + _NOT_REVERSED
    if not (_of_terminal(style.color) and _of_terminal(style.bgcolor)):
        return style + _DIM
    return Style(color=style.bgcolor, dim=True)


def _of_terminal(colour: Color | None) -> bool:
    """Whether it is one of the sixteen."""
    return colour is not None and colour.type is ColorType.STANDARD
