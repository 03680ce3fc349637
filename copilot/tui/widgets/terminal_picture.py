"""The picture of the child's screen on Textual's Line API.

The strip of a row lives on the row's picture and dies with a write, so a frame costs what changed. Cursor,
evidence and all else of ours are laid over the runs of a row when its line is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.color import ColorSystem
from rich.console import Console, ConsoleOptions, RenderResult
from textual._compositor import CompositorUpdate
from textual.filter import ANSIToTruecolor
from textual.geometry import Offset, Region, Size
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from copilot.screen import modes
from copilot.screen.rows import Picture
from copilot.tui import child_input
from copilot.tui.bridge import LiveSession
from copilot.tui.describe import RISK_TONES
from copilot.tui.layout import GUTTER_FROM_COLUMNS
from copilot.tui.model import CockpitModel
from copilot.tui.themes import DARK_CELLS, palette_of
from copilot.tui.widgets.detector_panel import Evidence
from copilot.tui.widgets.ghost import BLINK_SECONDS, CursorBlink, Ghost, cursor_shape, ghost_at, ghost_text
from copilot.tui.widgets.links import Piece
from copilot.tui.widgets.overlays import Overlays
from copilot.tui.widgets.pacing import FOCUSED_FRAMES, HIDDEN_FRAMES, UNFOCUSED_FRAMES, FramePacer
from copilot.tui.widgets.paint import Overlay, Runs, StripPainter, laid_over
from copilot.tui.widgets.risk_text import risk_places

# Rows of the terminal straight to the driver, where nothing lies over them.
#
# Textual's compositor asks every container behind a widget for all its lines, and paints up to a sixtieth
# of a second later: two thirds of a frame's time, and most of an echo's. What is written here is what it
# would write, and it keeps no copy of what was drawn, so both ways mix. Bound to the pinned version of
# Textual.


class RowsUpdate(CompositorUpdate):
    """Some whole rows of one widget."""

    def __init__(self, offset: Offset, rows: Sequence[int], strips: Sequence[Strip]) -> None:
        self._offset = offset
        self._rows = rows
        self._strips = strips

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """For Rich, that takes it for something to print."""
        for strip in self._strips:
            yield from strip

    def render_segments(self, console: Console) -> str:
        x, y = self._offset.x + 1, self._offset.y + 1
        lines = zip(self._rows, self._strips, strict=True)
        return "".join([f"\x1b[{y + row};{x}H{strip.render(console)}" for row, strip in lines])


def place_of(widget: Widget) -> Offset | None:
    """Where the widget is if all of it is on top; None if Textual has to put the picture together."""
    app, screen = widget.app, widget.screen
    if app.screen is not screen or app.is_inline or app._batch_count or screen._layout_required:
        return None
    shown = screen._compositor.visible_widgets
    place = shown.get(widget)
    if place is None or not place[1].contains_region(place[0]):
        return None
    region = place[0]
    for other, (area, clip) in shown.items():
        if other is widget:
            break
        if region.overlaps(area.intersection(clip)):
            return None
    return region.offset


_RESIZE_SECONDS = 0.05
_LEAST_SIZE = 2


class TerminalPicture(Widget, can_focus=True, inherit_bindings=False):
    """Shows `session.screen`; what a person does is the subclasses' business."""

    ALLOW_SELECT = False
    FOCUS_ON_CLICK = True

    def __init__(self, session: LiveSession, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.session = session
        self.evidence = Evidence()
        self.risky: tuple[Piece, ...] = ()
        """Cells of what decided the risk."""
        self.risk_tone = "error"
        self.ghost: Ghost | None = None
        """The proposed text where it would be typed."""
        self._ghost_text = ""
        self.pacer = FramePacer()
        self.blink = CursorBlink()
        self._painter = StripPainter(DARK_CELLS)
        self._overlays: Overlays | None = None
        self._shown: list[int] = []
        self._cursor_shown: tuple[int, int, int] | None = None
        self._paint_timer: Timer | None = None
        self._resize_timer: Timer | None = None
        self._blink_timer: Timer | None = None

    # Size

    @property
    def gutter_width(self) -> int:
        """Columns at the left that are ours."""
        return 1 if self.size.width >= GUTTER_FROM_COLUMNS else 0

    @property
    def grid_size(self) -> Size:
        return Size(max(_LEAST_SIZE, self.size.width - self.gutter_width), max(_LEAST_SIZE, self.size.height))

    def on_mount(self) -> None:
        self.app.theme_changed_signal.subscribe(self, lambda _theme: self._take_palette())
        self._blink_timer = self.set_interval(BLINK_SECONDS, self._blink, pause=True)
        self._take_palette()

    def _take_palette(self) -> None:
        palette = palette_of(self.app.current_theme)
        colours = self.app.console._color_system or ColorSystem.TRUECOLOR
        self._painter = StripPainter(palette, colours)
        self._overlays = None
        child_input.report_colours(self.session.screen, palette)
        self._shown.clear()
        self.refresh()

    @property
    def overlays(self) -> Overlays:
        """What is laid over the child's cells, in the theme's colours."""
        if self._overlays is None:
            self._overlays = Overlays(self._painter, self.app.theme_variables, no_color=self.app.no_color)
        return self._overlays

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
            self.size_changes()
            self.session.resize(size.width, size.height)
            self._shown.clear()
            self.refresh()

    def size_changes(self) -> None:
        """The rows are about to be others."""

    # Painting

    def screen_changed(self) -> None:
        """The child drew: paint now, or when the frame cap and a synchronized update allow it."""
        now = self.session.clock()
        if self._paint_timer is not None:
            self.pacer.crowded(now)
            if not self.pacer.awaits_echo(now):
                return
            self._paint_timer.stop()
            self._paint_timer = None
        self.pacer.frames = self._frames()
        wait = self.pacer.wait(now, synchronized=modes.SYNCHRONIZED in self.session.screen.mode)
        if wait <= 0:
            self._paint()
        else:
            self._paint_timer = self.set_timer(wait, self._paint_later)

    def _frames(self) -> float:
        if self.app.screen is not self.screen or not self.size:
            return HIDDEN_FRAMES
        return FOCUSED_FRAMES if self.has_focus and self.app.app_focus else UNFOCUSED_FRAMES

    def _paint_later(self) -> None:
        self._paint_timer = None
        self.screen_changed()

    def _paint(self) -> None:
        self.pacer.painted(self.session.clock())
        if self.frozen_picture(0) is not None:
            return
        numbers = [self._picture(line).number for line in range(self.size.height)]
        shown, cursor = self._shown, self._cursor()
        dirty = {y for y, number in enumerate(numbers) if y >= len(shown) or shown[y] != number}
        if cursor != self._cursor_shown:
            dirty |= {place[0] for place in (cursor, self._cursor_shown) if place is not None}
        dirty |= self._follow_ghost()
        self._shown, self._cursor_shown = numbers, cursor
        if dirty:
            if self._blink_timer is not None and self.blink.restart(self.session.screen):
                self._blink_timer.resume()
            self._show_lines(dirty)

    def _show_lines(self, lines: set[int]) -> None:
        """At once if nothing of ours lies over the terminal; else when Textual paints next."""
        offset = place_of(self)
        if offset is None:
            self.refresh(*regions(lines, self.size.width))
        elif rows := sorted(line for line in lines if line < self.size.height):
            self.app._display(self.screen, RowsUpdate(offset, rows, self.lines(rows)))

    def _cursor(self) -> tuple[int, int, int] | None:
        """Line, column and shape; None if the child hides it."""
        screen = self.session.screen
        if screen.cursor.hidden:
            return None
        return screen.cursor.y, min(screen.cursor.x, screen.columns - 1), screen.cursor_shape

    def _blink(self) -> None:
        """The cursor goes or comes; at rest it stays."""
        if not self.blink.tick(self.session.screen) and self._blink_timer is not None:
            self._blink_timer.pause()
        self._show_lines({self.session.screen.cursor.y})

    def _picture(self, line: int) -> Picture:
        screen = self.session.screen
        if line >= screen.lines:
            line = screen.lines - 1
        return screen.visible_row(line).picture_of(screen.columns)

    def frozen_picture(self, y: int) -> Picture | None:
        """The row at line `y` of a frozen view, while a person looks at one."""
        return None

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines of `crop`.

        Textual would pass each line through its style cache, for borders and padding that this widget never
        has, and its filters, which find nothing to do but without colour: half of a frame's time.
        """
        strips = self.lines(crop.line_range)
        start, end = crop.column_span
        if (start, end) != (0, self.size.width):
            strips = [strip.crop(start, end) for strip in strips]
        return strips

    def lines(self, rows: Iterable[int]) -> list[Strip]:
        width, gutter = self.size.width, self.gutter_width
        strips = [self._line(y, width, gutter) for y in rows]
        for line_filter in self.app.get_line_filters():
            if not isinstance(line_filter, ANSIToTruecolor):
                background = self.background_colors[1]
                strips = [strip.apply_filter(line_filter, background) for strip in strips]
        return strips

    def render_line(self, y: int) -> Strip:
        """One line: the row's own strip, or the row with what lies over it."""
        return self._line(y, self.size.width, self.gutter_width)

    def _line(self, y: int, width: int, gutter: int) -> Strip:
        frozen = self.frozen_picture(y)
        if frozen is None and y >= self.session.screen.lines:
            return Strip.blank(width, self._painter.default.rich)
        picture = self._picture(y) if frozen is None else frozen
        strip = self._laid_over(picture, y, gutter, live=frozen is None) or self._kept(picture, gutter)
        if strip.cell_length != width:
            return strip.adjust_cell_length(width, self._painter.default.rich)
        return strip

    def _kept(self, picture: Picture, gutter: int) -> Strip:
        """The strip of a row that nothing is laid over: made once, then kept with the picture."""
        kept = picture.strip
        if kept is not None and kept[0] is self._painter and kept[1] == gutter:
            strip: Strip = kept[2]
            return strip
        painter = self._painter
        strip = painter.strip(picture, painter.runs(picture), (" ", painter.default) if gutter else None)
        picture.strip = (painter, gutter, strip)
        return strip

    def _laid_over(self, picture: Picture, y: int, gutter: int, *, live: bool) -> Strip | None:
        """The row with what lies over it; None if nothing does."""
        runs: Runs | None = None
        head = (" ", self._painter.default) if gutter else None
        stamps: dict[int, str] = {}
        mark = self.evidence.mark(y) if live else None
        if mark is not None:
            overlay, look = self.overlays.mark(mark)
            last = len(picture.characters) - 1
            runs = self.lay(runs, picture, 0, last + 1, self.overlays.evidence)
            if gutter:
                head = (mark.shape, look)
            elif picture.characters[last] == " ":
                runs = self.lay(runs, picture, last, last + 1, overlay)
                stamps[last] = mark.at_right
        for piece in self.risky if live else ():
            if piece.row == y:
                runs = self.lay(runs, picture, piece.start, piece.end, self.overlays.risk(self.risk_tone))
        ghost = self.ghost if live else None
        if ghost is not None and ghost.row == y and ghost.end <= len(picture.characters):
            runs = self.lay(runs, picture, ghost.column, ghost.end, self.overlays.ghost)
            stamps |= ghost.stamps
        runs = self.lay_more(runs, picture, y)
        cursor = self._cursor() if live else None
        if cursor is not None and cursor[0] == y and (self.blink.shown or not self.has_focus):
            runs = self._with_cursor(runs, picture, cursor, stamps)
        return None if runs is None else self._painter.strip(picture, runs, head, stamps)

    def lay(self, runs: Runs | None, picture: Picture, start: int, end: int, overlay: Overlay) -> Runs:
        """The row with these cells under `overlay`; `runs` are None if nothing lies over it yet."""
        return laid_over(self._painter.runs(picture) if runs is None else runs, start, end, overlay)

    def lay_more(self, runs: Runs | None, picture: Picture, y: int) -> Runs | None:
        """What a subclass lays over a row."""
        return runs

    def _with_cursor(
        self, runs: Runs | None, picture: Picture, cursor: tuple[int, int, int], stamps: dict[int, str]
    ) -> Runs:
        column, characters = cursor[1], picture.characters
        if column and characters[column] == "":
            column -= 1
        end = column + (2 if column + 1 < len(characters) and characters[column + 1] == "" else 1)
        focused = self.has_focus and self.app.app_focus
        overlay, stamp = cursor_shape(
            cursor[2], self.overlays, focused=focused, blank=characters[column] == " "
        )
        if stamp:
            stamps[column] = stamp
        return self.lay(runs, picture, column, end, overlay)

    def row_text(self, line: int) -> str:
        """The text of a visible row of the live screen, blanks at its end cut off."""
        if not 0 <= line < self.session.screen.lines:
            return ""
        return self._picture(line).text.rstrip()

    def row_cells(self, line: int) -> Sequence[str]:
        """The cells of a visible row of the live screen."""
        return self._picture(line).characters if 0 <= line < self.session.screen.lines else ()

    def show_evidence(self, model: CockpitModel) -> None:
        """Mark the rows that the detection rests on, the proposed option, and what decided the risk."""
        evidence, risk = Evidence.of(model, self.row_text), model.view.risk
        risky = () if model.over else risk_places(model.detection, risk, self.row_cells)
        if (evidence, risky) != (self.evidence, self.risky):
            pieces = {piece.row for piece in (*self.risky, *risky)}
            changed = self.evidence.rows | evidence.rows | pieces
            self.evidence, self.risky, self.risk_tone = evidence, risky, RISK_TONES[risk.level]
            self.refresh(*regions(changed, self.size.width))
        self._ghost_text = ghost_text(model)
        if moved := self._follow_ghost():
            self.refresh(*regions(moved, self.size.width))

    def _follow_ghost(self) -> set[int]:
        """Put the proposed text where the child's cursor is now; the lines that changed."""
        screen, old = self.session.screen, self.ghost
        self.ghost = None
        if self._ghost_text and screen.cursor.y < screen.lines:
            place = screen.cursor.y, min(screen.cursor.x, screen.columns - 1)
            row = self._picture(place[0]).characters
            self.ghost = ghost_at(self._ghost_text, place, screen.cursor.hidden, row)
        return set() if self.ghost == old else {one.row for one in (old, self.ghost) if one is not None}


def regions(lines: set[int] | frozenset[int], width: int) -> list[Region]:
    """Lines of a widget as regions, neighbours in one."""
    found: list[Region] = []
    for line in sorted(lines):
        if found and found[-1].bottom == line:
            found[-1] = found[-1].grow((0, 0, 1, 0))
        else:
            found.append(Region(0, line, width, 1))
    return found
