"""A child that asks four kinds of question in turn, a new one at each SIGUSR1, and keeps all it gets.

Run as a program: the file for the bytes is its argument. What can be seen is echoed as a composer would.
"""

from __future__ import annotations

import os
import signal
import sys
import tty
from itertools import count
from pathlib import Path

ASKED = (
    "\x1b[?2004hOne line, take {}: ",
    "\x1b[?2004hLines, take {}: ",
    "Pick, take {}?\r\n\r\n❯ 1. Yes\r\n  2. No\r\n  3. Type something\r\n\r\nEnter to select",
    "Go on, take {}? [y/n] ",
)
BEGIN, END = b"\x1b[200~", b"\x1b[201~"


def main() -> None:
    """Ask, keep, echo; a carriage return clears the screen."""
    numbers = count()

    def ask(*_: object) -> None:
        number = next(numbers)
        os.write(1, b"\x1b[?2004l\x1b[2J\x1b[H" + ASKED[number % len(ASKED)].format(number).encode())

    tty.setraw(0)
    signal.signal(signal.SIGUSR1, ask)
    Path(sys.argv[1] + ".pid").write_text(str(os.getpid()), "ascii")
    os.write(1, b"working")
    with open(sys.argv[1], "wb", buffering=0) as journal:
        while data := os.read(0, 65536):
            journal.write(data)
            shown = data.replace(BEGIN, b"").replace(END, b"").replace(b"\n", b"\r\n")
            over = data.endswith(b"\r") or (len(data) == 1 and data in b"123")
            os.write(1, b"\x1b[2J\x1b[Hworking" if over else shown)


if __name__ == "__main__":
    main()
