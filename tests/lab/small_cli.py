"""A coding CLI small enough to read: it asks for one permission, then its composer is ready.

Run with `--changed` it asks in other words, as a new release might.
"""

from __future__ import annotations

import os
import sys
import termios
import tty

CLEAR = "\x1b[2J\x1b[H"
OLD = ("Run this command?", ("Yes", "Always for this session", "No"))
NEW = ("Run this command?", ("Yes", "From now on, yes", "No"))


def main() -> None:
    question, options = NEW if "--changed" in sys.argv else OLD
    tty.setraw(0, termios.TCSANOW)
    rows = [f"{'❯' if number == 1 else ' '} {number}. {label}" for number, label in enumerate(options, 1)]
    draw("Shell", "  $ make clean", "", question, *rows, "", "Esc cancels")
    while os.read(0, 1) not in (b"1", b"2", b"3"):
        pass
    draw("● ok, token sk-ant-api03-" + "Ab3dEf6hIj9kLm2nOp5q" * 4, "", "=> ", end="")
    os.read(0, 1)


def draw(*rows: str, end: str = "\r\n") -> None:
    sys.stdout.write(CLEAR + "\r\n".join(rows) + end)
    sys.stdout.flush()


main()
