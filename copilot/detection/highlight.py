"""What is lit: how brightly words are drawn, on which ground, and whether a list is live, not its picture.

Dialogs that are quoted in an answer or a file carry a pointer too, but their rows all look alike.
"""

from __future__ import annotations

from copilot.core.snapshot import Style
from copilot.detection.choices import Choices
from copilot.detection.rows import RowKind, Rows


def is_lit(rows: Rows, choices: Choices) -> bool:
    """Whether the row of the pointer has colours or weight of its own within the list."""
    pointed = choices.pointer_row
    if pointed is None:
        return False
    own = _look(rows, pointed)
    others = [
        _look(rows, row)
        for row in range(choices.first_row, choices.last_row + 1)
        if row != pointed and rows.kinds[row] is RowKind.TEXT
    ]
    return own is not None and bool(others) and own not in others


def _look(rows: Rows, row: int) -> Style | None:
    """How the label is drawn, behind pointer and number: those are often coloured by themselves."""
    styles = rows.styles_of(row, rows.indent(row), len(rows.texts[row]))
    return styles[min(3, len(styles) - 1)] if styles else None


def brightness_of(rows: Rows, row: int, start: int, end: int) -> int:
    """How much the first of these characters is highlighted; a number to compare with others of the row."""
    styles = rows.styles_of(row, start, end)
    style = styles[0] if styles else Style()
    marks = (
        style.foreground != "default",
        style.bold,
        style.underline,
        style.background != "default",
        style.reverse,
    )
    return sum(1 << n for n, mark in enumerate(marks) if mark) - (32 if style.dim else 0)


_TEXT_COLOURS = frozenset({"default", "white", "brightwhite", "7", "15"})


def is_hint(style: Style) -> bool:
    """Whether it is drawn otherwise than plain text, as hints and placeholders are."""
    return style.dim or str(style.foreground) not in _TEXT_COLOURS


def ground_of(style: Style) -> tuple[bool, object]:
    """The ground of a cell: whether its colours are reversed, and the colour behind it."""
    return (style.reverse, style.foreground if style.reverse else style.background)
