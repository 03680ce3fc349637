"""Memory of the cockpit over hours of output: it grows until the scrollback is full, then no more.

`python -m tests.benchmarks.bench_memory [--hours 8]`: a program writes one hour of output after the other as fast
as it is taken (ten frames a second: spinners, a coloured log, whole screens; 9 MB an hour). After each hour, once
the cockpit is at rest, its resident memory is read.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time

from tests.benchmarks.driven import COPILOT, START_SECONDS, Terminal, cpu_seconds, environment_in, megabytes
from tests.benchmarks.long_output import READY, said_after

HOURS = 8
FILLED_AFTER = 1
"""Hours after which the scrollback is full many times over."""
MOST_GROWTH_PERCENT = 5.0
_HOUR_SECONDS = 300.0
_REST_SHARE = 0.2


def memory_by_hour(hours: int) -> list[float]:
    """Megabytes of the cockpit's own process before the first hour of output and after each."""
    with tempfile.TemporaryDirectory(prefix="long-") as folder:
        program = [sys.executable, "-m", "tests.benchmarks.long_output"]
        terminal = Terminal([*COPILOT, *program], environment_in(folder))
        try:
            terminal.read_until(READY, START_SECONDS)
            _rest(terminal)
            found = [megabytes(terminal.pid)]
            for hour in range(1, hours + 1):
                terminal.press(b"n")
                terminal.read_until(said_after(hour), _HOUR_SECONDS)
                _rest(terminal)
                found.append(megabytes(terminal.pid))
            return found
        finally:
            terminal.close()


def _rest(terminal: Terminal) -> None:
    """Until the recorder, too, is done with what came."""
    while True:
        began, before = time.monotonic(), cpu_seconds(terminal.pid)
        terminal.drain(1.0)
        if (cpu_seconds(terminal.pid) - before) / (time.monotonic() - began) < _REST_SHARE:
            return


def growth_percent(memory: list[float]) -> float:
    """By how much the largest value after the scrollback was full is above the first such value."""
    full = memory[FILLED_AFTER:]
    return (max(full) / full[0] - 1) * 100


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=int, default=HOURS)
    memory = memory_by_hour(parser.parse_args().hours)
    print("MB before, and after each hour: " + ", ".join(f"{one:.1f}" for one in memory))
    grown = growth_percent(memory)
    print(f"growth once the scrollback is full: {grown:.1f} % (goal: {MOST_GROWTH_PERCENT:g} %)")
    return 0 if grown <= MOST_GROWTH_PERCENT else 1


if __name__ == "__main__":
    sys.exit(main())
