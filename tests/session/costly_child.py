"""A child whose screens are slow to judge: `costly_child.py HOW FILE`.

HOW: `still` shows FILE and waits; `redrawn` shows it twice a second with another number for each `@@`, so that each
is a new prompt; `flood` writes it without end.
"""

from __future__ import annotations

import itertools
import os
import select
import sys
import tty
from pathlib import Path

REDRAW_SECONDS = 0.5


def _show(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


def main(how: str, file: str) -> None:
    tty.setraw(0)
    data = Path(file).read_bytes()
    for number in itertools.count():
        _show(data.replace(b"@@", str(number).encode()))
        while how != "flood" and select.select([0], [], [], REDRAW_SECONDS if how == "redrawn" else None)[0]:
            os.read(0, 4096)


if __name__ == "__main__":
    main(*sys.argv[1:])
