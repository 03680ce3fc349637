"""Places in the text of a line that may run over several rows, as cells of those rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from copilot.screen.rows import Picture


class Piece(NamedTuple):
    """Cells `start` up to `end` of row `row`."""

    row: int
    start: int
    end: int


def pieces_of(start: int, end: int, lengths: Sequence[int], first_row: int) -> list[Piece]:
    """Characters `start` up to `end` of the joined text, as characters of its rows, which have `lengths`."""
    pieces, begin = [], 0
    for number, length in enumerate(lengths):
        left, right = max(start, begin), min(end, begin + length)
        if left < right:
            pieces.append(Piece(first_row + number, left - begin, right - begin))
        begin += length
    return pieces


def in_cells(piece: Piece, picture: Picture) -> Piece:
    """The piece in columns instead of characters: wide characters take two, clusters are several in one."""
    if picture.plain:
        return piece
    start = end = None
    place = 0
    for column, cell in enumerate(picture.characters):
        if start is None and place + len(cell) > piece.start:
            start = column
        if place < piece.end or (cell == "" and end == column):
            end = column + 1
        place += len(cell)
    return Piece(piece.row, start or 0, end or 0)
