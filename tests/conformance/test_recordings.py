"""Every recording looks as Ghostty (libghostty-vt) shows it, at every 2,000 bytes.

Ghostty leaves VS15 and ZWSP out of its text, and keeps the marks of a letter uncomposed.
"""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path

import pytest

from copilot.screen import TerminalScreen

ROOT = Path(__file__).parents[2]
FOLDERS = (ROOT / "tests" / "corpus", ROOT.parent / "shared" / "corpus")
CASTS = {
    f"{cast.parent.name}/{cast.stem}": cast for folder in FOLDERS for cast in sorted(folder.glob("*/*.cast"))
}
STEP = 2000
UNSEEN = {0xFE0E: None, 0x200B: None}

PROMPT_MARK = re.compile(rb"\x1b\]133;[A-D][^\x07\x1b]*(?:\x07|\x1b\\)")
QUIRKS = {"claude/screen_reader": "OSC 133;A is a 'fresh line' in Ghostty: it moves the cursor to a new line"}


def read(cast: Path) -> tuple[int, int, bytes]:
    """Width, height and all output of a recording."""
    lines = cast.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    head = json.loads(lines[0])
    events = (json.loads(line) for line in lines[1:] if line.startswith("["))
    output = "".join(event[2] for event in events if event[1] == "o")
    return head["width"], head["height"], output.encode("utf-8", "surrogateescape")


def pieces(data: bytes) -> list[bytes]:
    """About 2,000 bytes each, cut before an escape sequence, where the oracle has no half-read character."""
    cuts, last = [0], 0
    while (cut := data.find(b"\x1b[", last + STEP)) > 0:
        cuts.append(cut)
        last = cut
    return [data[start:end] for start, end in zip(cuts, [*cuts[1:], len(data)], strict=True)]


def shown(lines: list[str], height: int) -> list[str]:
    texts = [unicodedata.normalize("NFC", line).translate(UNSEEN).rstrip() for line in lines]
    return texts + [""] * (height - len(texts))


def first_difference(width: int, height: int, data: bytes) -> str | None:
    pyghostty = pytest.importorskip("pyghostty", reason="the oracle is a development dependency")
    screen = TerminalScreen(width, height)
    oracle = pyghostty.Terminal(cols=width, rows=height, scrollback=1000)
    fed = 0
    for piece in pieces(data):
        screen.feed(piece)
        oracle.feed(piece)
        fed += len(piece)
        ours = shown(list(screen.snapshot().lines), height)
        theirs = shown(oracle.text().split("\n"), height)
        if ours != theirs:
            row = next(y for y, (a, b) in enumerate(zip(ours, theirs, strict=True)) if a != b)
            return f"after {fed} of {len(data)} bytes, row {row}: {ours[row]!r}, oracle {theirs[row]!r}"
    return None


@pytest.mark.parametrize("cli", sorted({name.partition("/")[0] for name in CASTS}))
def test_equal_to_the_oracle(cli: str) -> None:
    names = [name for name in CASTS if name.startswith(f"{cli}/") and name not in QUIRKS]
    found = {name: first_difference(*read(CASTS[name])) for name in names}
    assert {name: difference for name, difference in found.items() if difference} == {}


@pytest.mark.parametrize("name", [name for name in QUIRKS if name in CASTS])
def test_a_quirk_is_the_oracles_own(name: str) -> None:
    """Without the marks that set it off, the recording is equal."""
    width, height, data = read(CASTS[name])
    assert first_difference(width, height, data) is not None
    assert first_difference(width, height, PROMPT_MARK.sub(b"", data)) is None
