"""Broken screens and byte streams made from the recordings: for the fuzzer and its small sister in the suite."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from copilot.core.snapshot import Cursor, ProgramStatus, ScreenSnapshot, Style
from copilot.recording.asciicast import read_cast
from copilot.replay.driver import pieces_of
from copilot.screen import TerminalScreen

FRAGMENTS = (
    "Do you want to proceed?", "[y/N] ", "(Y)es/(N)o [Yes]: ", "❯ 1. Yes", "  2. No", "● 1. Allow once", "› 9.",
    "Esc to cancel", "Enter to select · Esc to close", "esc to interrupt", "────────────────────", "╭──────╮", "│", "╰──╯",
    "⠋ Working...", "✻ Baked for 5s", "$ rm -rf /", "Password:", "--More--", ":", "(END)", "> ", "❯ /mo", "? ", "▲", "↑",
    "[ ]", "◯", "☒", "<Yes>", "<No>", "No / Yes", "● Yes / ○ No", "99. x", "1) a", "(a,b,c)", "\u200d", "é", "漢字", "🙂",
    "\ufe0f", "\u202e", "a" * 200, "(" * 60, "1. " * 40, "│ " * 50, " " * 119, "?" * 100, "… +3 lines",
)  # fmt: skip
SEQUENCES = (
    b"\x1b[2J", b"\x1b[H", b"\x1b[?1049h", b"\x1b[?1049l", b"\x1b[?2026h", b"\x1b[?2026l", b"\x1b[7m", b"\x1b[0m",
    b"\x1b[2m", b"\x1b[999;999H", b"\x1b[K", b"\x1b[1;5r", b"\x1b[L", b"\x1b[M", b"\x1b]0;\xe2\x9c\xb3 x\x07",
    b"\x1b]7501;state=blocked:kind=permission:msg=!!\x07", b"\x1b]9;4;3\x07", b"\x1b[?25l", b"\xff\xfe", b"\x1b",
    b"\x1b]", b"\xe2\x94", b"\r\n", b"\t", b"\x1bP", b"\x1b[38:2::1:2:3m", b"\x1b(0", b"\x0e",
)  # fmt: skip


@dataclass(frozen=True)
class Seed:
    """A moment of a recording: the bytes up to it, and the screen then."""

    cli: str
    data: bytes
    snapshot: ScreenSnapshot


def seeds_of(casts: Sequence[Path], per_cast: int, randomness: random.Random) -> list[Seed]:
    """Moments of these recordings, chosen at random."""
    seeds = []
    for path in casts:
        cast = read_cast(path)
        pieces = [piece for piece in pieces_of(cast) if piece.data]
        stops = {randomness.randrange(len(pieces)) for _ in range(per_cast)} if pieces else set()
        screen = TerminalScreen(cast.header.columns, cast.header.lines)
        data = b""
        for number, piece in enumerate(pieces):
            screen.feed(piece.data)
            data = (data + piece.data)[-20_000:]
            if number in stops:
                seeds.append(Seed(path.parent.name, data, screen.snapshot()))
    return seeds


def mutated_screen(seed: Seed, randomness: random.Random) -> ScreenSnapshot:
    """The seed's screen with rows changed, moved, cut and restyled."""
    snapshot = seed.snapshot
    characters = [list(row) for row in snapshot.characters]
    styles = [list(row) for row in snapshot.styles]
    for _ in range(randomness.randint(1, 8)):
        row = randomness.randrange(len(characters))
        _mutate_row(row, characters, styles, randomness)
    lines = tuple("".join(row).ljust(snapshot.columns) for row in characters)
    status = randomness.choice(
        (snapshot.program_status, None, ProgramStatus("working"), ProgramStatus("blocked"))
    )
    return replace(
        snapshot,
        characters=tuple(tuple(row) for row in characters),
        styles=tuple(tuple(row) for row in styles),
        lines=lines,
        cursor=Cursor(
            randomness.randrange(len(lines)),
            randomness.randrange(snapshot.columns),
            randomness.random() < 0.5,
        ),
        title=randomness.choice((snapshot.title, "", "✳ Claude Code", "✋ x", "⠋ x")),
        program_status=status,
        wrapped=tuple(randomness.random() < 0.1 for _ in lines),
    )


def _mutate_row(
    row: int, characters: list[list[str]], styles: list[list[Style]], randomness: random.Random
) -> None:
    columns = len(characters[row])
    kind = randomness.randrange(6)
    if kind == 0:
        other = randomness.randrange(len(characters))
        characters[row], characters[other] = characters[other], characters[row]
        styles[row], styles[other] = styles[other], styles[row]
    elif kind == 1:
        characters[row] = [" "] * columns
    elif kind == 2:
        styles[row] = [
            randomness.choice((Style(dim=True), Style(reverse=True), Style(foreground=4)))
        ] * columns
    elif kind == 3:
        start = randomness.randrange(columns)
        characters[row] = (characters[row][start:] + [" "] * start)[:columns]
    else:
        text = list(randomness.choice(FRAGMENTS))
        start = randomness.randrange(max(columns - len(text), 1))
        characters[row][start : start + len(text)] = text
        characters[row] = characters[row][:columns]


def mutated_stream(seed: Seed, randomness: random.Random) -> bytes:
    """The seed's bytes with pieces cut out, doubled, flipped and put in."""
    data = bytearray(seed.data[-randomness.randint(500, 6000) :])
    for _ in range(randomness.randint(1, 12)):
        at = randomness.randrange(len(data) + 1)
        kind = randomness.randrange(5)
        length = randomness.randint(1, 40)
        if kind == 0:
            del data[at : at + length]
        elif kind == 1:
            data[at:at] = data[at : at + length]
        elif kind == 2:
            data[at:at] = randomness.choice(SEQUENCES)
        elif kind == 3:
            data[at:at] = randomness.choice(FRAGMENTS).encode("utf-8", "surrogatepass")
        elif at < len(data):
            data[at] ^= 1 << randomness.randrange(8)
    return bytes(data)
