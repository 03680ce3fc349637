"""Three terminals for one program: bare tmux, our emulated screen on a pty, and the cockpit inside tmux."""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol, Self

from ptyprocess import PtyProcess

from copilot.screen import TerminalScreen
from copilot.screen.keys import encode_key, encode_paste
from copilot.screen.modes import BRACKETED_PASTE
from copilot.tui.layout import GUTTER_FROM_COLUMNS, terminal_size
from tests.real.cells import Picture, cut, read_rows, snapshot_rows
from tests.real.run import COPILOT
from tests.real.tmux import Tmux

_NAMES = {"PPage": "PageUp", "NPage": "PageDown", "DC": "Delete", "IC": "Insert", "BSpace": "Backspace"}


class Stand(Protocol):
    """A terminal with one program in it. Sizes are those of the window; keys have tmux's names."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def keys(self, *names: str) -> None: ...

    def type(self, text: str) -> None: ...

    def paste(self, text: str) -> None: ...

    def mouse(self, code: int, column: int, row: int, *, release: bool = False) -> None:
        """An SGR mouse event at a cell of the program, counted from 0."""

    def resize(self, columns: int, lines: int) -> None: ...

    def picture(self) -> Picture:
        """The program's screen."""


_DEFAULT_COLOURS = re.compile(rb"\x1b\]1[01];[^?\x07\x1b][^\x07\x1b]*(\x07|\x1b\\)")
"""tmux lets a program change the default colours; with us they are the theme's."""


def _mouse(code: int, column: int, row: int, release: bool) -> bytes:
    return f"\x1b[<{code};{column + 1};{row + 1}{'m' if release else 'M'}".encode()


class BareStand:
    """The program in bare tmux, at the size that it has in a cockpit of `columns` by `lines`.

    It is looked at through a client of that tmux in a second one: `capture-pane` leaves out the colour of
    cells that were erased, and a client paints them.
    """

    def __init__(
        self, command: Sequence[str], cwd: Path, environment: Mapping[str, str], columns: int, lines: int
    ) -> None:
        inner = terminal_size(columns, lines)
        self.terminal = Tmux(
            command, columns=inner[0], lines=inner[1], cwd=cwd, environment={**environment, **_XTERM}
        )

        client = {"PATH": environment["PATH"], "TERM": "tmux-256color", "LANG": "C.UTF-8"}
        self.client = Tmux(self.terminal.attach, columns=inner[0], lines=inner[1], environment=client)

    def __enter__(self) -> Self:
        self.terminal.__enter__()
        self.terminal.tmux("set", "-as", "terminal-features", _FEATURES)
        self.client.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()
        self.terminal.close()

    def keys(self, *names: str) -> None:
        self.terminal.keys(*names)

    def type(self, text: str) -> None:
        self.terminal.type(text)

    def paste(self, text: str) -> None:
        self.terminal.paste(text)

    def mouse(self, code: int, column: int, row: int, *, release: bool = False) -> None:
        self.terminal.raw(_mouse(code, column, row, release))

    def resize(self, columns: int, lines: int) -> None:
        self.client.resize(*terminal_size(columns, lines))
        self.terminal.resize(*terminal_size(columns, lines))

    def picture(self) -> Picture:
        return look(self.client)


_FEATURES = ",tmux-256color:256:RGB:strikethrough:usstyle:overline"
_XTERM = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}


def look(terminal: Tmux) -> Picture:
    x, y, shown, columns = terminal.asked("#{cursor_x} #{cursor_y} #{cursor_flag} #{pane_width}").split()
    cursor = (int(y), min(int(x), int(columns) - 1)) if shown == "1" else None
    rows = read_rows(terminal.tmux("capture-pane", "-p", "-e", "-N", "-t", "main"))
    return Picture(int(columns), tuple(cut(row, 0, int(columns)) for row in rows), cursor)


class CockpitStand:
    """The program in `copilot`, inside tmux; it only watches."""

    def __init__(
        self, command: Sequence[str], cwd: Path, environment: Mapping[str, str], columns: int, lines: int
    ) -> None:
        options = ["--provider", "rules", "--autonomy", "watch", "--cwd", str(cwd)]
        self.terminal = Tmux(
            [str(COPILOT), *options, "--", *command],
            columns=columns,
            lines=lines,
            cwd=cwd,
            environment={**environment, **_XTERM},
        )

    def __enter__(self) -> Self:
        self.terminal.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.terminal.close()

    def keys(self, *names: str) -> None:
        self.terminal.keys(*names)

    def type(self, text: str) -> None:
        self.terminal.type(text)

    def paste(self, text: str) -> None:
        self.terminal.paste(text)

    @property
    def gutter(self) -> int:
        columns = terminal_size(self.terminal.columns, self.terminal.lines)[0]
        return 1 if columns + 1 >= GUTTER_FROM_COLUMNS else 0

    def mouse(self, code: int, column: int, row: int, *, release: bool = False) -> None:
        self.terminal.raw(_mouse(code, column + self.gutter, row, release))

    def resize(self, columns: int, lines: int) -> None:
        self.terminal.resize(columns, lines)

    def picture(self) -> Picture:
        return self.part_of(self.whole())

    def part_of(self, whole: Picture) -> Picture:
        """The program's screen in the picture of everything."""
        columns, lines = terminal_size(self.terminal.columns, self.terminal.lines)
        rows = tuple(cut(row, self.gutter, self.gutter + columns) for row in whole.rows[:lines])
        return Picture(columns, rows, None)

    def whole(self) -> Picture:
        return look(self.terminal)


class EmulatedStand:
    """The program on a pty of exactly that size, its bytes fed to `TerminalScreen`, the answers written back."""

    def __init__(
        self, command: Sequence[str], cwd: Path, environment: Mapping[str, str], columns: int, lines: int
    ) -> None:
        inner = terminal_size(columns, lines)
        self.screen = TerminalScreen(columns=inner[0], lines=inner[1])
        self.resized: tuple[int, int] | None = None
        """The window's size that was set last."""
        self._piece = b""
        self._lock = threading.Lock()
        self._pty = PtyProcess.spawn(
            list(command), cwd=str(cwd), env={**environment, **_XTERM}, dimensions=(inner[1], inner[0])
        )
        self._reader = threading.Thread(target=self._read, daemon=True)

    def __enter__(self) -> Self:
        self._reader.start()
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._pty.pid, signal.SIGKILL)
        self._pty.close(force=True)
        self._reader.join()

    def _read(self) -> None:
        while not self._pty.closed:
            try:
                if not select.select([self._pty.fd], [], [], 0.1)[0]:
                    continue
                data = os.read(self._pty.fd, 65536)
            except (OSError, ValueError):
                return
            with self._lock:
                self._piece += data
                self.screen.feed(data)
                replies = self.screen.take_replies()
            if replies:
                self._pty.write(replies)

    def part(self, path: Path) -> Picture:
        """The screen now; what the program wrote since the last time goes to `path`."""
        with self._lock:
            path.write_bytes(_DEFAULT_COLOURS.sub(b"", self._piece))
            self._piece = b""
            return self._picture()

    def keys(self, *names: str) -> None:
        for name in names:
            with self._lock:
                data = encode_key(_NAMES.get(name, name), self.screen.key_modes)
            self._pty.write(data)

    def type(self, text: str) -> None:
        self._pty.write(text.encode())

    def paste(self, text: str) -> None:
        self._pty.write(encode_paste(text, BRACKETED_PASTE in self.screen.mode))

    def mouse(self, code: int, column: int, row: int, *, release: bool = False) -> None:
        self._pty.write(_mouse(code, column, row, release))

    def resize(self, columns: int, lines: int) -> None:
        self.resized = columns, lines
        inner = terminal_size(columns, lines)
        with self._lock:
            self.screen.resize(columns=inner[0], lines=inner[1])
        self._pty.setwinsize(inner[1], inner[0])

    def picture(self) -> Picture:
        with self._lock:
            return self._picture()

    def _picture(self) -> Picture:
        snapshot = self.screen.snapshot()
        cursor = snapshot.cursor
        place = (cursor.row, cursor.column) if cursor.visible else None
        return Picture(snapshot.columns, snapshot_rows(snapshot), place, self.screen.cursor_shape)
