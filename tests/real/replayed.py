"""Plays recorded output again, a piece for each `Z` typed: the same bytes for every terminal.

`python replayed.py FOLDER`; the pieces are files `0`, `1`, … in it. Whatever else is typed (a terminal's
answers, the mouse) is left unread, and a new size changes nothing.
"""

from __future__ import annotations

import os
import sys
import tty
from pathlib import Path

READY = b"ready to play"
_GONE = b"\r" + b" " * len(READY) + b"\r"


def main() -> None:
    tty.setraw(0)
    os.write(1, READY)
    pieces = sorted(Path(sys.argv[1]).iterdir(), key=lambda path: int(path.name))
    for piece in pieces:
        while os.read(0, 1) != b"Z":
            pass
        data = (_GONE if piece is pieces[0] else b"") + piece.read_bytes()
        while data:
            data = data[os.write(1, data) :]
    while True:
        os.read(0, 1024)


if __name__ == "__main__":
    main()
