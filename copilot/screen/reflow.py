"""Wrapping rows again for another width. Soft wraps (`Row.wrapped`) are undone first."""

from __future__ import annotations

from collections.abc import Sequence

from copilot.screen.rows import SPACER, Row
from copilot.screen.styles import DEFAULT, TextStyle

Place = tuple[int, int]
"""A row and a column."""


def reflow(rows: Sequence[Row], old: int, new: int, places: Sequence[Place]) -> tuple[list[Row], list[Place]]:
    """The rows wrapped at `new` columns instead of `old`, and where each of `places` has gone."""
    result: list[Row] = []
    moved = list(places)
    start = 0
    while start < len(rows):
        end = start
        while end < len(rows) - 1 and rows[end].wrapped:
            end += 1
        line = rows[start : end + 1]
        here = [number for number, (row, _column) in enumerate(places) if start <= row <= end]
        first = len(result)
        if start == end and len(line[0].chars) <= new and not line[0].wrapped:
            result.append(line[0])
            lengths = [len(line[0].chars)]
        else:
            chunks = _wrapped(*_joined(line, old, new), new, line[-1].wrapped)
            result += chunks
            lengths = [_length(chunk, new) for chunk in chunks]
        for number in here:
            row, column = places[number]
            offset = column + sum(_length(line[n], old) for n in range(row - start))
            moved[number] = _place(first, offset, lengths, new)
        start = end + 1
    return result, moved


def _length(row: Row, old: int) -> int:
    """The cells that a wrapped row gives to its line."""
    return old - (len(row.chars) == old and row.chars[-1] is SPACER)


def _joined(line: Sequence[Row], old: int, new: int) -> tuple[list[str], list[TextStyle]]:
    """The cells of rows that are one line. Blanks at its very end that no longer fit are dropped."""
    chars: list[str] = []
    styles: list[TextStyle] = []
    for row in line[:-1]:
        length = _length(row, old)
        missing = [" "] * (length - len(row.chars))
        chars += row.chars[:length] + missing
        styles += row.styles[:length] + [DEFAULT] * len(missing)
    chars += line[-1].chars
    styles += line[-1].styles
    blank = len(chars)
    while blank > new and chars[blank - 1] == " ":
        blank -= 1
    if blank < len(chars):
        blank = max(blank, min(-(-blank // new) * new, len(chars)))
    return chars[:blank], styles[:blank]


def _wrapped(chars: list[str], styles: list[TextStyle], new: int, runs_on: bool) -> list[Row]:
    """Cells as rows of at most `new` columns."""
    if new == 1:
        narrow = [n for n in range(len(chars)) if chars[n] and chars[n + 1 : n + 2] != [""]]
        chars, styles = [chars[n] for n in narrow], [styles[n] for n in narrow]
    rows: list[Row] = []
    start = 0
    while start < len(chars) or not rows:
        end = start + new
        spacer = end < len(chars) and chars[end] == ""
        if spacer:
            end -= 1
        row = Row(chars[start:end], styles[start:end])
        row.plain = all(len(cell) == 1 for cell in row.chars)
        if spacer:
            row.chars.append(SPACER)
            row.styles.append(styles[end])
        row.wrapped = end < len(chars) or runs_on
        rows.append(row)
        start = end
    return rows


def _place(first: int, offset: int, lengths: list[int], new: int) -> Place:
    """Where the cell `offset` of a line is; the line's rows begin at row `first`."""
    for number, length in enumerate(lengths[:-1]):
        if offset < length:
            return first + number, offset
        offset -= length
    return first + len(lengths) - 1, min(offset, new)
