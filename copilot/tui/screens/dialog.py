"""Dialogs: pages and questions over the cockpit, the palette, and the screen that shows below them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TypeVar

from rich.color import Color, ColorType
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment
from rich.style import Style
from textual import events, on
from textual.app import App, ComposeResult
from textual.await_complete import AwaitComplete
from textual.color import Color as Tint
from textual.command import CommandPalette
from textual.containers import VerticalScroll
from textual.content import Content
from textual.css.scalar import Unit
from textual.geometry import Region
from textual.renderables.background_screen import BackgroundScreen
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Static

from copilot.tui.current_size import CurrentSizeScreen
from copilot.tui.mouse import key_at, picked
from copilot.tui.text import rows_of, show_content
from copilot.tui.widgets.key_bar import KeyBar

_DIM = Style(dim=True, bold=False)
"""Bold and dim at once is drawn in as many ways as there are terminals."""
_NOT_REVERSED = Style(reverse=False, underline=True)
_NO_TINT = Tint(0, 0, 0, 0)


class BelowScreen(BackgroundScreen):
    """As Textual's, but the row of the key bar, which says whose the keys are, is left as it is.

    It is drawn in the same pass as Textual's tint would be, so that it costs no further painting. `dim`: with
    dim text besides, where the colours are the terminal's own and no tint can be laid over them.
    """

    def __init__(self, below: BackgroundScreen, *, dim: bool) -> None:
        super().__init__(below.screen, below.color)
        self._dim = dim

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
            return self.process_segments(row, _NO_TINT)
        tinted = self.process_segments(row, self.color)
        return map(_dim_segment, tinted) if self._dim else tinted


def dimmed(below: RenderableType, app: App[object], *, shown: bool = False) -> RenderableType:
    """What a modal screen shows of the one below it. `shown`: that is looked at as well, so it is tinted at
    most, and not dim where the theme's colours are the terminal's."""
    if not isinstance(below, BackgroundScreen):
        return below
    return BelowScreen(below, dim=app.current_theme.ansi and not shown)


def _dim_segment(segment: Segment) -> Segment:
    text, style, control = segment
    return Segment(text, style if control or style is None else _dim_style(style), control)


@lru_cache(4096)
def _dim_style(style: Style) -> Style:
    if style.reverse:
        # A terminal lays dim on the text alone: what is reversed would stay as bright as it was.
        return style + _DIM + _NOT_REVERSED
    if not (_of_terminal(style.color) and _of_terminal(style.bgcolor)):
        return style + _DIM
    # A badge is known by the colour of its word.
    return Style(color=style.bgcolor, dim=True)


def _of_terminal(colour: Color | None) -> bool:
    """Whether it is one of the sixteen."""
    return colour is not None and colour.type is ColorType.STANDARD


Result = TypeVar("Result")
_PAGE_CELLS = 100
_EDGE_CELLS = 7
"""The sizes of `.page` in `styles/dialogs.tcss`; frame, padding and scroll bar."""
_SCROLLS = {"up": "scroll_up", "down": "scroll_down", "pageup": "page_up", "pagedown": "page_down"}


def page_columns(window: int) -> int:
    """Columns of text on a page, in a window of so many."""
    return min(_PAGE_CELLS, window) - _EDGE_CELLS


_BOX_COLUMNS, _LEAST_LINE = 84, 20
"""The width of `.dialog` in `styles/dialogs.tcss`; the least that a line is cut to."""


class Dialog(CurrentSizeScreen[Result], ModalScreen[Result], inherit_bindings=False):
    """A modal screen that closes once. The mouse does what keys do: lines, hints at the edge, beside it Esc.

    On a busy machine a second Esc may come before the first has taken the screen away. Textual would then
    close whatever lies below: the session.
    """

    shows_below = False
    """Whether what lies below is looked at as well."""

    def render(self) -> RenderableType:
        """What lies below, so that the dialog is set off: tinted, or dim where no tint is possible."""
        return dimmed(super().render(), self.app, shown=self.shows_below)

    def columns_inside(self, edge: int) -> int:
        """Columns that a line of the box has here; `edge` are those of frame, padding and scroll bar."""
        return max(_LEAST_LINE, min(_BOX_COLUMNS, self.app.size.width) - edge)

    @property
    def panels_beside(self) -> int:
        """The columns of the panels beside the terminal below."""
        screens = (one for one in reversed(self.app.screen_stack) if isinstance(one, BelowDialogs))
        return next((screen.panel_columns for screen in screens), 0)

    @on(events.Resize)
    def keep_panels_in_sight(self) -> None:
        """In the middle of the terminal beside panels, if there is room for the box; else of the window."""
        panels = self.panels_beside
        box = self.query(".dialog, .page").first()
        width = box.styles.width
        fits = width is not None and width.unit is Unit.CELLS and width.value <= self.app.size.width - panels
        # Moved, since a screen with padding would hide what lies below it there.
        moved = fits and self.styles.align_horizontal == "center"
        box.styles.offset = (-(panels // 2) if moved else 0, 0)

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Close with this result; a second time nothing happens."""
        return super().dismiss(result) if self.is_active else AwaitComplete()

    def scroll_page(self, event: events.Key) -> None:
        """Scroll the page by this key, if it is one for that: without the focus, and before it is drawn, too.

        The page's own way counts keys that come in one go, as of a held arrow, as one.
        """
        page = self.query(".page").first()

        def scroll() -> None:
            rows = page.size.height if event.key in ("pageup", "pagedown") else 1
            by = -rows if event.key in ("up", "pageup") else rows
            page.scroll_relative(y=by, animate=False, immediate=True)

        if event.key in _SCROLLS:
            event.stop()
            if page.max_scroll_y:
                scroll()
            else:
                self.call_after_refresh(scroll)

    def keep_line_in_sight(self, list_id: str, lines: Sequence[Content], index: int) -> None:
        """Scroll the box, once it is laid out, to where this line is seen: nothing is chosen blind."""

        def scroll() -> None:
            shown = self.query_one(list_id, Static)
            width = shown.size.width
            top = shown.virtual_region.y + sum(rows_of(line, width) for line in lines[:index])
            line = Region(0, top, 1, rows_of(lines[index], width))
            box = shown.parent
            if isinstance(box, Widget):
                box.scroll_to_region(line, animate=False)

        if lines:
            self.call_after_refresh(scroll)

    def pick(self, index: int) -> None:
        """Line `index` of the dialog's list was clicked."""

    def on_click(self, event: events.Click) -> None:
        """A line, a hint at the lower edge, or beside the box."""
        box = self.query(".dialog, .page").first()
        if not box.region.contains(event.screen_x, event.screen_y):
            self._leave()
        elif event.screen_y == box.region.bottom - 1:
            key = key_at(*_hints_under(box, event.screen_x - box.region.x))
            if key is not None:
                self.press(key)
        elif (index := picked(event)) is not None:
            self.pick(index)

    def _leave(self) -> None:
        """What is being written is not lost by a click beside it."""
        if not self.has_class("-editing"):
            self.press("escape")

    def press(self, key: str) -> None:
        """As if that key were pressed here; never anywhere else, for a closed dialog's key would be typed."""
        if not self.is_current:
            return
        if isinstance(self.focused, VerticalScroll) and key in _SCROLLS:
            getattr(self.focused, f"action_{_SCROLLS[key]}")()
        else:
            self.post_message(events.Key(key, None))


def _hints_under(box: Widget, column: int) -> tuple[str, int]:
    """The hints of a box, and the column in them that is `column` of its lower edge."""
    hints = box.border_subtitle or ""
    width, height = box.region.size
    edge = box.render_lines(Region(0, height - 1, width, 1))[0].text
    return hints, column - edge.find(hints) if hints and hints in edge else -1


class Choice(Dialog[Result], inherit_bindings=False):
    """A list of which one line is chosen: arrows and a click choose, Enter takes, Esc changes nothing."""

    list_id = ""
    """The `Static` that shows the lines."""
    between = "\n"
    wraps = False
    chosen = 0

    def lines(self) -> list[Content]:
        """The lines as they are now, each of one or more rows."""
        raise NotImplementedError

    def take(self) -> None:
        """Close with the chosen line."""
        raise NotImplementedError

    def other_key(self, key: str) -> None:
        """A key that is none of every list."""

    def on_resize(self) -> None:
        self.choose(self.chosen)

    def choose(self, index: int) -> None:
        """Show line `index` as the chosen one, in sight."""
        self.chosen = index
        lines = self.lines()
        self.query_one(self.list_id, Static).update(Content(self.between).join(lines))
        self.keep_line_in_sight(self.list_id, [line + self.between[1:] for line in lines], index)

    def pick(self, index: int) -> None:
        """A click chooses; what is chosen is taken by a hint at the edge."""
        self.choose(index)

    def on_key(self, event: events.Key) -> None:
        event.stop()
        if event.key in ("escape", "q"):
            self.dismiss(None)
        elif event.key == "enter":
            self.take()
        elif event.key in ("up", "k"):
            self._step(-1)
        elif event.key in ("down", "j"):
            self._step(1)
        else:
            self.other_key(event.key)

    def _step(self, by: int) -> None:
        count, wanted = len(self.lines()), self.chosen + by
        self.choose(wanted % count if self.wraps else max(0, min(count - 1, wanted)))


class YesOrNo(Dialog[bool], inherit_bindings=False):
    """A last question: y and Enter mean yes, n and Esc no. No other key does anything."""

    def on_key(self, event: events.Key) -> None:
        event.stop()
        if event.key in ("y", "enter"):
            self.dismiss(True)
        elif event.key in ("n", "escape"):
            self.dismiss(False)


class Page(Dialog[None], inherit_bindings=False):
    """A page that scrolls. `content` gives it in rows of so many cells; Esc, q and `closed_by` close it."""

    def __init__(self, title: str, content: Callable[[int], Content], *, closed_by: str) -> None:
        super().__init__()
        self._page_title = title
        self._content = content
        self._closing_keys = {"escape", "q", closed_by}

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="page") as page:
            page.border_title = self._page_title
            page.border_subtitle = "Esc closes · ↑↓ PgUp PgDn scroll"
            yield Static(self._content(page_columns(self.app.size.width)), id="page-text")

    def on_resize(self) -> None:
        self._update()

    def _update(self) -> None:
        """Draw what is new; the reader's place stays."""
        content = self._content(page_columns(self.app.size.width))
        show_content(self.query_one("#page-text", Static), content)

    def on_key(self, event: events.Key) -> None:
        if event.key in self._closing_keys:
            event.stop()
            self.dismiss(None)
        else:
            self.scroll_page(event)


PALETTE_KEYS = "type to find, ↑↓ and Enter choose; Esc closes it"
"""It has no edge to write them on."""


class Palette(CommandPalette, inherit_bindings=True):
    """Textual's own but for what lies below."""

    def render(self) -> RenderableType:
        return dimmed(super().render(), self.app)


def open_palette(app: App[object]) -> None:
    """Open it, unless it is open."""
    if not CommandPalette.is_open(app):
        app.push_screen(Palette(id="--command-palette"))


class BelowDialogs(CurrentSizeScreen[None]):
    """A screen whose picture goes on below a dialog, drawn once for each change.

    Textual hands a change below a dialog on to the dialog's screen, and besides marks the screen below as to
    be painted, which nothing does: so each later message to it has everything painted again, a third of a
    core at 200x60 for a clock. Bound to the pinned version of Textual.
    """

    @property
    def panel_columns(self) -> int:
        """Columns that panels take beside the terminal: dialogs keep clear of them."""
        return 0

    def _compositor_refresh(self) -> None:
        super()._compositor_refresh()
        if self.app.screen is not self:
            self._repaint_required = False
