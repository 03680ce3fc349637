"""What lies below a dialog, drawn dim but for the key bar, which says whose the keys are.

It is drawn in the same pass as Textual's tint would be, so that it costs no further painting. Where the
colours are the terminal's own no tint can be laid over it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from rich.color import Color, ColorType
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.color import Color as Tint
from textual.renderables.background_screen import BackgroundScreen

from copilot.tui.widgets.key_bar import KeyBar

_DIM = Style(dim=True, bold=False)
"""Bold and dim at once is drawn in as many ways as there are terminals."""
_NOT_REVERSED = Style(reverse=False, underline=True)


_NO_TINT = Tint(0, 0, 0, 0)


class BelowScreen(BackgroundScreen):
    """As Textual's, but the row of the key bar is left as it is."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lit = {y for bar in self.screen.query(KeyBar) for y in bar.region.line_range}
        row: list[Segment] = []
        y = 0
        for segment in console.render(self.screen._compositor, options):
            row.append(segment)
            if segment.text == "\n":
                yield from self._row(row, lit=y in lit)
                row, y = [], y + 1
        yield from self._row(row, lit=y in lit)

    def _row(self, row: list[Segment], *, lit: bool) -> Iterable[Segment]:
        if lit:
            return BackgroundScreen.process_segments(row, _NO_TINT)
        return self.process_segments(row, self.color)


class DimmedScreen(BelowScreen):
    """With dim text in place of a tint."""

    @classmethod
    def process_segments(cls, segments: Iterable[Segment], color: Tint) -> Iterable[Segment]:
        """The segments without links, dim; a badge is told by the colour of its word."""
        for text, style, control in super().process_segments(segments, color):
            yield Segment(text, style if control or style is None else _dim_style(style), control)


def dimmed(below: RenderableType, app: App[object], *, shown: bool = False) -> RenderableType:
    """What a modal screen shows of the one below it. `shown`: that is looked at as well, so it is tinted at
    most, and not dim where the theme's colours are the terminal's."""
    if not isinstance(below, BackgroundScreen):
        return below
    kind = DimmedScreen if app.current_theme.ansi and not shown else BelowScreen
    return kind(below.screen, below.color)


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
