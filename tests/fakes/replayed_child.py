"""A child that draws what a recorded CLI drew, up to each mark in turn, and goes on when a key comes.

Run as a program: `replayed_child.py CAST MARK…` (seconds). The keys that each picture got go into the file `keys`,
a line each as Python writes bytes. A mark that goes back begins on an empty screen. It ends at Enter after the
last mark.
"""

from __future__ import annotations

import os
import re
import sys
import tty
from pathlib import Path

from copilot.recording.asciicast import read_cast

_REPORTS = re.compile(rb"\x1b(?:\[[?>][0-9;$]*[A-Za-z]|\[[0-9;]*[Rcnt]|[\]P_][^\x07\x1b]*(?:\x07|\x1b\\))")
"""What the terminal answers by itself: no key."""


def keys() -> bytes:
    while True:
        data = os.read(0, 4096)
        if not data:
            sys.exit(0)
        data = _REPORTS.sub(b"", data)
        if data:
            return data


def main() -> None:
    tty.setraw(0)
    events = [event for event in read_cast(Path(sys.argv[1])).events if event.code == "o"]
    begin = 0.0
    with open("keys", "w", encoding="ascii", buffering=1) as journal:
        for mark in map(float, sys.argv[2:]):
            if mark < begin:
                begin = 0.0
                os.write(1, b"\x1bc")
            for event in events:
                if begin < event.at <= mark:
                    os.write(1, event.data.encode("utf-8", "surrogatepass"))
            begin = mark
            journal.write(f"{keys()!r}\n")
        while True:
            data = keys()
            journal.write(f"{data!r}\n")
            if data.endswith(b"\r"):
                return


if __name__ == "__main__":
    main()
