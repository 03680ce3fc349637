"""An empty input field of a program that no profile describes: found by how input boxes look everywhere.

The cursor, the terminal's or a drawn one, stands behind at most one prompt mark, in a box, between two rules
or on a band of another background. Nothing was typed: what follows is drawn as a hint. What stands above it
in the same box, or in a box around it, would be a question.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from copilot.core.snapshot import Style
from copilot.detectors.patterns import compiled
from copilot.detectors.rows import RowKind, Rows

_BEFORE_CURSOR = compiled(r"^\s*(?:[>*]|[^\x00-\x7f\pL\pN])?\s{0,2}$")
"""At most one prompt mark. Other marks of ASCII, such as `/` and `!`, are typed: they open a command."""
_TYPED_COLOURS = frozenset({"default", "white", "brightwhite", "7", "15"})
_EDGES = (RowKind.RULE, RowKind.TOP, RowKind.BOTTOM)
_MAX_BOX = 12
_MAX_GAP = 2
"""Blank rows between the field and the edge of a box without sides."""
_MAX_FOOTER = 8


@dataclass(frozen=True, slots=True)
class InputField:
    """Where the field stands: its own row, and the first and last row of its box."""

    row: int
    top: int
    bottom: int


def find_input_field(rows: Rows) -> InputField | None:
    """The empty field with the cursor, None if there is none or something was typed into it."""
    for row, column in _cursors(rows):
        if not _is_empty(rows, row, column):
            continue
        box = _bordered(rows, row) or _banded(rows, row)
        if box is None:
            continue
        top, bottom = box
        below = rows.text_between(bottom + 1, len(rows) - 1)
        if not rows.text_between(top, row - 1) and len(below) <= _MAX_FOOTER:
            return InputField(row, top, bottom)
    return None


def _cursors(rows: Rows) -> Iterator[tuple[int, int]]:
    """The terminal's cursor, then single cells that are drawn otherwise than their row, the lowest first."""
    cursor = rows.snapshot.cursor
    if cursor.row < len(rows):
        yield cursor.row, cursor.column
    for row in range(len(rows) - 1, -1, -1):
        styles = rows.snapshot.styles[row]
        for drawn in (
            [column for column, style in enumerate(styles) if style.reverse],
            [column for column, style in enumerate(styles) if style.background != styles[-1].background],
        ):
            if len(drawn) == 1:
                yield row, drawn[0]


def _is_empty(rows: Rows, row: int, column: int) -> bool:
    if not _BEFORE_CURSOR.search(rows.texts[row][:column]):
        return False
    styles = rows.snapshot.styles[row]
    characters = rows.snapshot.characters[row]
    text = rows.columns_of(row, column, len(rows.texts[row]))
    ink = [at for at in text if characters[at].strip()]
    if len(ink) > 1 and ink[0] == column and _drawn_otherwise(rows, row, column):
        ink = ink[1:]  # a drawn cursor has its own colours over the first letter of the hint
    return all(_is_hint(styles[at]) for at in ink)


def _drawn_otherwise(rows: Rows, row: int, column: int) -> bool:
    styles = rows.snapshot.styles[row]
    return styles[column].reverse or styles[column].background != styles[-1].background


def _is_hint(style: Style) -> bool:
    return style.dim or str(style.foreground) not in _TYPED_COLOURS


def _bordered(rows: Rows, row: int) -> tuple[int, int] | None:
    """The rows between the edges of its box, those left out. A bar at the left of each row is a frame too."""
    top, bottom = row, row
    while top > 0 and _goes_on(rows, top - 1, row):
        top -= 1
    while bottom + 1 < len(rows) and _goes_on(rows, bottom + 1, row):
        bottom += 1
    closed = bottom + 1 < len(rows) and rows.kinds[bottom + 1] in _EDGES
    opened = rows.framed[row] or (top > 0 and rows.kinds[top - 1] in _EDGES)
    within_another = top > 0 and rows.framed[top - 1]
    fits = closed and opened and not within_another and bottom - top < _MAX_BOX
    return (top, bottom) if fits else None


def _goes_on(rows: Rows, other: int, row: int) -> bool:
    """Whether another row lies in the box of the field at `row`: in one without sides only blank ones do."""
    if rows.framed[row]:
        return rows.same_frame(other, row) and rows.kinds[other] not in _EDGES
    return rows.kinds[other] is RowKind.BLANK and abs(other - row) <= _MAX_GAP


def _banded(rows: Rows, row: int) -> tuple[int, int] | None:
    """The rows that share its background, if that is another one than that of the rows around."""
    background = _background(rows, row)
    if background in (None, "default"):
        return None
    top = bottom = row
    while top > 0 and _background(rows, top - 1) == background:
        top -= 1
    while bottom + 1 < len(rows) and _background(rows, bottom + 1) == background:
        bottom += 1
    return (top, bottom) if bottom - top < _MAX_BOX else None


def _background(rows: Rows, row: int) -> object:
    """The one background of a row, a drawn cursor aside; None if there are several."""
    found = {style.background for style in rows.snapshot.styles[row] if not style.reverse}
    return found.pop() if len(found) == 1 else None
