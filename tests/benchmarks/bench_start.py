"""How soon the cockpit is there, beside the least that Textual can draw.

`python -m tests.benchmarks.bench_start [--starts 5]`: starts in turns, on a pseudo-terminal, with fresh homes. The
first frame is the cockpit's own, with the program's name and that it is being started; what is drawn when the
session's screen is there, and the program's first byte, are told too.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.driven import COPILOT, START_SECONDS, Terminal, environment_in, waited_seconds
from tests.benchmarks.least_app import DRAWN
from tests.benchmarks.steady_program import READY

_PROGRAM = Path(__file__).with_name("steady_program.py")
_LEAST = Path(__file__).with_name("least_app.py")
FIRST_FRAME = "STARTING"
"""In the key bar of the frame that is drawn before the session is there."""


@dataclass(frozen=True, slots=True)
class Start:
    """Seconds: from the start to the first frame, of which so much was waited for a core; from the start to
    the program's first byte on the screen, and from when it was written."""

    frame: float
    waited: float
    shown: float = 0.0
    byte: float = 0.0


def start() -> Start:
    with tempfile.TemporaryDirectory(prefix="cost-") as folder:
        stamp = Path(folder, "stamp")
        began = time.monotonic()
        command = [*COPILOT, sys.executable, str(_PROGRAM), str(stamp), "still"]
        terminal = Terminal(command, environment_in(folder))
        try:
            framed = terminal.read_until(FIRST_FRAME, START_SECONDS)
            waited = waited_seconds(terminal.pid)
            drawn = terminal.read_until(READY, START_SECONDS)
            return Start(framed - began, waited, drawn - began, drawn - float(stamp.read_text()))
        finally:
            terminal.close()


def start_of_least() -> Start:
    """One start of the least application."""
    with tempfile.TemporaryDirectory(prefix="cost-") as folder:
        began = time.monotonic()
        terminal = Terminal([sys.executable, str(_LEAST)], environment_in(folder))
        try:
            framed = terminal.read_until(DRAWN, START_SECONDS)
            return Start(framed - began, waited_seconds(terminal.pid))
        finally:
            terminal.close()


def starts(count: int) -> tuple[list[Start], list[Start]]:
    """So many starts of the least application and of the cockpit, in turns."""
    pairs = [(start_of_least(), start()) for _ in range(count)]
    return [least for least, _ in pairs], [ours for _, ours in pairs]


def best_frame(found: Sequence[Start], *, on_a_core: bool = False) -> float:
    """The least time to a first frame; with `on_a_core` without what was waited for one."""
    return min(one.frame - (one.waited if on_a_core else 0) for one in found)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--starts", type=int, default=5)
    least, ours = starts(parser.parse_args().starts)
    for name, found in (("least Textual app", least), ("cockpit", ours)):
        print(
            f"{name}: first frame {best_frame(found):.2f} s, on a core {best_frame(found, on_a_core=True):.2f} s"
        )
    byte, shown = min(one.byte for one in ours), min(one.shown for one in ours)
    print(f"program's first byte shown after {byte:.2f} s, {shown:.2f} s after the start")
    print(f"load {os.getloadavg()[0]:.1f}")
    return 0 if best_frame(ours) <= 0.5 and byte <= 0.3 else 1


if __name__ == "__main__":
    sys.exit(main())
