"""Two pictures of one screen: what differs in text, colours and attributes that an eye can see."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from copilot.core.snapshot import Style
from copilot.tui.themes import DARK, PALETTES
from copilot.tui.widgets.paint import blend, resolve
from tests.real.cells import Glyph, Picture, Row, code_points

_PALETTE = PALETTES["copilot-dark"]
_PLAIN = Style()
_MARKS = "▌▶"
"""Where there is no gutter they stand in the last column, if the program has nothing there."""
_EVIDENCE = DARK.variables["evidence"]


class Look(NamedTuple):
    foreground: str
    background: str
    bold: bool = False
    dim: bool = False
    italic: bool = False
    underline: bool = False
    strikethrough: bool = False
    reverse: bool = False
    blink: bool = False
    conceal: bool = False


class Difference(NamedTuple):
    """A cell that differs, counted from 0."""

    row: int
    column: int
    theirs: tuple[str, Look]
    ours: tuple[str, Look]

    def __str__(self) -> str:
        return f"row {self.row}, character {self.column}: {_short(self.theirs)} in tmux, {_short(self.ours)} here"


def _short(cell: tuple[str, Look]) -> str:
    set_ones = [name for name, value in cell[1]._asdict().items() if value is True]
    return " ".join([repr(cell[0]), cell[1].foreground, "on", cell[1].background, *set_ones])


def emulated_look(style: Style, text: str = "") -> Look:
    return Look(
        str(style.foreground),
        str(style.background),
        style.bold,
        style.dim,
        style.italic,
        style.underline,
        style.strikethrough,
        style.reverse,
        style.blink,
        style.conceal,
    )


def painted_look(style: Style, text: str = "") -> Look:
    """A style as the cockpit is to paint it: colours resolved, with dim, reverse and conceal in them; no blink."""
    foreground, background = resolve(style, _PALETTE, drawing="\u2580" <= text <= "\u259f")
    return Look(
        foreground,
        background,
        bold=style.bold,
        italic=style.italic,
        underline=style.underline,
        strikethrough=style.strikethrough,
    )


def emulated_differences(theirs: Picture, ours: Picture) -> list[Difference]:
    """All cells of our emulated screen that differ from tmux's, and its cursor."""
    found = [
        Difference(row, column, one, other)
        for row, column, one, other in _pairs(theirs, ours, emulated_look)
        if _seen(one) != _seen(other)
    ]
    if theirs.cursor != ours.cursor:
        shown = [(f"cursor {picture.cursor}", emulated_look(Style())) for picture in (theirs, ours)]
        found.append(Difference(*(theirs.cursor or (0, 0)), shown[0], shown[1]))
    return found


def painted_differences(theirs: Picture, ours: Picture, cursor_shape: int) -> list[Difference]:
    """All cells of the cockpit's terminal that differ from what tmux's are to look like there.

    The cockpit draws the cursor, and marks the rows of evidence.
    """
    found = []
    place = theirs.cursor
    at = (place[0], _index(theirs.rows[place[0]], place[1])) if place is not None else None
    for row, column, one, other in _pairs(theirs, ours, painted_look):
        allowed = _with_cursor(one, cursor_shape) if (row, column) == at else [one]
        other = _without_evidence(other)
        if _seen(other) not in map(_seen, allowed) and not (one[0] == " " and other[0] in _MARKS):
            found.append(Difference(row, column, allowed[0], other))
    return found


def _pairs(
    theirs: Picture, ours: Picture, their_look: Callable[[Style, str], Look]
) -> Iterator[tuple[int, int, tuple[str, Look], tuple[str, Look]]]:
    """Row, column, and the two cells there, each code point by itself."""
    columns = max(theirs.columns, ours.columns)
    for number, (left, right) in enumerate(zip_longest(theirs.rows, ours.rows, fillvalue=())):
        before, after = _cells(left, their_look), _cells(right, emulated_look)
        before += [(" ", their_look(_PLAIN, " "))] * (columns - len(before))
        after += [(" ", their_look(_PLAIN, " "))] * (columns - len(after))
        for column, (one, other) in enumerate(
            zip_longest(before, after, fillvalue=(" ", their_look(_PLAIN, " ")))
        ):
            yield number, column, one, other


def _cells(row: Row, look: Callable[[Style, str], Look]) -> list[tuple[str, Look]]:
    return [(glyph.text, look(glyph.style, glyph.text)) for glyph in code_points(row)]


def _seen(cell: tuple[str, Look]) -> tuple[str, Look]:
    """The cell without what cannot be seen of a blank."""
    text, look = cell
    if text != " " or look.reverse or look.underline or look.strikethrough:
        return cell
    return text, Look("", look.background)


def _without_evidence(cell: tuple[str, Look]) -> tuple[str, Look]:
    if cell[1].background != _EVIDENCE:
        return cell
    return cell[0], cell[1]._replace(background=_PALETTE.background)


def _with_cursor(cell: tuple[str, Look], shape: int) -> list[tuple[str, Look]]:
    """How the cell under the cursor may look: by its shape, and between two blinks."""
    text, look = cell
    front, behind = _PALETTE.foreground, _PALETTE.background
    if shape in (3, 4):
        shown = [(text, look._replace(foreground=front, underline=True, bold=True))]
    elif shape in (5, 6) and text == " ":
        shown = [("▏", look._replace(foreground=front))]
    elif shape in (5, 6):
        shown = [(text, look._replace(background=blend(front, behind, 0.4)))]
    else:
        shown = [(text, look._replace(foreground=behind, background=front))]
    return [*shown, cell] if shape in (1, 3, 5) else shown


def _index(row: Sequence[Glyph], column: int) -> int:
    """Which code point of the row stands in this column."""
    at = index = 0
    for glyph in row:
        if at + glyph.width > column:
            return index
        at += glyph.width
        index += len(glyph.text)
    return index + column - at
