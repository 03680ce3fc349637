"""The recorded terminal on the screen: the live picture's paint, over a terminal of its own size."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, cast

from textual.strip import Strip

from copilot.replay.player import Player
from copilot.screen import TerminalScreen
from copilot.screen.rows import Picture
from copilot.tui.widgets.detector_panel import Evidence, row_of_label
from copilot.tui.widgets.links import Piece, in_cells
from copilot.tui.widgets.looking_back import lowered
from copilot.tui.widgets.paint import Runs
from copilot.tui.widgets.terminal_picture import TerminalPicture

if TYPE_CHECKING:
    from copilot.engine.review import Moment
    from copilot.tui.bridge import LiveSession


class _Source:
    """What the picture needs of a session: the screen of the player, whichever that is now."""

    def __init__(self, player: Player) -> None:
        self._player = player

    @property
    def screen(self) -> TerminalScreen:
        return self._player.screen

    def clock(self) -> float:
        return time.monotonic()


class ReplayPicture(TerminalPicture, can_focus=False, inherit_bindings=False):
    """Shows the player's screen. Where that is larger than the widget a part of it is shown."""

    def __init__(self, player: Player, *, id: str | None = None) -> None:
        super().__init__(cast("LiveSession", _Source(player)), id=id)
        self.query_text = ""
        self._top = self._left = 0
        self._panned = False

    def _resize_child(self) -> None:
        """A recorded terminal has its own size."""
        self._shown.clear()
        self.refresh()

    @property
    def gutter_width(self) -> int:
        """A column at the left for marks, unless the recorded terminal just fits without it."""
        return 0 if self.session.screen.columns == self.size.width else 1

    @property
    def room(self) -> tuple[int, int]:
        """How many columns and lines of the terminal do not fit."""
        screen = self.session.screen
        return max(0, screen.columns + self.gutter_width - self.size.width), max(
            0, screen.lines - self.size.height
        )

    @property
    def corner(self) -> tuple[int, int]:
        """The first line and column that are shown."""
        return self._top, self._left

    def pan(self, lines: int = 0, columns: int = 0) -> None:
        """Look at another part; it stays until another moment is looked at."""
        right, down = self.room
        self._top = max(0, min(down, self._top + lines))
        self._left = max(0, min(right, self._left + columns))
        self._panned = True
        self._shown.clear()
        self.refresh()

    def show_moment(self, moment: Moment, *, jumped: bool) -> None:
        """Show the player's screen with the evidence of that moment. A jump scrolls to what matters."""
        detection = moment.detection
        rows = frozenset(detection.evidence) if detection.waiting else frozenset()
        choice = None
        proposal = moment.prompt.offered_at(moment.at) if moment.prompt is not None else None
        if proposal is not None and proposal.reply.choice is not None:
            choice = row_of_label(proposal.reply.choice, sorted(rows), self.recorded_row)
        if jumped:
            self._panned = False
        if not self._panned:
            self._follow(sorted(rows))
        self.evidence = Evidence(rows, choice)
        self._paint()

    def _follow(self, rows: list[int]) -> None:
        """Have the end of the text in view, and the evidence, or else the cursor."""
        _, down = self.room
        height = max(1, self.size.height)
        wanted = rows or [self.session.screen.cursor.y]
        top = min(self._last_row() - height + 1, min(wanted))
        # Of a dialog that is too high its end is shown, where the options are.
        top = max(top, max(wanted) - height + 1)
        self._top, self._left = max(0, min(down, top)), 0

    def _last_row(self) -> int:
        """The last row with any text."""
        rows = range(self.session.screen.lines - 1, 0, -1)
        return next((row for row in rows if self.recorded_row(row)), 0)

    def recorded_row(self, line: int) -> str:
        """The text of a row of the recorded terminal, without the blanks at its end."""
        screen = self.session.screen
        if not 0 <= line < screen.lines:
            return ""
        return screen.visible_row(line).picture_of(screen.columns).text.rstrip()

    def _picture(self, line: int) -> Picture:
        return super()._picture(line + self._top)

    def _cursor(self) -> tuple[int, int, int] | None:
        cursor = super()._cursor()
        if cursor is None or not 0 <= cursor[0] - self._top < self.size.height:
            return None
        return cursor[0] - self._top, cursor[1], cursor[2]

    def _line(self, y: int, width: int, gutter: int) -> Strip:
        screen = self.session.screen
        whole = max(width, screen.columns + gutter)
        strip = super()._line(y, whole, gutter)
        if whole == width:
            return strip
        if not self._left:
            return strip.crop(0, width)
        edge = strip.crop(0, gutter)
        start = gutter + self._left
        return Strip.join([edge, strip.crop(start, start + width - gutter)])

    def _laid_over(self, picture: Picture, y: int, gutter: int, *, live: bool) -> Strip | None:
        shown = self.evidence
        if self._top:
            choice = None if shown.choice is None else shown.choice - self._top
            self.evidence = Evidence(frozenset(row - self._top for row in shown.rows), choice)
        try:
            return super()._laid_over(picture, y, gutter, live=live)
        finally:
            self.evidence = shown

    def lay_more(self, runs: Runs | None, picture: Picture, y: int) -> Runs | None:
        """The text that is searched for, wherever it is."""
        query = self.query_text
        if not query:
            return runs
        text = picture.text if query != query.lower() else lowered(picture.text)
        start = text.find(query)
        while start >= 0:
            piece = in_cells(Piece(y, start, start + len(query)), picture)
            runs = self.lay(runs, picture, piece.start, piece.end, self.overlays.current_match)
            start = text.find(query, start + len(query))
        return runs
