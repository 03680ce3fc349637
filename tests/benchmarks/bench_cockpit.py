"""What the cockpit costs, from outside: key to echo beside bare tmux, CPU time, and how soon it is there.

`python -m tests.benchmarks.bench_cockpit [--keys 100] [--seconds 20] [--starts 5]` prints a table for
`docs/tui.md`, with the date, the machine and its load. Everything runs at 120x40 on a pseudo-terminal that this
process drives; homes are fresh, nothing is sent. CPU time is that of the cockpit's own process: the program in
it and the supervisor are not counted, the terminal outside neither. The exit code is 1 if a goal is missed;
on a loaded machine times say little, CPU shares more.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.bench_key_to_echo import COPILOT, START_SECONDS, Terminal, environment_in, measure
from tests.benchmarks.steady_program import READY

_PROGRAM = Path(__file__).with_name("steady_program.py")
_FIRST_FRAME = "TERMINAL"
"""In the key bar: the cockpit's own frame is drawn."""
_SETTLE_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Figure:
    """One row: what was measured, against what."""

    what: str
    found: float
    goal: float
    unit: str
    more: str = ""

    @property
    def met(self) -> bool:
        """Whether the goal is met."""
        return self.found <= self.goal

    def __str__(self) -> str:
        mark = "yes" if self.met else "**no**"
        return f"| {self.what} | {self.found:.2f} {self.unit} | {self.goal:g} {self.unit} | {mark} | {self.more} |"


def cpu_seconds(pid: int) -> float:
    """CPU time of a process and its threads so far. Source: proc_pid_stat(5), fields 14 and 15."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cpu_share(way: str, seconds: float) -> float:
    """Percent of one core that the cockpit takes while its program spins, or stands still."""
    with tempfile.TemporaryDirectory(prefix="cost-") as folder:
        command = [*COPILOT, sys.executable, str(_PROGRAM), f"{folder}/stamp", way]
        terminal = Terminal(command, environment_in(folder))
        try:
            terminal.read_until(READY, START_SECONDS)
            terminal.drain(_SETTLE_SECONDS)
            began, before = time.monotonic(), cpu_seconds(terminal.pid)
            terminal.drain(seconds)
            return (cpu_seconds(terminal.pid) - before) / (time.monotonic() - began) * 100
        finally:
            terminal.close()


def start() -> tuple[float, float]:
    """Seconds from the start to the first frame, and from the program's first byte until it is drawn."""
    with tempfile.TemporaryDirectory(prefix="cost-") as folder:
        stamp = Path(folder, "stamp")
        began = time.monotonic()
        command = [*COPILOT, sys.executable, str(_PROGRAM), str(stamp), "still"]
        terminal = Terminal(command, environment_in(folder))
        try:
            framed, drawn = terminal.read_all((_FIRST_FRAME, READY), START_SECONDS)
            return framed - began, drawn - float(stamp.read_text())
        finally:
            terminal.close()


def echo_figures(keys: int) -> Iterator[Figure]:
    """Key to echo, at rest and in a flood, against bare tmux in the same run."""
    for flood, where in ((False, "at rest"), (True, "in a flood")):
        tmux, cockpit = measure(keys, flood=flood)
        if not flood:
            added = cockpit.at(0.5) - tmux.at(0.5)
            yield Figure("key to echo, added, median", added, 3, "ms", f"tmux {tmux.at(0.5):.2f} ms")
        added = cockpit.at(0.95) - tmux.at(0.95)
        told = f"tmux {tmux.at(0.95):.2f} ms"
        yield Figure(f"key to echo {where}, added, p95", added, 25 if flood else 8, "ms", told)


def start_figures(starts: int) -> Iterator[Figure]:
    """How soon the cockpit is there: the best of some starts, and the median."""
    frames, bytes_shown = zip(*(start() for _ in range(starts)), strict=True)
    for what, times, goal in (
        ("start to first frame", frames, 0.5),
        ("program's first byte to its being shown", bytes_shown, 0.3),
    ):
        told = f"median {statistics.median(times):.2f} s of {starts}"
        yield Figure(what, min(times), goal, "s", told)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keys", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--starts", type=int, default=5)
    asked = parser.parse_args()
    load = os.getloadavg()[0]
    figures = [
        Figure("CPU, spinner at 10 Hz", cpu_share("spin", asked.seconds), 5, "%", "of one core"),
        Figure("CPU, idle", cpu_share("still", asked.seconds), 0.5, "%", "of one core"),
        *start_figures(asked.starts),
        *echo_figures(asked.keys),
    ]
    print(
        f"{time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores, {platform.machine()}, "
        f"Python {platform.python_version()}, load {load:.1f} before and {os.getloadavg()[0]:.1f} after"
    )
    print("\n| what | found | goal | met | beside it |\n| --- | --- | --- | --- | --- |")
    for figure in figures:
        print(figure)
    return 0 if all(figure.met for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
