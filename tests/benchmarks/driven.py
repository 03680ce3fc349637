"""A program on a pseudo-terminal that a benchmark drives, and what the kernel says of its time."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tests.benchmarks.raw_echo import mark_of

COLUMNS, LINES = 120, 40
START_SECONDS = 60.0
_ECHO_SECONDS = 5.0
COPILOT = [sys.executable, "-m", "copilot", "--provider", "rules", "--autonomy", "watch", "--"]


def cpu_seconds(pid: int) -> float:
    """CPU time of a process and its threads so far. Source: proc_pid_stat(5), fields 14 and 15."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def waited_seconds(pid: int) -> float:
    """How long the first thread of a process was ready to run and had no core, so far.

    What other programs of the machine took from it. Source: Linux, Documentation/scheduler/sched-stats.rst.
    """
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9


def megabytes(pid: int) -> float:
    """Resident memory of a process. Source: proc_pid_statm(5)."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


class Terminal:
    """A program on a pseudo-terminal that we drive; what it draws is read, not emulated."""

    def __init__(self, command: Sequence[str], environment: dict[str, str]) -> None:
        self.keys = 0
        self._decode = codecs.getincrementaldecoder("utf-8")("replace")
        self._tail = ""
        self._pid, self._master = pty.fork()
        if self._pid == 0:
            os.execvpe(command[0], list(command), environment)
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))

    @property
    def pid(self) -> int:
        return self._pid

    def read_until(self, text: str, seconds: float) -> float:
        """When `text` was read. Raises TimeoutError if it does not come."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if select.select([self._master], [], [], left)[0]:
                data = os.read(self._master, 65536)
                at = time.monotonic()
                if b"\x1b[c" in data or b"\x1b[>" in data:
                    os.write(self._master, b"\x1b[?62;22c")
                self._tail = self._tail[-200:] + self._decode.decode(data)
                if text in self._tail:
                    return at
        raise TimeoutError(f"{text!r} was not drawn within {seconds} s; last: {self._tail[-200:]!r}")

    def drain(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if select.select([self._master], [], [], left)[0]:
                self._decode.decode(os.read(self._master, 65536))

    def press(self, key: bytes) -> None:
        os.write(self._master, key)

    def key_to_echo(self) -> float:
        """Seconds from a key to its mark."""
        self.keys += 1
        return self.key_to(b"x", mark_of(self.keys - 1))

    def key_to(self, key: bytes, text: str, seconds: float = _ECHO_SECONDS) -> float:
        """Seconds from a key to a text that is drawn for it."""
        self._tail = ""
        began = time.monotonic()
        os.write(self._master, key)
        return self.read_until(text, seconds) - began

    def close(self) -> None:
        with suppress(OSError):
            os.write(self._master, b"\x03")
            time.sleep(0.2)
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGHUP)
        with suppress(OSError):
            os.close(self._master)
        with suppress(ChildProcessError):
            os.waitpid(self._pid, 0)


def environment_in(folder: str) -> dict[str, str]:
    """An environment with a home in `folder` and nothing of ours set."""
    return {
        "HOME": folder,
        "PATH": os.environ["PATH"],
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "LANG": "C.UTF-8",
        "XDG_STATE_HOME": f"{folder}/state",
    }
