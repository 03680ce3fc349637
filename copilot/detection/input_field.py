"""The empty input field of a program that no profile describes, found by how input boxes look everywhere.

The cursor, the terminal's or a drawn one, is behind at most one prompt mark or a placeholder, in a box,
between two rules or on a band of another background. Nothing was typed: what else is in the row is drawn as a
hint. What is above it in the same box, or in a box around it, would be a question.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from copilot.core.snapshot import Colour, Style
from copilot.detection.highlight import is_hint
from copilot.detection.patterns import compiled
from copilot.detection.rows import RowKind, Rows

_LEAD = compiled(r"^\s*(?:[>*]|[^\x00-\x7f\pL\pN█▉▊▋▌▍▎▏])?\s{0,2}")
"""At most one prompt mark. Other marks of ASCII, such as `/` and `!`, are typed: they open a command."""
_BLOCKS = "█▉▊▋▌▍▎▏"
"""Drawn as a cursor."""
_GREY = frozenset({"brightblack", "8"})
_MOST_TINT, _LEAST_CONTRAST = 24, 0.45
"""A colour is grey if its parts differ by no more; faint if it differs from its ground by less."""
_FAINT_ON_ANY = (0.2, 0.62)
"""Between black and white, where the ground is not known."""
_EDGES = (RowKind.RULE, RowKind.TOP, RowKind.BOTTOM)
_MAX_BOX = 12
_MAX_GAP = 2
"""Blank rows between the field and the edge of a box without sides."""
_MAX_FOOTER = 8
_HINT_ROWS = 2
"""Rows above the box that may name its keys."""
_KEY_HINTS = compiled(
    r"(?i)\?\s+(?:for\s+)?(?:shortcuts|help)\b"
    r"|(?:\b(?:enter|return)|[⏎↵])\s+(?:to\s+)?(?:send|submit)\b"
    r"|(?:^|\s)/\s?(?:for\s+)?(?:commands?|help)\b|(?:^|\s)@\s?(?:for|to|path|files?)\b"
    r"|\bctrl\s?[+-]\s?[a-z]\s+(?:for\s+)?(?:commands?|menu|help|palette)\b"
    r"|\bshift\s?\+\s?tab\b|\bfor newline\b"
    r"|\b\d+(?:\.\d+)?%\s?(?:/\s?\d|(?:of )?context|left\b)"
)
"""What composers name in the rows around them: their keys, and how full the context is."""


@dataclass(frozen=True, slots=True)
class InputField:
    """The place of the field: its row, the column where text begins, first and last row of its box."""

    row: int
    column: int
    top: int
    bottom: int
    cue: str = ""
    """What says that it takes text: a prompt mark, a placeholder, the keys of a composer; else empty."""
    faint: bool = False
    """What is written in it is a placeholder beyond doubt: all of it is faint."""


def find_input_field(rows: Rows) -> InputField | None:
    """The empty field with the cursor, None if there is none or something was typed into it."""
    for row, column in _cursors(rows):
        start = _start(rows, row, column)
        if start is None:
            continue
        box = _bordered(rows, row) or _banded(rows, row) or _barred(rows, row)
        if box is None:
            continue
        if _is_last(rows, box[1]) and not rows.text_between(box[0], row - 1):
            field = InputField(row, start, *box)
            ink = _ink(rows, row, start)
            return replace(field, cue=_cue(rows, field), faint=all(_is_faint(style) for style in ink))
    return _without_cursor(rows)


def _without_cursor(rows: Rows) -> InputField | None:
    """The lowest row in a box that holds a prompt mark and a faint placeholder, where no cursor is drawn."""
    if rows.snapshot.cursor.visible:
        return None
    for row in reversed(rows.text_rows):
        start = int(_LEAD.search(rows.texts[row]).end())
        ink = _ink(rows, row, start) if rows.texts[row][:start].strip() else []
        box = _bordered(rows, row) if ink and all(_is_faint(style) for style in ink) else None
        if box is not None and _is_last(rows, box[1]) and not rows.text_between(box[0], row - 1):
            return InputField(row, start, *box, cue="a placeholder", faint=True)
    return None


def _is_last(rows: Rows, bottom: int) -> bool:
    """Whether no more than a footer follows the box."""
    return len(rows.text_between(bottom + 1, len(rows) - 1)) <= _MAX_FOOTER


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
            [column for column, text in enumerate(rows.texts[row]) if text in _BLOCKS],
        ):
            if len(drawn) == 1:
                yield row, drawn[0]


def _start(rows: Rows, row: int, column: int) -> int | None:
    """Where text begins in an empty field with the cursor there; None if something was typed.

    The cursor is behind the prompt mark, or behind a placeholder that is drawn dim.
    """
    text = rows.texts[row]
    start = int(_LEAD.search(text).end())
    if column <= start or not text[start:column].strip():
        if _LEAD.search(text[:column]).end() != min(column, len(text)):
            return None
        behind = _ink(rows, row, column)
        return column if all(is_hint(style) for style in behind) else None
    drawn = not rows.snapshot.cursor.visible and not _ink(rows, row, column)
    return start if drawn and all(_is_dim(style) for style in rows.styles_of(row, start, column)) else None


def _ink(rows: Rows, row: int, column: int) -> list[Style]:
    """The styles of the text from a column on, without the drawn cursor."""
    styles, characters = rows.snapshot.styles[row], rows.snapshot.characters[row]
    text = rows.columns_of(row, column, len(rows.texts[row]))
    ink = [at for at in text if characters[at].strip()]
    if ink and ink[0] == column and _drawn_cursor(rows, row, column, alone=len(ink) == 1):
        ink = ink[1:]
    return [styles[at] for at in ink]


def _drawn_cursor(rows: Rows, row: int, column: int, alone: bool) -> bool:
    """Whether the cell is a cursor, which has its own colours over the first letter of the hint."""
    styles = rows.snapshot.styles[row]
    if rows.snapshot.characters[row][column] in _BLOCKS:
        return True
    return not alone and (styles[column].reverse or styles[column].background != styles[-1].background)


def _is_dim(style: Style) -> bool:
    return style.dim or str(style.foreground) in _GREY


def _is_faint(style: Style) -> bool:
    """Whether it is drawn in a grey that is nearer to its ground than to the colour of text."""
    return _is_dim(style) or _is_faint_grey(style.foreground, style.background)


def _is_faint_grey(foreground: Colour, background: Colour) -> bool:
    ink, ground = _parts(foreground), _parts(background)
    if ink is None or max(ink) - min(ink) > _MOST_TINT:
        return False
    light = sum(ink) / 765
    if ground is None:
        return _FAINT_ON_ANY[0] < light < _FAINT_ON_ANY[1]
    return abs(light - sum(ground) / 765) < _LEAST_CONTRAST


def _parts(colour: Colour) -> tuple[int, ...] | None:
    text = str(colour)
    if not text.startswith("#") or len(text) != len("#rrggbb"):
        return None
    return tuple(int(text[at : at + 2], 16) for at in (1, 3, 5))


def _cue(rows: Rows, field: InputField) -> str:
    text = rows.texts[field.row]
    if text[: _LEAD.search(text).end()].strip():
        return "a prompt mark"
    if _ink(rows, field.row, field.column):
        return "a placeholder"
    above = rows.text_between(0, field.top - 1)[-_HINT_ROWS:]
    below = [row for row in rows.text_between(field.top, len(rows) - 1) if row != field.row]
    named = any(_KEY_HINTS.search(rows.texts[row]) for row in (*above, *below))
    return "the keys of a composer" if named else ""


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


def _barred(rows: Rows, row: int) -> tuple[int, int] | None:
    """The rows beside a bar at their left, if the field is the only text there, with blank rows around."""
    if not rows.framed[row]:
        return None
    top, bottom = row, row
    while top > 0 and rows.same_frame(top - 1, row):
        top -= 1
    while bottom + 1 < len(rows) and rows.same_frame(bottom + 1, row):
        bottom += 1
    around = [other for other in (top - 1, bottom + 1) if 0 <= other < len(rows)]
    apart = all(rows.kinds[other] is RowKind.BLANK for other in around)
    alone = top < row < bottom and rows.text_between(top, bottom) == (row,)
    return (top, bottom) if apart and alone and bottom - top < _MAX_BOX else None


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
