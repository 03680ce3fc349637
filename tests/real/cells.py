"""What tmux tells of a screen (`capture-pane -p -e -N`), as cells: read without any of our own emulator."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from copilot.core.snapshot import Colour, ScreenSnapshot, Style

_PLAIN = Style()
_PARTS = re.compile(r"\x1b\[([0-9;:]*)m|\x1b\]8;[^\x1b]*\x1b\\|(\x0e)|(\x0f)|(.)", re.DOTALL)
_LINES = str.maketrans("`afgijklmnopqrstuvwxyz{|}~", "◆▒°±␉┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·")
_ON = {1: "bold", 2: "dim", 3: "italic", 4: "underline", 5: "blink", 7: "reverse", 8: "conceal"}
_ON[9] = "strikethrough"


class Glyph(NamedTuple):
    """What stands in one cell, or in two: a character with all that joins it."""

    text: str
    style: Style
    width: int = 1


Row = tuple[Glyph, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """A screen: its rows, and where its cursor is shown (row, column), if anywhere."""

    columns: int
    rows: tuple[Row, ...]
    cursor: tuple[int, int] | None
    cursor_shape: int = 0
    """As DECSCUSR counts; tmux does not tell it."""

    @property
    def text(self) -> str:
        return "\n".join("".join(glyph.text for glyph in row).rstrip() for row in self.rows)


def cell_width(character: str) -> int:
    """Cells that tmux gives to one code point: 0, 1 or 2."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def read_rows(captured: str) -> tuple[Row, ...]:
    """The rows of what `capture-pane -p -e -N` printed."""
    rows = []
    style, graphic = _PLAIN, False
    for line in captured.removesuffix("\n").split("\n"):
        glyphs: list[Glyph] = []
        for found in _PARTS.finditer(line):
            sgr, out, back, character = found.groups()
            if sgr is not None:
                style = follow(style, sgr)
            elif out or back:
                graphic = bool(out)
            elif character:
                _put(glyphs, character.translate(_LINES) if graphic else character, style)
        rows.append(tuple(glyphs))
    return tuple(rows)


def _put(glyphs: list[Glyph], character: str, style: Style) -> None:
    width = cell_width(character)
    if width or not glyphs:
        glyphs.append(Glyph(character, style, width or 1))
    else:
        last = glyphs[-1]
        glyphs[-1] = last._replace(text=last.text + character)


def follow(style: Style, sgr: str) -> Style:
    """The style after an SGR sequence as tmux writes them."""
    values = iter(sgr.split(";"))
    for value in values:
        number = int(value.partition(":")[0] or 0)
        if number == 0:
            style = _PLAIN
        elif number in _ON:
            style = _with(style, {_ON[number]: value != "4:0"})
        elif number in (38, 48, 58):
            colour = _colour(values)
            if number != 58:
                style = _with(style, {"foreground" if number == 38 else "background": colour})
        else:
            style = _with(style, _sixteen(number))
    return style


def _with(style: Style, changes: Mapping[str, Any]) -> Style:
    return replace(style, **changes)


def _colour(values: Iterator[str]) -> Colour:
    if next(values) == "5":
        return int(next(values))
    red, green, blue = (int(next(values)) for _ in range(3))
    return f"#{red:02x}{green:02x}{blue:02x}"


def _sixteen(number: int) -> Mapping[str, Colour]:
    for first, name, add in (
        (30, "foreground", 0),
        (40, "background", 0),
        (90, "foreground", 8),
        (100, "background", 8),
    ):
        if first <= number < first + 8:
            return {name: number - first + add}
    return {name: "default" for code, name in ((39, "foreground"), (49, "background")) if code == number}


def snapshot_rows(snapshot: ScreenSnapshot) -> tuple[Row, ...]:
    rows = []
    for characters, styles in zip(snapshot.characters, snapshot.styles, strict=True):
        wide = [*(after == "" for after in characters[1:]), False]
        cells = zip(characters, styles, wide, strict=True)
        rows.append(tuple(Glyph(text, style, 1 + two) for text, style, two in cells if text))
    return tuple(rows)


def cut(row: Row, start: int, end: int) -> Row:
    """The glyphs that begin in columns `start` to `end` (excluded)."""
    kept, column = [], 0
    for glyph in row:
        if start <= column < end:
            kept.append(glyph)
        column += glyph.width
    return tuple(kept)


def code_points(row: Iterable[Glyph]) -> list[Glyph]:
    """A row with each code point by itself, so that how they are joined to cells makes no difference."""
    return [Glyph(character, glyph.style) for glyph in row for character in glyph.text]
