"""Output through a pty, ours beside tmux's, on one core: `python -m tests.benchmarks.bench_pty`.

A program writes each stream of `../shared/tools/term_bench.py` to its terminal: once to a pty that a bare
reader drains into `TerminalScreen`, once to a pane of a detached tmux server of its own. Neither paints.
Both are pinned to the same core; rounds alternate and the best counts. The time goes from the program's
start to its last byte taken in and understood: both terminals must answer a query at the end.
Prints the ratio of times, tmux's to ours (above 1: faster than tmux), by the wall and by CPU time of
reader and server alone. Options: `--bytes N` per stream, `--rounds N`.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import ptyprocess

from copilot.screen import TerminalScreen
from tests.benchmarks.screen_speed import synthetic

COLUMNS, LINES = 120, 40
WRITER = """
import os, sys, termios, time, tty
keep = termios.tcgetattr(0)
tty.setraw(0)
data = open(sys.argv[1], "rb").read()
start = time.perf_counter()
view = memoryview(data)
while view:
    view = view[os.write(1, view[:65536]):]
os.write(1, b"\\x1b[5n")
while b"n" not in os.read(0, 100):
    pass
seconds = time.perf_counter() - start
termios.tcsetattr(0, termios.TCSANOW, keep)
open(sys.argv[2], "w").write(repr(seconds))
"""
"""Writes the file named first and waits until the terminal has answered; tells the seconds in the second."""


def ours(command: list[str], told: Path) -> tuple[float, float]:
    """Wall and CPU seconds of a bare reader."""
    screen = TerminalScreen(COLUMNS, LINES, 1000)
    child = ptyprocess.PtyProcess.spawn(command, dimensions=(LINES, COLUMNS), env=environment())
    start = time.process_time()
    with contextlib.suppress(EOFError, OSError):
        while True:
            screen.feed(os.read(child.fd, 65536))
            if replies := screen.take_replies():
                os.write(child.fd, replies)
    spent = time.process_time() - start
    child.wait()
    return float(told.read_text()), spent


def environment() -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "HOME": "/nonexistent"}


@contextlib.contextmanager
def tmux_server(folder: Path) -> Iterator[list[str]]:
    """A tmux of our own, without configuration; gives the command that talks to it."""
    tmux = ["tmux", "-S", str(folder / "socket"), "-f", "/dev/null"]
    size = ["-x", str(COLUMNS), "-y", str(LINES)]
    subprocess.run([*tmux, "new-session", "-d", *size, "cat"], check=True, env=environment())
    try:
        for option in (("history-limit", "1000"), ("status", "off"), ("remain-on-exit", "off")):
            subprocess.run([*tmux, "set-option", "-g", *option], check=True)
        yield tmux
    finally:
        subprocess.run([*tmux, "kill-server"], check=False)


def theirs(tmux: list[str], command: list[str], told: Path) -> tuple[float, float]:
    """Wall and CPU seconds of the tmux server."""
    server = subprocess.run([*tmux, "display", "-p", "#{pid}"], check=True, capture_output=True, text=True)
    clock = Path("/proc") / server.stdout.strip() / "schedstat"
    before = int(clock.read_text().split()[0])
    subprocess.run([*tmux, "new-window", "-d", *command], check=True)
    while not told.exists() or not told.read_text():
        time.sleep(0.02)
    return float(told.read_text()), (int(clock.read_text().split()[0]) - before) / 1e9


def mean(ratios: list[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--bytes", type=int, default=4_000_000)
    options.add_argument("--rounds", type=int, default=3)
    chosen = options.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    walls, spents = [], []
    with tempfile.TemporaryDirectory() as name, tmux_server(Path(name)) as tmux:
        folder = Path(name)
        for stream, data in synthetic(chosen.bytes).items():
            file, told = folder / stream, folder / "seconds"
            file.write_bytes(data)
            command = [sys.executable, "-c", WRITER, str(file), str(told)]
            rounds = []
            for _ in range(chosen.rounds):
                told.unlink(missing_ok=True)
                mine = ours(command, told)
                told.unlink(missing_ok=True)
                rounds.append((*mine, *theirs(tmux, command, told)))
            wall, spent, their_wall, their_spent = (min(column) for column in zip(*rounds, strict=True))
            walls.append(their_wall / wall)
            spents.append(their_spent / spent)
            print(
                f"{stream:18} tmux {len(data) / their_wall / 1e6:5.1f} MB/s, ours {len(data) / wall / 1e6:5.1f}"
                f" MB/s: {walls[-1]:.2f} by the wall, {spents[-1]:.2f} by CPU time",
                flush=True,
            )
    print(f"geometric mean {mean(walls):.2f} by the wall (worst {min(walls):.2f}), {mean(spents):.2f} by CPU")


if __name__ == "__main__":
    main()
