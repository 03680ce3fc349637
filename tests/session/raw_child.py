"""A child that keeps every byte it is typed, as it came, and ends at the first carriage return outside a paste.

Run as a program: the file for the bytes is its argument. It echoes what can be seen, as a composer does, and
asks its next question whenever the window changes.
"""

from __future__ import annotations

import os
import signal
import sys
import tty
from itertools import count

PASTE_BEGIN, PASTE_END = b"\x1b[200~", b"\x1b[201~"


def main() -> None:
    numbers = count(1)

    def ask(*_: object) -> None:
        os.write(1, b"\x1b[?2004h\x1b[2J\x1b[HSay it, take %d: " % next(numbers))

    tty.setraw(0)
    signal.signal(signal.SIGWINCH, ask)
    ask()
    kept = b""
    with open(sys.argv[1], "wb", buffering=0) as journal:
        while not kept.rpartition(PASTE_END)[2].endswith(b"\r"):
            data = os.read(0, 4096)
            kept += data
            journal.write(data)
            shown = data.replace(PASTE_BEGIN, b"").replace(PASTE_END, b"")
            os.write(1, shown.replace(b"\n", b"\r\n"))


if __name__ == "__main__":
    main()
