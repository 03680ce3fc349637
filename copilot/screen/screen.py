"""`TerminalScreen`: the emulated screen of a coding CLI."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from pyte.screens import Char, Margins, Screen

from copilot.core.snapshot import Cursor, ProgramStatus, ScreenSnapshot
from copilot.screen import modes
from copilot.screen.events import ScreenEvent
from copilot.screen.keys import KeyModes
from copilot.screen.modes import PointerModes
from copilot.screen.parser import Parser
from copilot.screen.pyte_views import TerminalCursor, View, row_view
from copilot.screen.rows import Row
from copilot.screen.terminal import Terminal
from copilot.screen.theme import Theme


class TerminalScreen(Screen):
    """A terminal of `columns` by `lines` cells that keeps `scrollback` rows of what scrolled away.

    A `pyte.Screen` to those who hold one: its attributes are views of our storage, its event methods
    (`PYTE_EVENTS`) are those of the parts. `feed` takes bytes as they come, cut anywhere, and never raises
    for any of them. Without `answer_program_status` it keeps silent when the child asks whether it knows
    OSC 7501, as most terminals do.
    """

    cursor: TerminalCursor
    mode: set[int]

    def __init__(
        self, columns: int, lines: int, scrollback: int = 1000, *, answer_program_status: bool = True
    ) -> None:
        self._terminal = Terminal(columns, lines, scrollback, answer_program_status)
        self._parser = Parser(self._terminal)
        self._grid = grid = self._terminal.grid
        self.columns, self.lines = grid.columns, grid.lines
        self.cursor, self.tabstops = grid.cursor, grid.tabstops
        self.scrollback = grid.scrollback
        self.mode = self._terminal.modes.numbers
        self._dirty: set[int] = set()
        self._seen_pictures: list[int] = []
        self._last: ScreenSnapshot | None = None

    def feed(self, data: bytes) -> None:
        """Take output of the child. A frame ends with `data`, or with its synchronized update."""
        if modes.SYNCHRONIZED not in self.mode:
            self._grid.begin_frame()
        self._parser.feed(data)

    def take_replies(self) -> bytes:
        """What the terminal answers the child; to be written in one go, before any painting."""
        return self._terminal.outbox.take_replies()

    def take_events(self) -> tuple[ScreenEvent, ...]:
        """What the child reported to the application since the last call, oldest first."""
        return self._terminal.outbox.take_events()

    def write_process_input(self, data: str) -> None:
        self._terminal.outbox.reply(data)

    def resize(self, columns: int | None = None, lines: int | None = None) -> None:  # type: ignore[override]
        """Change the size, in cells. (pyte has the two the other way round.)"""
        size = max(columns or self.columns, 1), max(lines or self.lines, 1)
        if size != (self.columns, self.lines):
            self._grid.resize(*size)
            self.columns, self.lines = size

    def visible_row(self, line: int) -> Row:
        """Row `line` of the screen, 0 at the top."""
        return self._grid.rows[line]

    def scrollback_row(self, line: int) -> Row:
        """Row `line` of the scrollback, 0 the oldest."""
        return self._grid.scrollback_row(line)

    def tidy(self) -> bool:
        """Pack some of the older scrollback; to be called when idle. Returns whether there is more."""
        return self._grid.tidy()

    def bring_back_last(self) -> bool:
        """Once the program has ended: show the alternate screen again that it left, if all else is empty.

        A program that draws whole screens takes them away, and what it said last. True if it is shown.
        """
        return self._terminal.bring_back_last()

    @property
    def scrolled_total(self) -> int:
        """Rows that have ever left the top of the main screen."""
        return self._grid.scrolled_total

    @property
    def alternate_screen(self) -> bool:
        return self._grid.on_alternate

    @property
    def theme(self) -> Theme:
        """The default colours, for the child that asks for them."""
        return self._terminal.answers.theme

    @theme.setter
    def theme(self, theme: Theme) -> None:
        self._terminal.answers.theme = theme

    @property
    def title(self) -> str:  # type: ignore[override]
        return self._terminal.osc.labels.title

    @property
    def icon_name(self) -> str:  # type: ignore[override]
        return self._terminal.osc.labels.icon_name

    @property
    def progress(self) -> int | None:
        """None when no progress is shown, -1 when it is indeterminate, else per cent (OSC 9;4)."""
        return self._terminal.osc.labels.progress

    @property
    def program_status(self) -> ProgramStatus | None:
        """The last report of OSC 7501."""
        return self._terminal.osc.labels.program_status

    @property
    def cursor_shape(self) -> int:
        """What DECSCUSR set, 0 to 6."""
        return self._terminal.modes.cursor_shape

    @property
    def key_modes(self) -> KeyModes:
        """What keys must be encoded by (`copilot.screen.keys`)."""
        state = self._terminal.modes
        return KeyModes(
            application_cursor=modes.CURSOR_KEYS in self.mode,
            new_line=modes.NEW_LINE in self.mode,
            modify_other_keys=state.modify_other_keys,
            kitty=state.keyboards[self.alternate_screen][-1],
        )

    @property
    def pointer_modes(self) -> PointerModes:
        """What mouse and focus must be encoded by (`copilot.screen.modes`)."""
        tracking = self.mode & modes.MOUSE_KINDS
        return PointerModes(
            tracking=max(tracking) >> 5 if tracking else 0,
            sgr=modes.MOUSE_SGR in self.mode,
            focus=modes.FOCUS in self.mode,
            wheel_as_arrows=modes.WHEEL_AS_ARROWS in self.mode and self.alternate_screen,
        )

    @property
    def synchronized(self) -> bool:
        """Inside a synchronized update: the frame is half drawn."""
        return modes.SYNCHRONIZED in self.mode

    def snapshot(self) -> ScreenSnapshot:
        """The screen as it is. Rows that did not change are shared; no change, the same object."""
        columns, labels = self.columns, self._terminal.osc.labels
        pictures = [row.picture_of(columns) for row in self._grid.rows]
        cursor = self.cursor
        new = ScreenSnapshot(
            columns=columns,
            lines=tuple([picture.text for picture in pictures]),
            characters=tuple([picture.characters for picture in pictures]),
            styles=tuple([picture.styles for picture in pictures]),
            cursor=Cursor(cursor.y, min(cursor.x, columns - 1), modes.CURSOR_SHOWN in self.mode),
            title=labels.title,
            alternate_screen=self._grid.on_alternate,
            wrapped=tuple([picture.wrapped for picture in pictures]),
            synchronized=modes.SYNCHRONIZED in self.mode,
            bracketed_paste=modes.BRACKETED_PASTE in self.mode,
            application_cursor_keys=modes.CURSOR_KEYS in self.mode,
            program_status=labels.program_status,
            progress=labels.progress,
            revision=self._last.revision if self._last else 0,
            struck=frozenset(row for row, picture in enumerate(pictures) if picture.struck),
            padded={row: picture.padded for row, picture in enumerate(pictures) if picture.padded},
        )
        if new != self._last:
            if self._last is not None:
                object.__setattr__(new, "revision", new.revision + 1)
            self._last = new
        assert self._last is not None
        return self._last

    @property
    def margins(self) -> Margins | None:  # type: ignore[override]
        grid = self._grid
        return None if (grid.top, grid.bottom) == (0, grid.lines - 1) else Margins(grid.top, grid.bottom)

    @property
    def buffer(self) -> View[View[Char]]:  # type: ignore[override]
        """The visible rows as pyte's users read them; made on demand, read only."""
        rows, columns = self._grid.rows, self.columns
        return View(len(rows), lambda line: row_view(rows[line], columns))

    @property
    def display(self) -> list[str]:
        return [row.picture_of(self.columns).text for row in self._grid.rows]

    @property
    def dirty(self) -> set[int]:  # type: ignore[override]
        """Rows that have changed since they were last looked at here; the user empties the set."""
        numbers = [row.picture_of(self.columns).number for row in self._grid.rows]
        before = self._seen_pictures
        self._dirty.update(y for y, now in enumerate(numbers) if y >= len(before) or now != before[y])
        self._seen_pictures = numbers
        return self._dirty


PYTE_EVENTS = {
    "": "reset set_mode reset_mode alignment_display",
    ".grid": "index reverse_index insert_lines delete_lines insert_characters delete_characters"
    " erase_characters erase_in_line erase_in_display",
    ".motion": "carriage_return linefeed backspace tab set_tab_stop clear_tab_stop save_cursor restore_cursor"
    " set_margins cursor_up cursor_up1 cursor_down cursor_down1 cursor_forward cursor_back cursor_position"
    " cursor_to_line cursor_to_column",
    ".writer": "draw select_graphic_rendition",
    ".modes": "define_charset shift_in shift_out",
    ".answers": "report_device_attributes report_device_status",
    ".osc": "set_title set_icon_name",
    ".outbox": "bell",
}
"""Which part of the terminal carries out which event of a `pyte.Stream`."""


def _event(part: str, name: str) -> Callable[..., None]:
    method = attrgetter(f"_terminal{part}.{name}")

    def run(screen: TerminalScreen, *args: Any, **kwargs: Any) -> None:
        method(screen)(*args, **kwargs)

    return run


for _part, _names in PYTE_EVENTS.items():
    for _name in _names.split():
        setattr(TerminalScreen, _name, _event(_part, _name))
