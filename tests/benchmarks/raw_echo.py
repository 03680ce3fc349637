"""A program to measure with: in raw mode it draws each key that it reads, by a mark that nothing else draws.

The mark of the n-th `x` is one CJK character, at a fixed place of its own line. `f` starts and stops a flood:
numbered lines that scroll above without end; a key is drawn after what is being written.
"""

from __future__ import annotations

import os
import select
import termios
import tty

FIRST_MARK = 0x4E00
MARKS = 20_000
READY = "READY-TO-ECHO"


def mark_of(number: int) -> str:
    return chr(FIRST_MARK + number % MARKS)


def main() -> None:
    flood = False
    before = termios.tcgetattr(0)
    tty.setraw(0)
    try:
        lines = os.get_terminal_size(1).lines
        os.write(1, f"\x1b[2J\x1b[1;{lines - 2}r\x1b[{lines};1H{READY}".encode())
        number = line = 0
        while True:
            if select.select([0], [], [], 0 if flood else None)[0]:
                keys = os.read(0, 1024)
                if b"\x03" in keys:
                    return
                if b"f" in keys:
                    flood = not flood
                for _ in range(keys.count(b"x")):
                    os.write(1, f"\x1b[{lines};30H{mark_of(number)}".encode())
                    number += 1
            if flood:
                rows = "".join(f"\r\nline {line + n} of a flood that goes on and on" for n in range(40))
                line += 40
                os.write(1, f"\x1b[{lines - 2};1H{rows}".encode())
    finally:
        termios.tcsetattr(0, termios.TCSADRAIN, before)


if __name__ == "__main__":
    main()
