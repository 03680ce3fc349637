"""`RowStrip`: the Strip of a terminal row, made without what only other widgets need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.segment import Segment
from rich.style import Style as RichStyle
from textual.strip import Strip


class RowStrip(Strip):
    """Its ANSI text is made with it. Its segments, and the nine caches of a Strip, exist only once something
    asks for them: a dialog over the terminal, a filter, a picture. A frame of the terminal itself never does.
    """

    __slots__ = ("_pieces",)

    def __init__(self, pieces: list[tuple[str, RichStyle]], cells: int, ansi: str) -> None:
        self._pieces = pieces
        self._cell_length = cells
        self._render_cache = ansi

    def __getattr__(self, name: str) -> Any:
        """Called for slots that are empty yet."""
        if name not in Strip.__slots__:
            raise AttributeError(name)
        ansi = self._render_cache
        super().__init__([Segment(text, style) for text, style in self._pieces], self._cell_length)
        self._render_cache = ansi
        return object.__getattribute__(self, name)

    def divide(self, cuts: Iterable[int]) -> Sequence[Strip]:
        """As a Strip does. The usual cut is at the end, and leaves it whole."""
        cuts = list(cuts)
        return [self] if cuts == [self._cell_length] else super().divide(cuts)
