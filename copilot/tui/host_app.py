"""What the cockpit and the replay share when they draw to the terminal: the driver, and pictures.

The host is the outer terminal, in which copilot itself runs.

Terminals disagree how many cells some texts take: emoji that are joined or newer than the terminal, flags,
signs with a variation, the scripts of India. Rich counts in one way, and where the host counts in another,
everything right of such a text in its row, borders too, would be moved. So after each such text the cursor is
moved to an absolute column: where the host takes fewer cells a blank stays, where it takes more they are
written over.

A picture has a terminal's usual colours where the theme uses the terminal's own. Rich draws the
sixteen as soft tones of its own, in which black is a grey: what is written on a colour could
hardly be read there, though in a terminal it can.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import re
import select
from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from textual._parser import ParseError
from textual.app import App
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver
from textual.drivers.web_driver import WebDriver
from textual.message import Message

from copilot.sure_widths import undisputed
from copilot.tui.host_input import KeyParser

_TOKENS = re.compile(
    r"\x1b\[\d+;(?P<column>\d+)H"
    r"|\x1b\[[0-?]*[ -/]*(?P<final>[@-~])"
    r"|(?P<string>\x1b[PX\]^_][^\x07\x1b]*(?:\x07|\x1b\\))"
    r"|(?P<text>[^\x00-\x1f\x7f]+)"
    r"|(?P<other>\x1b?[\s\S])"
)
_CURSOR_STAYS = frozenset("mhlqutnc")
"""Sequences after which the cursor is where it was."""


def with_columns_fixed(data: str) -> str:
    """`data` with the cursor moved to an absolute column after each text whose width is disputed."""
    if data.isascii() or undisputed(data):
        return data
    return "".join(_with_columns_fixed(data))


def _with_columns_fixed(data: str) -> Iterator[str]:
    from copilot.widths import layout

    column: int | None = None
    for found in _TOKENS.finditer(data):
        text = found["text"]
        if text is None:
            if found["column"]:
                column = int(found["column"])
            elif not found["string"] and found["final"] not in _CURSOR_STAYS:
                column = None
            yield found[0]
        elif column is None:
            yield text
        else:
            cells = layout(text)[0]
            yield from (text,) if undisputed(text) else _place_clusters(cells, column)
            column += len(cells)


def _place_clusters(cells: list[str], column: int) -> Iterator[str]:
    index = 0
    while index < len(cells):
        cluster, width = cells[index], 1
        following = cells[index + 1] if index + 1 < len(cells) else " "
        # A flag is two letters in two cells, which some terminals draw as one.
        if following == "" or (_of_a_flag(cluster) and _of_a_flag(following)):
            cluster, width = cluster + following, 2
        here = column + index
        index += width
        if undisputed(cluster):
            yield cluster
        else:
            yield f"{' ' * width}\x1b[{here}G{cluster}\x1b[{here + width}G"


def _of_a_flag(cluster: str) -> bool:
    return "\U0001f1e6" <= cluster <= "\U0001f1ff"


class HostWebDriver(WebDriver):
    """For a browser: its terminal has widths of its own too."""

    def write(self, data: str) -> None:
        """Write, with absolute columns where terminals disagree."""
        super().write(with_columns_fixed(data))


_IDLE_SECONDS = 0.1
"""As long as Textual's own: how late the end of the application is seen."""
_MARGIN_SECONDS = 0.002
"""Read again this long after the escape timeout, so that it has passed for certain."""
_READ_BYTES = 4096
"""Input that is read at once."""


class HostDriver(LinuxDriver):
    """For a terminal."""

    def write(self, data: str) -> None:
        """Write, with absolute columns where terminals disagree."""
        super().write(with_columns_fixed(data))

    def run_input_thread(self) -> None:
        parser = KeyParser(self._debug)
        decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        pause = _IDLE_SECONDS
        while not self.exit_event.is_set():
            ready, _, _ = select.select([self.fileno], [], [], pause)
            # Flush a pending Esc first: a key that arrives late is not part of it.
            self._post(parser.tick())
            pause = _IDLE_SECONDS
            if not ready:
                continue
            data = os.read(self.fileno, _READ_BYTES)
            if not data:
                self.exit_event.wait(_IDLE_SECONDS)
                continue
            self._post(parser.feed(decode(data)))
            pause = parser.escape_seconds + _MARGIN_SECONDS
        with contextlib.suppress(EOFError, ParseError):
            parser.end()

    def _post(self, messages: Iterable[Message]) -> None:
        for message in messages:
            self.process_message(message)


def host_driver(driver: type[Driver]) -> type[Driver]:
    if driver is LinuxDriver:
        return HostDriver
    if driver.__module__ == "textual.drivers.web_driver":
        return HostWebDriver
    return driver


_NORMAL = (
    (0, 0, 0),
    (197, 60, 55),
    (40, 160, 90),
    (190, 150, 30),
    (50, 110, 200),
    (170, 80, 180),
    (30, 150, 165),
)
_BRIGHT = (255, 110, 100), (80, 210, 130), (245, 200, 70), (95, 165, 250), (220, 130, 225), (80, 205, 220)
_WHITE, _GREY, _BRIGHT_WHITE = (215, 215, 215), (118, 118, 118), (255, 255, 255)
TERMINAL_COLOURS = TerminalTheme(
    (18, 18, 18), (217, 217, 217), [*_NORMAL, _WHITE], [_GREY, *_BRIGHT, _BRIGHT_WHITE]
)
"""The 16 ANSI colours as usual on dark terminals: black is black, and bright ones can be read on it."""


class HostApp(App[int], inherit_bindings=False):
    """Reads keys and places text in our own way, and draws its screen as SVG."""

    def __init__(self) -> None:
        # Programs that load readline export these. If out of date, they override the terminal's size in
        # Textual's driver and in Rich's console; where only one of the two believes them, Textual redraws
        # for ever.
        for name in ("COLUMNS", "LINES"):
            os.environ.pop(name, None)
        super().__init__()

    def get_driver_class(self) -> type[Driver]:
        """Textual asks when the application is made."""
        return host_driver(super().get_driver_class())

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """`alarm` is the extra style of the most dangerous items: without colours, red is a paler grey."""
        return {"alarm": "reverse" if self.no_color else "not reverse"}

    def export_screenshot(self, *, title: str | None = None, simplify: bool = False) -> str:
        columns, lines = self.size
        console = Console(
            file=io.StringIO(),
            record=True,
            width=columns,
            height=lines,
            color_system="truecolor",
            force_terminal=True,
            legacy_windows=False,
            safe_box=False,
        )
        below = self._background_screens
        console.print(self.screen._compositor.render_update(full=True, screen_stack=below, simplify=simplify))
        colours = TERMINAL_COLOURS if self.current_theme.ansi else None
        return console.export_svg(title=title or self.title, theme=colours)
