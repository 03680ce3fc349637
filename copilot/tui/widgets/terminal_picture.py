"""The picture of the child's screen on Textual's Line API.

The strip of a row lives on the row's picture and dies with a write, so a frame costs what changed. Cursor,
selection and evidence are laid over the strips when a line is drawn. A person who scrolls back or selects
looks at a frozen list of pictures while the child goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.color import Color
from rich.segment import Segment
from rich.style import Style as RichStyle
from textual.filter import ANSIToTruecolor
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from copilot.screen import modes
from copilot.screen.rows import Picture
from copilot.tui import child_input
from copilot.tui.layout import GUTTER_FROM_COLUMNS
from copilot.tui.live import LiveSession
from copilot.tui.model import CockpitModel
from copilot.tui.themes import PALETTES
from copilot.tui.widgets.evidence import Evidence
from copilot.tui.widgets.pacing import FramePacer
from copilot.tui.widgets.paint import StripPainter, with_backdrop, with_cursor, with_span
from copilot.tui.widgets.selection import TextSelection

if TYPE_CHECKING:
    pass

_RESIZE_SECONDS = 0.05
_LEAST_SIZE = 2


class TerminalPicture(Widget, can_focus=True, inherit_bindings=False):
    """Shows `session.screen`; what a person does is the subclass's business."""

    ALLOW_SELECT = False
    FOCUS_ON_CLICK = True

    def __init__(self, session: LiveSession, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.session = session
        self.mouse_is_ours = False
        self.selection = TextSelection()
        self.evidence = Evidence()
        self.pacer = FramePacer()
        self._painter = StripPainter(PALETTES["copilot-dark"])
        self._shown: list[int] = []
        self._cursor_shown: tuple[int, int] | None = None
        self._paint_timer: Timer | None = None
        self._resize_timer: Timer | None = None
        self._frozen: list[Picture] | None = None
        self._back = 0

    # Size

    @property
    def gutter_width(self) -> int:
        """Columns at the left that are ours."""
        return 1 if self.size.width >= GUTTER_FROM_COLUMNS else 0

    @property
    def grid_size(self) -> Size:
        """Columns and lines for the child."""
        return Size(max(_LEAST_SIZE, self.size.width - self.gutter_width), max(_LEAST_SIZE, self.size.height))

    def on_mount(self) -> None:
        """Follow the theme."""
        self.app.theme_changed_signal.subscribe(self, lambda _theme: self._take_palette())
        self._take_palette()

    def _take_palette(self) -> None:
        palette = PALETTES.get(self.app.theme, PALETTES["copilot-dark"])
        self._painter = StripPainter(palette)
        child_input.tell_colours(self.session.screen, palette)
        self._shown.clear()
        self.refresh()

    def on_resize(self) -> None:
        """Give the child its size: the first one at once, later ones when the dragging rests."""
        if self._resize_timer is None:
            self._resize_child()
        else:
            self._resize_timer.stop()
        self._resize_timer = self.set_timer(_RESIZE_SECONDS, self._resize_child)

    def _resize_child(self) -> None:
        size, screen = self.grid_size, self.session.screen
        if (screen.columns, screen.lines) != (size.width, size.height) and self.size.width > _LEAST_SIZE:
            self.stop_scrolling()
            self.session.resize(size.width, size.height)
            self._shown.clear()
            self.refresh()

    # Painting

    def screen_changed(self) -> None:
        """The child drew: paint now, or when the frame cap and a synchronized update allow it."""
        if self._paint_timer is not None:
            return
        now = self.session.clock()
        wait = self.pacer.wait(now, synchronized=modes.SYNCHRONIZED in self.session.screen.mode)
        if wait <= 0:
            self._paint()
        else:
            self._paint_timer = self.set_timer(wait, self._paint_later)

    def _paint_later(self) -> None:
        self._paint_timer = None
        self.screen_changed()

    def _paint(self) -> None:
        self.pacer.painted(self.session.clock())
        if self._frozen is not None:
            return
        numbers = [self._picture(line).number for line in range(self.size.height)]
        shown, cursor = self._shown, self._cursor()
        dirty = [y for y, number in enumerate(numbers) if y >= len(shown) or shown[y] != number]
        if cursor != self._cursor_shown:
            dirty += [place[0] for place in (cursor, self._cursor_shown) if place is not None]
        self._shown, self._cursor_shown = numbers, cursor
        if dirty:
            self.refresh(*_regions(sorted(set(dirty)), self.size.width))

    def _cursor(self) -> tuple[int, int] | None:
        screen = self.session.screen
        if screen.cursor.hidden:
            return None
        return screen.cursor.y, min(screen.cursor.x, screen.columns - 1)

    def _picture(self, line: int) -> Picture:
        screen = self.session.screen
        if line >= screen.lines:
            line = screen.lines - 1
        return screen.visible_row(line).picture_of(screen.columns)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines of `crop`.

        Textual would pass each line through its style cache, for borders and padding that this widget never
        has, and its filters, which find nothing to do but without colour: half of a frame's time.
        """
        width, gutter = self.size.width, self.gutter_width
        strips = [self._line(y, width, gutter) for y in crop.line_range]
        for line_filter in self.app.get_line_filters():
            if not isinstance(line_filter, ANSIToTruecolor):
                background = self.background_colors[1]
                strips = [strip.apply_filter(line_filter, background) for strip in strips]
        start, end = crop.column_span
        if (start, end) != (0, width):
            strips = [strip.crop(start, end) for strip in strips]
        return strips

    def render_line(self, y: int) -> Strip:
        """One line: the row's own strip with what lies over it."""
        return self._line(y, self.size.width, self.gutter_width)

    def _line(self, y: int, width: int, gutter: int) -> Strip:
        if self._frozen is not None:
            picture = self._frozen_picture(y)
            strip = self._strip_of(picture, gutter)
        elif y < self.session.screen.lines:
            picture = self._picture(y)
            strip = self._overlaid(self._strip_of(picture, gutter), y, gutter)
        else:
            return Strip.blank(width, self._painter.default)
        if span := self.selection.span(y, len(picture.characters)):
            strip = with_span(strip, span[0] + gutter, span[1] + gutter, self._selected_style())
        return strip if strip.cell_length == width else strip.adjust_cell_length(width, self._painter.default)

    def _strip_of(self, picture: Picture, gutter: int) -> Strip:
        kept = picture.strip
        if kept is not None and kept[0] is self._painter and kept[1] == gutter:
            strip: Strip = kept[2]
            return strip
        strip = self._painter.strip(picture.characters, picture.styles, gutter)
        picture.strip = (self._painter, gutter, strip)
        return strip

    def _overlaid(self, strip: Strip, y: int, gutter: int) -> Strip:
        mark = self.evidence.mark(y)
        if mark is not None:
            colours = self.app.theme_variables
            backdrop = RichStyle(bgcolor=Color.parse(colours["evidence"]))
            strip = with_backdrop(strip, self._painter.default, backdrop)
            column = 0 if gutter else _free_edge(strip)
            if column is not None:
                shape = RichStyle(color=Color.parse(colours[mark.colour]), bold=True) + backdrop
                strip = Strip.join(
                    [strip.crop(0, column), Strip([Segment(mark.shape, shape)], 1), strip.crop(column + 1)]
                )
        cursor = self._cursor()
        if cursor is not None and cursor[0] == y:
            strip = self._with_cursor(strip, cursor[1], gutter)
        return strip

    def _with_cursor(self, strip: Strip, column: int, gutter: int) -> Strip:
        picture = self._picture(self._cursor_row())
        if column and picture.characters[column] == "":
            column -= 1
        wide = column + 1 < len(picture.characters) and picture.characters[column + 1] == ""
        if self.has_focus and self.app.app_focus:
            palette = self._painter.palette
            style = RichStyle(color=Color.parse(palette.background), bgcolor=Color.parse(palette.foreground))
        else:
            style = RichStyle(underline=True, bold=True)
        return with_cursor(strip, column + gutter, 2 if wide else 1, style)

    def _cursor_row(self) -> int:
        return self.session.screen.cursor.y

    def _selected_style(self) -> RichStyle:
        return RichStyle(
            bgcolor=Color.parse(self.app.theme_variables["chosen"]), reverse=self.app.no_color or None
        )

    def row_text(self, line: int) -> str:
        """The text of a visible row of the live screen, blanks at its end cut off."""
        if not 0 <= line < self.session.screen.lines:
            return ""
        return self._picture(line).text.rstrip()

    def show_evidence(self, model: CockpitModel) -> None:
        """Mark the rows that the detection rests on, and where the proposed option stands."""
        evidence = Evidence.of(model, self.row_text)
        if evidence != self.evidence:
            changed = self.evidence.rows | evidence.rows
            self.evidence = evidence
            self.refresh(*_regions(sorted(changed), self.size.width))

    # Scrollback

    @property
    def scrolling(self) -> bool:
        """Whether a person looks back."""
        return self._back > 0

    def scroll_back(self, *, lines: int = 0, pages: int = 0) -> bool:
        """Move the view back (or on, if negative). False if nothing has scrolled off."""
        screen = self.session.screen
        if self._frozen is None:
            if not screen.scrollback:
                return False
            columns = screen.columns
            past = range(len(screen.scrollback))
            kept = [screen.scrollback_row(line).picture_of(columns) for line in past]
            self._frozen = kept + [self._picture(line) for line in range(screen.lines)]
        most = max(0, len(self._frozen) - self.size.height)
        self._back = max(0, min(most, self._back + lines + pages * max(1, self.size.height - 1)))
        if self._back == 0:
            self.stop_scrolling()
        self.selection.clear()
        self.refresh()
        return True

    def stop_scrolling(self) -> None:
        """Back to the live screen."""
        if self._frozen is not None:
            self._frozen, self._back = None, 0
            self.selection.clear()
            self._shown.clear()
            self.refresh()

    def _frozen_picture(self, y: int) -> Picture:
        assert self._frozen is not None
        first = max(0, len(self._frozen) - self.size.height - self._back)
        return self._frozen[min(first + y, len(self._frozen) - 1)]


def _free_edge(strip: Strip) -> int | None:
    """The last column, if nothing stands there: where a mark hides nothing."""
    last = strip.cell_length - 1
    return last if strip.crop(last).text == " " else None


def _regions(lines: list[int], width: int) -> list[Region]:
    """Runs of lines as regions."""
    regions: list[Region] = []
    for line in lines:
        if regions and regions[-1].bottom == line:
            regions[-1] = regions[-1].grow((0, 0, 1, 0))
        else:
            regions.append(Region(0, line, width, 1))
    return regions
