"""Random and hostile streams, and everything that a screen holds, for comparing two of them."""

from __future__ import annotations

import random
from collections.abc import Iterator

from copilot.screen import TerminalScreen

ATOMS: tuple[bytes, ...] = (
    *(bytes([byte]) for byte in b"\x1b[]P_^X\\;:?><=!$\"' #()*0123459mhlHJKbrSTLM@uqcntpABCDGdZI"),
    *(bytes([byte]) for byte in b"\r\n\t\x08\x07\x0e\x0f\x18\x1a\x00\x7f\x9b\x85\xff\xe2"),
    b"38",
    b"48",
    b"99999",
    b"9" * 5000,
    b"\xc2\x9b",
    b"\xf0\x9f",
    b"\r\n",
    b"hello world",
    "漢".encode(),
    "❤".encode(),
    "\ufe0f".encode(),
    "\u200d".encode(),
    "👩".encode(),
    "👍🏽".encode(),
    "🏽".encode(),
    "🇬".encode(),
    "e\u0301".encode(),
    "\u0301".encode(),
    "\u200b".encode(),
    "\u202e".encode(),
    "─│".encode(),
    "\u1112\u1161".encode(),
    b"\x1b[?1049h",
    b"\x1b[?1049l",
    b"\x1b[?47h",
    b"\x1b[?7l",
    b"\x1b[?7h",
    b"\x1b[4h",
    b"\x1b[4l",
    b"\x1b[?6h",
    b"\x1b[?45h",
    b"\x1b[?2026h",
    b"\x1b[?25l",
    b"\x1b[2;3r",
    b"\x1b(0",
    b"\x1b(B",
    b"\x1bN",
    b"\x1b7",
    b"\x1b8",
    b"\x1bc",
    b"\x1bM",
    b"\x1bD",
    b"\x1bE",
    b"\x1bH",
    b"\x1b[!p",
    b"\x1b[3g",
    b"\x1b[41m",
    b"\x1b[38;2;1;2;3m",
    b"\x1b[38;2;1m",
    b"\x1b[4:3m",
    b'\x1b[1"q',
    b"\x1b[?J",
    b"\x1b[3b",
    b"\x1b[b",
    b"\x1b[1:2H",
    b"\x1b[?5H",
    b"\x1b[5;9H",
    b"\x1b[10G",
    b"\x1b[3B",
    b"\x1b[2A",
    b"\x1b[2K",
    b"\x1b[K",
    b"\x1b[2P",
    b"\x1b[2@",
    b"\x1b[3X",
    b"\x1b[2L",
    b"\x1b[M",
    b"\x1b[2S",
    b"\x1b[T",
    b"\x1b[22J",
    b"\x1b[3J",
    b"\x1b[2J",
    b"\x1b]0;title\x07",
    b"\x1b]8;;http://x\x1b\\",
    b"\x1b]52;c;aGVsbG8=\x07",
    b"\x1b]7501;state=idle\x07",
    b"\x1b]7501;?\x07",
    b"\x1b]9;4;1;50\x07",
    b"\x1b[6n",
    b"\x1b[c",
    b"\x1b[?2026$p",
    b"\x1bP$qm\x1b\\",
    b"\x1bP+q544e\x1b\\",
    b"\x1b_Ga=q;x\x1b\\",
)
LEVELS = (0, 9, 10, 25, 26, 99, 100, 199, 249, 250, 255, 256, 300)
SIZES = ((1, 1), (2, 2), (3, 5), (10, 4), (20, 5), (80, 24))


def two_colours(source: random.Random) -> bytes:
    """A cell's own foreground and background, now and then of a colour that there is not."""
    front, back = (";".join(str(source.choice(LEVELS)) for _ in range(3)) for _ in range(2))
    between = source.choice((";", "m\x1b["))
    return f"\x1b[38;2;{front}{between}48;2;{back}m{source.choice('x ')}".encode()


def random_stream(source: random.Random) -> bytes:
    """Well-formed pieces, torn pieces and noise."""
    pieces = []
    for _ in range(source.randint(1, 60)):
        kind = source.random()
        if kind < 0.04:
            piece = two_colours(source)
        else:
            piece = source.choice(ATOMS) if kind < 0.93 else bytes([source.randrange(256)])
        pieces.append(piece[: source.randint(1, len(piece))] if source.random() < 0.05 else piece)
    return b"".join(pieces)


def cut_at_random(data: bytes, source: random.Random) -> Iterator[bytes]:
    start = 0
    while start < len(data):
        end = start + source.randint(1, 9)
        yield data[start:end]
        start = end


def everything(screen: TerminalScreen) -> dict[str, object]:
    snapshot = screen.snapshot()
    return {
        "characters": snapshot.characters,
        "styles": snapshot.styles,
        "rows": [[style.attributes for style in screen.visible_row(y).styles] for y in range(screen.lines)],
        "cursor": (screen.cursor.x, screen.cursor.y, screen.cursor.style.attributes),
        "title": snapshot.title,
        "wrapped": snapshot.wrapped,
        "modes": frozenset(screen.mode),
        "margins": screen.margins,
        "tab stops": screen.tabstops,
        "keyboard": screen.key_modes,
        "replies": screen.take_replies(),
        "events": screen.take_events(),
        "last drawn": screen._terminal.writer.last_drawn,
        "scrollback": [screen.scrollback_row(y).chars for y in range(len(screen.scrollback))],
    }


def differences(data: bytes, columns: int, lines: int, source: random.Random) -> list[str]:
    """What differs when `data` is fed at once, byte by byte, or cut at random."""
    whole, single, cut = (TerminalScreen(columns, lines, 20) for _ in range(3))
    whole.feed(data)
    for start in range(len(data)):
        single.feed(data[start : start + 1])
    for piece in cut_at_random(data, source):
        cut.feed(piece)
    expected = everything(whole)
    return [
        f"{how}: {key}: {value!r} instead of {expected[key]!r}"
        for how, screen in (("byte by byte", single), ("cut", cut))
        for key, value in everything(screen).items()
        if value != expected[key]
    ]
