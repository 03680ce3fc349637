"""Old rows, packed: the text and the runs of styles, a twelfth of what cells in two lists take."""

from __future__ import annotations

from itertools import chain, groupby, repeat

from copilot.screen.rows import Row
from copilot.screen.styles import TextStyle


class PackedRow:
    """A row that nobody looks at."""

    __slots__ = ("plain", "runs", "text", "wrapped")

    def __init__(self, row: Row) -> None:
        self.plain = row.plain
        self.wrapped = row.wrapped
        self.text = ("" if row.plain else "\0").join(row.chars)
        styles = row.styles
        self.runs: TextStyle | tuple[tuple[TextStyle, int], ...]
        if styles and styles.count(styles[0]) == len(styles):
            self.runs = styles[0]
        else:
            self.runs = tuple((style, len(list(run))) for style, run in groupby(styles))

    def unpack(self) -> Row:
        """The row as it was."""
        chars = list(self.text) if self.plain else self.text.split("\0")
        if isinstance(self.runs, TextStyle):
            styles = [self.runs] * len(chars)
        else:
            styles = list(chain.from_iterable(repeat(style, length) for style, length in self.runs))
        row = Row(chars, styles)
        row.plain = self.plain
        row.wrapped = self.wrapped
        return row


def unpacked(row: Row | PackedRow) -> Row:
    return row if isinstance(row, Row) else row.unpack()
