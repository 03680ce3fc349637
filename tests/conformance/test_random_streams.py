"""Random well-formed streams look as Ghostty shows them: margins, origin, pending wraps, erasing, repeating.

Left out, because the oracle is alone against xterm there: a count of 0 (1 everywhere else), CBT and marks
behind a full row, REP that does not stand right behind a character, DECSTR (xterm resets the margins), wide
characters in insert mode; and clusters, whose widths are Rich's here.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from copilot.screen import TerminalScreen

COLUMNS, LINES = 12, 6
MODES = ["?6", "?7", "?1048", "20"]
OTHERS = ["\x1b7", "\x1b8", "\x1bD", "\x1bE", "\x1bM", "\x1bH", "\x1b#8", "\x1bc", "\x1b[3g", "\x1b[g"]
MOVES = ["\r", "\n", "\r\n", "\b", "\t", "\x0b", "\x0c"]


def piece(source: random.Random) -> str:
    def number(most: int = 9) -> str:
        return str(source.choice(["", 1, 2, 3, source.randint(1, most), 99]))

    makers: list[tuple[int, Callable[[], str]]] = [
        (34, lambda: "".join(source.choice("abcdefgh") for _ in range(source.randint(1, 16)))),
        (4, lambda: source.choice(["漢字", "ー", "é", f"x\x1b[{number()}b"])),
        (8, lambda: source.choice(MOVES)),
        (28, lambda: f"\x1b[{number()}{source.choice('ABCDEFGILMPSTX@dae`')}"),
        (6, lambda: f"\x1b[{source.choice(['', 1, 2, 9])}{source.choice('JK')}"),
        (6, lambda: f"\x1b[{number()};{number(13)}H"),
        (4, lambda: f"\x1b[{number(6)};{number(6)}r"),
        (6, lambda: f"\x1b[{source.choice(MODES)}{source.choice('hl')}"),
        (4, lambda: source.choice(OTHERS)),
    ]
    return source.choices(makers, [weight for weight, _ in makers])[0][1]()


def shown(lines: list[str]) -> list[str]:
    texts = [line.rstrip() for line in lines]
    return (texts + [""] * LINES)[:LINES]


@pytest.mark.parametrize("seed", range(20))
def test_random_streams_look_as_the_oracle_shows_them(seed: int) -> None:
    pyghostty = pytest.importorskip("pyghostty", reason="the oracle is a development dependency")
    source = random.Random(seed)
    for _ in range(100):
        data = "".join(piece(source) for _ in range(source.randint(2, 16)))
        screen = TerminalScreen(COLUMNS, LINES)
        oracle = pyghostty.Terminal(cols=COLUMNS, rows=LINES, scrollback=100)
        screen.feed(data.encode())
        oracle.feed(data.encode())
        assert shown(list(screen.snapshot().lines)) == shown(oracle.text().split("\n")), repr(data)
