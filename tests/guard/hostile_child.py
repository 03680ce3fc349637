"""A child that shows a hostile screen and keeps every byte it is typed.

Arguments: the file for the bytes, a file with the first screen, and one with the next (or nothing), which is
shown when the process gets SIGUSR1. It reads no line and echoes nothing, as the dialogs of coding CLIs do.
"""

from __future__ import annotations

import os
import signal
import sys
import tty
from pathlib import Path


def main() -> None:
    """Show, keep, never end by itself."""
    journal, first, following = (*sys.argv[1:], "")[:3]
    if following:
        data = Path(following).read_bytes()
        signal.signal(signal.SIGUSR1, lambda *_: show(data))
    tty.setraw(0)
    with open(journal, "wb", buffering=0) as kept:
        Path(journal + ".pid").write_text(str(os.getpid()), "ascii")
        show(Path(first).read_bytes())
        while data := os.read(0, 4096):
            kept.write(data)


def show(data: bytes) -> None:
    """All of it, however small the terminal's buffer."""
    while data:
        data = data[os.write(1, data) :]


if __name__ == "__main__":
    main()
