"""A program that writes an hour of output at once for each key: ten frames a second of what coding CLIs draw.

`python -m tests.benchmarks.long_output`: any key writes the next hour, then says so.
"""

from __future__ import annotations

import os
import tty

from tests.benchmarks.long_run import frames_of_output

READY = "READY-FOR-THE-FIRST-HOUR"
FRAMES_AN_HOUR = 36_000


def said_after(hour: int) -> str:
    """What stands on the screen once that hour has been written."""
    return f"HOUR-{hour}-IS-OVER"


def main() -> None:
    """Write hour after hour until the terminal is gone."""
    frames = [frame.encode() for frame in frames_of_output()]
    tty.setraw(0)
    _write(READY.encode())
    hour = 0
    while os.read(0, 1):
        hour += 1
        for number in range(FRAMES_AN_HOUR):
            _write(frames[number % len(frames)])
        _write(f"\x1b[H\x1b[2J{said_after(hour)}".encode())


def _write(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


if __name__ == "__main__":
    main()
