"""How much later a key's echo comes in the cockpit than in bare tmux, seen from outside through a terminal.

`python -m tests.benchmarks.bench_key_to_echo [--keys 150]`. The same small program runs in `tmux` and in
`copilot`, each on a pseudo-terminal of its own that this process drives. Keys go to the one and the other in
turns of five, and the time is from the write of the key to the read of the mark that the program draws for it.
So load on the machine falls on both. A second round does the same while the program, in that turn, floods its
screen.

The goal: added by the cockpit at most 3 ms in the median and 8 ms at the 95th percentile; under the flood at most
25 ms at the 95th percentile. The exit code is 1 if that is missed.
"""

from __future__ import annotations

import argparse
import codecs
import fcntl
import os
import pty
import random
import select
import signal
import statistics
import struct
import sys
import tempfile
import termios
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.raw_echo import READY, mark_of

COLUMNS, LINES = 120, 40
START_SECONDS = 30.0
_ECHO_SECONDS = 5.0
_KEYS_AT_ONCE = 5
COPILOT = [sys.executable, "-m", "copilot", "--provider", "rules", "--autonomy", "watch", "--"]
_PROGRAM = Path(__file__).with_name("raw_echo.py")


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
        """The process of the program."""
        return self._pid

    def read_all(self, texts: Sequence[str], seconds: float) -> list[float]:
        """When each of the texts was read, in whatever order they come. Raises TimeoutError."""
        seen: dict[str, float] = {}
        while missing := [text for text in texts if text not in seen]:
            at = self._read_any(missing, seconds)
            seen |= {text: at for text in missing if text in self._tail}
        return [seen[text] for text in texts]

    def read_until(self, text: str, seconds: float) -> float:
        """When `text` was read. Raises TimeoutError if it does not come."""
        return self._read_any((text,), seconds)

    def _read_any(self, texts: Sequence[str], seconds: float) -> float:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if select.select([self._master], [], [], left)[0]:
                data = os.read(self._master, 65536)
                at = time.monotonic()
                if b"\x1b[c" in data or b"\x1b[>" in data:
                    os.write(self._master, b"\x1b[?62;22c")
                self._tail = self._tail[-200:] + self._decode.decode(data)
                if any(text in self._tail for text in texts):
                    return at
        raise TimeoutError(f"{texts!r} were not drawn within {seconds} s; last: {self._tail[-200:]!r}")

    def drain(self, seconds: float) -> None:
        """Read what comes for so long."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if select.select([self._master], [], [], left)[0]:
                self._decode.decode(os.read(self._master, 65536))

    def press(self, key: bytes) -> None:
        """Press a key that nothing is drawn for."""
        os.write(self._master, key)

    def key_to_echo(self) -> float:
        """Seconds from a key to its mark."""
        self.keys += 1
        return self.key_to(b"x", mark_of(self.keys - 1))

    def key_to(self, key: bytes, text: str) -> float:
        """Seconds from a key to a text that is drawn for it."""
        self._tail = ""
        began = time.monotonic()
        os.write(self._master, key)
        return self.read_until(text, _ECHO_SECONDS) - began

    def close(self) -> None:
        """End the program."""
        with suppress(OSError):
            os.write(self._master, b"\x03")
            time.sleep(0.2)
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGHUP)
        with suppress(OSError):
            os.close(self._master)
        with suppress(ChildProcessError):
            os.waitpid(self._pid, 0)


@dataclass(frozen=True)
class Times:
    """Seconds, sorted."""

    values: list[float]

    def at(self, share: float) -> float:
        """The value below which this share of all lies, in milliseconds."""
        return self.values[min(len(self.values) - 1, int(share * len(self.values)))] * 1e3

    def __str__(self) -> str:
        middle = statistics.median(self.values) * 1e3
        return f"median {middle:6.2f} ms, p95 {self.at(0.95):6.2f} ms, worst {self.values[-1] * 1e3:6.2f} ms"


def environment_in(folder: str) -> dict[str, str]:
    return {
        "HOME": folder,
        "PATH": os.environ["PATH"],
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "LANG": "C.UTF-8",
        "XDG_STATE_HOME": f"{folder}/state",
    }


def measure_own_keys(keys: int) -> tuple[Times, float]:
    """While `yes` floods the cockpit: from the leader to its key bar; from Ctrl+C to the end of the run."""
    with tempfile.TemporaryDirectory(prefix="echo-") as folder:
        cockpit = Terminal([*COPILOT, "yes", "a line of a flood that goes on and on"], environment_in(folder))
        try:
            cockpit.read_until("goes on", START_SECONDS)
            cockpit.drain(1.0)
            times = []
            for _ in range(keys):
                times.append(cockpit.key_to(b"\x1d", "CO-PILOT"))
                cockpit.drain(0.05)
                cockpit.key_to(b"\x1b", "TERMINAL")
                cockpit.drain(0.05)
            return Times(sorted(times)), cockpit.key_to(b"\x03", "the run has ended")
        finally:
            cockpit.close()


def measure(keys: int, *, flood: bool) -> tuple[Times, Times]:
    """The times in tmux and in the cockpit."""
    with tempfile.TemporaryDirectory(prefix="echo-") as folder:
        program = [sys.executable, str(_PROGRAM)]
        environment = environment_in(folder)
        tmux = ["tmux", "-S", f"{folder}/socket", "-f", "/dev/null"]
        both = [
            Terminal([*tmux, "set", "-sg", "escape-time", "0", ";", "new", *program], environment),
            Terminal([*COPILOT, *program], environment),
        ]
        try:
            return _alternate(both, keys, flood=flood)
        finally:
            for terminal in both:
                terminal.close()


def _alternate(both: list[Terminal], keys: int, *, flood: bool) -> tuple[Times, Times]:
    for terminal in both:
        terminal.read_until(READY, START_SECONDS)
        terminal.drain(0.5)
    source = random.Random(1)
    found: tuple[list[float], list[float]] = ([], [])
    for number in range(keys // _KEYS_AT_ONCE + 1):
        for terminal, times in zip(both, found, strict=True):
            if flood:
                terminal.press(b"f")
                terminal.drain(0.2)
            for _ in range(_KEYS_AT_ONCE):
                terminal.drain(source.uniform(0.03, 0.12))
                seconds = terminal.key_to_echo()
                if number:
                    times.append(seconds)
            if flood:
                terminal.press(b"f")
                terminal.drain(0.3)
    return Times(sorted(found[0])), Times(sorted(found[1]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keys", type=int, default=150)
    keys = parser.parse_args().keys
    good = True
    for flood, median_goal, p95_goal in ((False, 3.0, 8.0), (True, 25.0, 25.0)):
        tmux, cockpit = measure(keys, flood=flood)
        middle, high = cockpit.at(0.5) - tmux.at(0.5), cockpit.at(0.95) - tmux.at(0.95)
        print(f"{'under a flood' if flood else 'at rest'}, {keys} keys each, alternately")
        print(
            f"  tmux    {tmux}\n  cockpit {cockpit}\n  added   median {middle:6.2f} ms, p95 {high:6.2f} ms",
            flush=True,
        )
        good = good and middle <= median_goal and high <= p95_goal
    own, end = measure_own_keys(keys // 3)
    print(f"under `yes`: leader to key bar {own}; Ctrl+C to the end of the run {end * 1e3:.0f} ms")
    print(f"goals: {'met' if good else 'MISSED'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
