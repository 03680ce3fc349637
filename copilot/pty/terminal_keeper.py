"""Gives the person's terminal back when copilot dies without doing so itself (`kill -9`, a crash).

A process of its own, run by path with nothing but the standard library: it waits on a pipe whose other end
only copilot holds. A byte says that copilot has left in order; the end of the pipe says that it is gone.
Run: `python terminal_keeper.py PIPE TERMINAL SETTINGS`, descriptors and the terminal's settings as JSON.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import termios
from pathlib import Path
from types import TracebackType
from typing import Any

_RESET = (
    b"\x1b[?2026l"  # an update that never ended
    b"\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1015l"  # mouse
    b"\x1b[?1004l\x1b[?2004l\x1b[?2031l\x1b[?2048l"  # focus, paste, colour scheme, resize reports
    b"\x1b[<u\x1b[>4;0m"  # keyboard protocols
    b"\x1b[?1049l\x1b[?25h\x1b[0m\x1b]2;\x07"  # alternate screen, cursor, colours, title
)
_TOLD = b"\r\ncopilot has ended abruptly and the terminal is restored; press Enter for a prompt\r\n"
"""The shell may have printed its prompt on the screen that is gone by now."""
_IGNORED = (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM, signal.SIGTTOU, signal.SIGTSTP)


class TerminalKeeper:
    """A context in which the terminal `descriptor` is given back whatever becomes of this process."""

    def __init__(self, descriptor: int) -> None:
        self._terminal = descriptor
        self._pipe = -1
        self._keeper: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> TerminalKeeper:
        theirs, ours = os.pipe()
        terminal = os.dup(self._terminal)
        settings = json.dumps(_readable(termios.tcgetattr(self._terminal)))
        try:
            self._keeper = subprocess.Popen(
                [sys.executable, "-I", "-S", str(Path(__file__)), str(theirs), str(terminal), settings],
                pass_fds=(theirs, terminal),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        finally:
            os.close(theirs)
            os.close(terminal)
        self._pipe = ours
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError):
            os.write(self._pipe, b".")
        os.close(self._pipe)
        if self._keeper is not None:
            self._keeper.wait()


def _readable(settings: list[Any]) -> list[Any]:
    """termios settings as JSON can hold them: control characters as numbers."""
    controls = [one if isinstance(one, int) else one[0] for one in settings[6]]
    return [*settings[:6], controls]


def _keep(pipe: int, terminal: int, settings: list[Any]) -> None:
    """Wait for the end, and give the terminal back if it came without a word."""
    for number in _IGNORED:
        signal.signal(number, signal.SIG_IGN)
    if os.read(pipe, 1):
        return
    with contextlib.suppress(OSError):
        os.write(terminal, _RESET + _TOLD)
    controls = [bytes([one]) for one in settings[6]]
    with contextlib.suppress(termios.error):
        termios.tcsetattr(terminal, termios.TCSANOW, [*settings[:6], controls])


if __name__ == "__main__":
    _keep(int(sys.argv[1]), int(sys.argv[2]), json.loads(sys.argv[3]))
