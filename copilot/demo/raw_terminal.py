"""The simulated CLI's end of its terminal: raw mode, keys as names, and what came when nothing was asked.

Standard library only: the simulated CLI is a program of its own and starts as fast as a real one.
"""

from __future__ import annotations

import codecs
import os
import re
import select
import sys
import termios
import time
import tty
from dataclasses import dataclass
from types import TracebackType
from typing import Any

ESCAPE_SECONDS = 0.05
"""How long the rest of an escape sequence may take before a lone Esc is taken as the key."""

_NAMED = {
    "\r": "Enter",
    "\n": "C-j",
    "\t": "Tab",
    "\x7f": "Backspace",
    "\x03": "C-c",
    "\x04": "C-d",
    "\x15": "C-u",
    "\x1b": "Esc",
    "\x1b[A": "Up",
    "\x1b[B": "Down",
    "\x1bOA": "Up",
    "\x1bOB": "Down",
}
_PIECE = re.compile(
    r"\x1b\[200~.*?\x1b\[201~|\x1b\[[0-?]*[ -/]*[@-~]|\x1bO.|\x1b|[\x00-\x1f\x7f]|[^\x00-\x1f\x7f]+", re.S
)


@dataclass(frozen=True, slots=True)
class Key:
    """A named key, or text. `burst` means that text and Enter came in one read, as a paste does."""

    name: str = ""
    text: str = ""
    burst: bool = False

    def __str__(self) -> str:
        return self.name or self.text


class RawTerminal:
    """The terminal in raw mode for as long as the `with` block lasts; always given back as it was."""

    def __init__(self) -> None:
        self._input = sys.stdin.fileno()
        self._output = sys.stdout.fileno()
        self._before: list[Any] = []
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def __enter__(self) -> RawTerminal:
        self._before = termios.tcgetattr(self._input)
        tty.setraw(self._input)
        # The wheel is no key: a terminal would send arrows for it here.
        self.write("\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?1007l\x1b[2J")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.write("\x1b[?1007h\x1b[?2004l\x1b[?25h\x1b[?1049l")
        termios.tcsetattr(self._input, termios.TCSANOW, self._before)

    def size(self) -> tuple[int, int]:
        """Columns and lines."""
        columns, lines = os.get_terminal_size(self._output)
        return max(columns, 20), max(lines, 10)

    def write(self, text: str) -> None:
        """All of `text` to the terminal."""
        data = text.encode("utf-8", "replace")
        while data:
            data = data[os.write(self._output, data) :]

    def keys(self, seconds: float) -> list[Key]:
        """The keys that come within so many seconds; returns as soon as there are some."""
        text = self._read(seconds)
        while text.endswith("\x1b") or ("\x1b[200~" in text and "\x1b[201~" not in text):
            more = self._read(ESCAPE_SECONDS)
            if not more:
                break
            text += more
        return _named(text)

    def _read(self, seconds: float) -> str:
        if not self.has_input(seconds):
            return ""
        data = os.read(self._input, 4096)
        if not data:
            raise EOFError
        return self._decoder.decode(data)

    def has_input(self, seconds: float) -> bool:
        """Whether something can be read within so many seconds."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                ready, _, _ = select.select([self._input], [], [], max(0.0, deadline - time.monotonic()))
            except InterruptedError:
                continue
            return bool(ready)


def _named(text: str) -> list[Key]:
    pieces = _PIECE.findall(text)
    typed = any(piece[0] >= " " and piece[0] != "\x7f" for piece in pieces)
    keys = []
    for piece in pieces:
        if piece.startswith("\x1b[200~"):
            keys.append(Key(text=piece[6:-6]))
        elif piece in _NAMED:
            keys.append(Key(name=_NAMED[piece], burst=typed and piece == "\r"))
        elif piece[0] < " ":
            keys.append(Key(name=repr(piece)))
        else:
            keys.append(Key(text=piece))
    return keys
