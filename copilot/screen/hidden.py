"""Text that is drawn but cannot be seen: concealed, or in (nearly) the colour behind it.

A model that reads the cells would read it, and so would the detectors, while the person at the screen does
not. Colours are those that the terminal reports to the child (`Theme`), compared by the contrast of WCAG 2.2.
Blocks and lines are pictures, not text: they may have any colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from copilot.core.snapshot import Colour, ScreenSnapshot, Style
from copilot.screen.rows import Picture
from copilot.screen.theme import RGB, Theme, contrast, palette, rgb_of

LEAST_CONTRAST = 1.2
"""Below this text counts as hidden. Nothing in the recordings of `tests/corpus` is below it."""
_DIM = 0.6
"""Share of its colour that dim text keeps over what is behind it, as the widget draws it."""

_MOST_ROWS = 500
_ROWS: dict[int, tuple[tuple[Style, ...], tuple[Style, ...]]] = {}
"""Rows by their identity, with their styles: the row is kept, so no other one has its number."""


@lru_cache(maxsize=4096)
def hides(style: Style, theme: Theme) -> bool:
    """Whether text in this style cannot be seen."""
    if style.conceal:
        return True
    front, behind = _rgb(style.foreground, theme.foreground), _rgb(style.background, theme.background)
    if style.reverse:
        front, behind = behind, front
    if style.dim:
        front = _blend(front, behind)
    return contrast(front, behind) < LEAST_CONTRAST


def seen_text(picture: Picture, theme: Theme) -> tuple[str, int]:
    """The row's text with blanks for what cannot be seen, and how many characters those were."""
    unseen = {pen for pen in set(picture.pens) if hides(pen.seen, theme)}
    hidden = _columns(picture.characters, [pen in unseen for pen in picture.pens])
    return ("".join(_blanked(picture.characters, hidden)), len(hidden)) if hidden else (picture.text, 0)


def without_hidden(snapshot: ScreenSnapshot, theme: Theme) -> tuple[ScreenSnapshot, dict[int, int]]:
    """The snapshot as a person sees it, and how many characters are blanked in which rows."""
    styles = {id(style): style for row in snapshot.styles for style in _distinct(row)}
    unseen = {number for number, style in styles.items() if hides(style, theme)}
    if not unseen:
        return snapshot, {}
    characters, lines, counts = list(snapshot.characters), list(snapshot.lines), {}
    for number, (row, in_row) in enumerate(zip(snapshot.characters, snapshot.styles, strict=True)):
        if unseen.isdisjoint(map(id, _distinct(in_row))):
            continue
        hidden = _columns(row, [id(style) in unseen for style in in_row])
        if hidden:
            counts[number] = len(hidden)
            characters[number] = _blanked(row, hidden)
            lines[number] = "".join(characters[number])
    return replace(snapshot, characters=tuple(characters), lines=tuple(lines)), counts


def _distinct(row: tuple[Style, ...]) -> tuple[Style, ...]:
    """The styles of a row, each once. Rows that were not written are the same tuple in the next snapshot."""
    kept = _ROWS.get(id(row))
    if kept is None or kept[0] is not row:
        if len(_ROWS) >= _MOST_ROWS:
            _ROWS.clear()
        kept = _ROWS[id(row)] = (row, tuple({id(style): style for style in row}.values()))
    return kept[1]


def _columns(row: Sequence[str], unseen: Iterable[bool]) -> list[int]:
    """The columns of text in cells that cannot be seen."""
    return [column for column, flag in enumerate(unseen) if flag and is_text(row[column])]


def is_text(cell: str) -> bool:
    """Whether a cell holds something to be read: no blank, no line, no block."""
    return bool(cell.strip()) and not "\u2500" <= cell[0] <= "\u259f" and not "\u2800" <= cell[0] <= "\u28ff"


def _blanked(row: Sequence[str], columns: Iterable[int]) -> tuple[str, ...]:
    """The cells with blanks in these columns, and in the second half of what was wide there."""
    cells = list(row)
    for column in columns:
        cells[column] = " "
        if column + 1 < len(cells) and not cells[column + 1]:
            cells[column + 1] = " "
    return tuple(cells)


def _rgb(colour: Colour, default: RGB) -> RGB:
    if isinstance(colour, int):
        return palette(colour)
    if colour == "default":
        return default
    return rgb_of(colour)


def _blend(top: RGB, bottom: RGB) -> RGB:
    red, green, blue = (round(a * _DIM + b * (1 - _DIM)) for a, b in zip(top, bottom, strict=True))
    return red, green, blue
