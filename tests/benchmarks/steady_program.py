"""The program that `bench_cockpit` runs: says when it began to draw, then spins at 10 Hz, or waits at a prompt as
a shell does.

`python steady_program.py STAMP_FILE spin|still`. The moment of its first byte goes into STAMP_FILE, by the clock
that all processes of a machine share.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

READY = "steady-program-is-there"
_SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_HERTZ = 10


def main(stamp: str, way: str) -> None:
    Path(stamp).write_text(str(time.monotonic()))
    sys.stdout.write(f"{READY}\r\n\n")
    sys.stdout.flush()
    number = 0
    while way == "spin":
        time.sleep(1 / _HERTZ)
        sys.stdout.write(f"\r\x1b[36m{_SPINNER[number % 10]}\x1b[0m Working… ({number // _HERTZ}s)")
        sys.stdout.flush()
        number += 1
    sys.stdout.write("$ ")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
