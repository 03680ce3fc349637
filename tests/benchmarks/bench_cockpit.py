"""What the cockpit costs, from outside: its start, its CPU time, key to echo beside bare tmux, memory over hours.

`python -m tests.benchmarks.bench_cockpit [--keys 100] [--seconds 20] [--starts 5] [--hours 8]` prints a table for
`docs/tui.md`, with the date, the machine and its load. Everything runs at 120x40 on a pseudo-terminal that this
process drives; homes are fresh, nothing is sent. CPU time is that of the cockpit's own process: the program in
it and the supervisor are not counted, the terminal outside neither.

Other programs of the machine may have the cores. So times are told as they were and, "on a core", without what
the process that draws waited for one while it was ready to run (the kernel counts that). "met" is "yes" if the time
as it was is good, "on a core" if only the other one is, else "no", and then the exit code is 1.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.bench_key_to_echo import measure
from tests.benchmarks.bench_memory import (
    FILLED_AFTER,
    HOURS,
    MOST_GROWTH_PERCENT,
    growth_percent,
    memory_by_hour,
)
from tests.benchmarks.bench_start import best_frame, starts
from tests.benchmarks.driven import COPILOT, START_SECONDS, Terminal, cpu_seconds, environment_in
from tests.benchmarks.steady_program import READY

_PROGRAM = Path(__file__).with_name("steady_program.py")
_SETTLE_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Figure:
    """One row: what was measured, against what; `on_a_core` without waits for a core, where that is known."""

    what: str
    goal: float
    unit: str
    found: float
    on_a_core: float | None = None
    more: str = ""

    @property
    def met(self) -> str:
        """Whether the goal is met."""
        if self.found <= self.goal:
            return "yes"
        return "on a core" if self.on_a_core is not None and self.on_a_core <= self.goal else "**no**"

    def __str__(self) -> str:
        free = "" if self.on_a_core is None else f"{self.on_a_core:.2f} {self.unit}"
        found, goal = f"{self.found:.2f} {self.unit}", f"{self.goal:g} {self.unit}"
        return f"| {self.what} | {goal} | {found} | {free} | {self.met} | {self.more} |"


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


def cpu_figures(seconds: float) -> Iterator[Figure]:
    """CPU time beside a spinner, and beside a program that waits."""
    yield Figure("CPU, spinner at 10 Hz", 5, "%", cpu_share("spin", seconds), more="of one core")
    yield Figure("CPU, idle", 0.5, "%", cpu_share("still", seconds), more="of one core")


def start_figures(count: int) -> Iterator[Figure]:
    """How soon the cockpit is there: the best of some starts."""
    least, ours = starts(count)
    beside = (
        f"least Textual app {best_frame(least):.2f} s, on a core {best_frame(least, on_a_core=True):.2f} s"
    )
    frame, free = best_frame(ours), best_frame(ours, on_a_core=True)
    yield Figure(f"start to first frame, best of {count}", 0.5, "s", frame, free, beside)
    shown = min(one.shown for one in ours)
    more = f"that is {shown:.2f} s after the start"
    byte = min(one.byte for one in ours)
    yield Figure(f"program's first byte to its being shown, best of {count}", 0.3, "s", byte, more=more)


def echo_figures(keys: int) -> Iterator[Figure]:
    """Key to echo, at rest and in a flood, against bare tmux in the same run."""
    for flood, where in ((False, "at rest"), (True, "in a flood")):
        tmux, cockpit = measure(keys, flood=flood)
        for name, share, goal in (("median", 0.5, 3), ("p95", 0.95, 25 if flood else 8)):
            if flood and share == 0.5:
                continue
            added = cockpit.at(share) - tmux.at(share)
            free = cockpit.on_a_core(share) - tmux.on_a_core(share)
            told = (
                f"tmux {tmux.at(share):.1f}, cockpit {cockpit.at(share):.1f} ms; "
                f"on a core {tmux.on_a_core(share):.1f}, {cockpit.on_a_core(share):.1f} ms"
            )
            yield Figure(f"key to echo {where}, added, {name}", goal, "ms", added, free, told)


def memory_figure(hours: int) -> Figure:
    memory = memory_by_hour(hours)
    told = (
        f"{memory[0]:.0f} MB at first, {memory[FILLED_AFTER]:.0f} after an hour, {memory[-1]:.0f} at the end"
    )
    what = f"memory, growth from the first to the last of {hours} hours"
    return Figure(what, MOST_GROWTH_PERCENT, "%", growth_percent(memory), more=told)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keys", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--hours", type=int, default=HOURS)
    asked = parser.parse_args()
    load = os.getloadavg()[0]
    figures = [
        *cpu_figures(asked.seconds),
        *start_figures(asked.starts),
        *echo_figures(asked.keys),
        memory_figure(asked.hours),
    ]
    print(
        f"{time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores, {platform.machine()}, "
        f"Python {platform.python_version()}, load {load:.1f} before and {os.getloadavg()[0]:.1f} after"
    )
    print("\n| what | goal | found | on a core | met | beside it |\n| --- | --- | --- | --- | --- | --- |")
    for figure in figures:
        print(figure)
    return 0 if all(figure.met != "**no**" for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
