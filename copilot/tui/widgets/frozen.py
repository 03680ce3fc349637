"""`FrozenView`: scrollback and screen as they were when a person began to look back, select or search.

The child goes on meanwhile. Old rows are taken as they are kept, packed or not, and a picture is made only of
those that are shown.
"""

from __future__ import annotations

from copilot.screen import TerminalScreen
from copilot.screen.rows import PackedRow, Picture, Row, unpacked

_MOST_PICTURES = 500


class FrozenView:
    """Rows from the oldest (0) to the last of the screen; `back` is how far the view is above the end."""

    def __init__(self, screen: TerminalScreen, height: int) -> None:
        self._columns = screen.columns
        self._rows: list[Row | PackedRow | Picture] = [
            *screen.scrollback,
            *(screen.visible_row(line).picture_of(screen.columns) for line in range(screen.lines)),
        ]
        self.height = height
        self._pictures: dict[int, Picture] = {}
        self.back = 0

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def first(self) -> int:
        """The number of the row at the top of the view."""
        return max(0, len(self._rows) - self.height - self.back)

    @property
    def most_back(self) -> int:
        """How far back the oldest row is."""
        return max(0, len(self._rows) - self.height)

    def move(self, lines: int) -> None:
        """Further back, or on if negative; never past an end."""
        self.back = max(0, min(self.most_back, self.back + lines))

    def show(self, number: int) -> None:
        """Bring row `number` into view, to its middle if it was not in view."""
        if not self.first <= number < self.first + self.height:
            self.back = 0
            self.move(len(self._rows) - self.height - (number - self.height // 2))

    def line(self, y: int) -> Picture:
        """The picture at line `y` of the view."""
        return self.picture(min(self.first + y, len(self._rows) - 1))

    def picture(self, number: int) -> Picture:
        """The picture of row `number`."""
        row = self._rows[number]
        if isinstance(row, Picture):
            return row
        picture = self._pictures.get(number)
        if picture is None:
            if len(self._pictures) >= _MOST_PICTURES:
                self._pictures.clear()
            picture = self._pictures[number] = unpacked(row).picture_of(self._columns)
        return picture

    def text(self, number: int) -> str:
        """The text of row `number`, blanks at its end perhaps cut off; cheap for most rows."""
        row = self._rows[number]
        if isinstance(row, Row) and row.plain:
            return "".join(row.pieces[::2] if row.length >= 0 else row.cells)
        return row.text if isinstance(row, PackedRow) and row.plain else self.picture(number).text

    def wrapped(self, number: int) -> bool:
        """Whether row `number` runs on into the next."""
        return self._rows[number].wrapped
