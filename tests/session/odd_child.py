"""A child whose dialogs nobody knows: each key brings the next one, `q` ends it."""

from __future__ import annotations

import os
import tty

SECRET = "sk-ant-api03-" + "Ab3dEf6hIj9kLm2nOp5q" * 4
SCREENS = (
    "Moon phase wizard\r\n\r\n  <<waxing>>  waning   new\r\n\r\ntap left or right; space keeps it",
    f"Moon key {SECRET}\r\n\r\n  <<keep>>  drop\r\n\r\ntap left or right; space keeps it",
)


def main() -> None:
    tty.setraw(0)
    number = 0
    while True:
        os.write(1, b"\x1b[2J\x1b[H\x1b[?25l" + SCREENS[number % len(SCREENS)].encode())
        if os.read(0, 64) == b"q":
            return
        number += 1


if __name__ == "__main__":
    main()
