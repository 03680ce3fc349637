"""Looking at what was: frozen rows, a selection in them, a search over them. No widgets."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from copilot.screen import TerminalScreen
from copilot.screen.rows import PackedRow, Picture, Row, unpacked
from copilot.tui.widgets.links import Piece, in_cells, pieces_of

_MOST_PICTURES = 500
MOST_MATCHES = 10_000
"""Of more matches the newest are kept."""


class FrozenView:
    """Scrollback and screen as they were when a person began to look back, select or search.

    Rows count from the oldest (0) to the last of the screen; `back` is how far the view is above the end.
    The child goes on meanwhile. Old rows are taken as they are kept, packed or not, and a picture is made
    only of those that are shown.
    """

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
        return self.picture(min(self.first + y, len(self._rows) - 1))

    def picture(self, number: int) -> Picture:
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


class TextSelection:
    """Cells are (line, column) of the view, from 0; the cell under the pointer belongs to the selection."""

    def __init__(self) -> None:
        self.dragging = False
        self._from: tuple[int, int] | None = None
        self._to: tuple[int, int] | None = None

    @property
    def there(self) -> bool:
        return self._from is not None and self._to is not None

    def start(self, line: int, column: int) -> None:
        self.dragging, self._from, self._to = True, (line, column), None

    def extend(self, line: int, column: int) -> None:
        self._to = (line, column)

    def stop(self) -> None:
        self.dragging = False

    def clear(self) -> None:
        self.dragging, self._from, self._to = False, None, None

    def span(self, line: int, columns: int) -> tuple[int, int] | None:
        """First column and the one after the last that are selected in `line`."""
        if self._from is None or self._to is None:
            return None
        first, last = sorted((self._from, self._to))
        if not first[0] <= line <= last[0]:
            return None
        start = first[1] if line == first[0] else 0
        end = last[1] + 1 if line == last[0] else columns
        return start, end

    def text(self, rows: Sequence[Sequence[str]]) -> str:
        """The selected text; blanks at the ends of lines are cut off."""
        lines = []
        for number, characters in enumerate(rows):
            span = self.span(number, len(characters))
            if span is not None:
                lines.append("".join(characters[span[0] : span[1]]).rstrip())
        return "\n".join(lines)


class Search:
    """Upper and lower case are one as long as the text has no capitals. A match may run over wrapped rows."""

    def __init__(self, view: FrozenView) -> None:
        self._view = view
        self._matches: list[tuple[Piece, ...]] = []
        """From the oldest; the pieces of one match from top to bottom, in characters."""
        self._by_row: dict[int, list[int]] = {}
        self._current: int | None = None
        self.query = ""
        self.more = False
        """Whether there are more matches than are kept."""

    def look_for(self, query: str) -> None:
        """Find all places of `query`; the one looked at is the last in view or above it, else the newest."""
        bottom = self._view.first + self._view.height - 1
        if self._current is not None:
            bottom = self._matches[self._current][0].row
        self.query, self._matches, self._by_row, self._current = query, [], {}, None
        self.more = False
        if not query:
            return
        self._find_all(query)
        for number, match in enumerate(self._matches):
            for piece in match:
                self._by_row.setdefault(piece.row, []).append(number)
        if self._matches:
            above = bisect_right(self._matches, bottom, key=lambda match: match[0].row)
            self._current = (above or len(self._matches)) - 1
            self._show()

    def step(self, by: int) -> bool:
        """Go `by` matches on, upwards if negative. True if it wrapped."""
        if self._current is None:
            return False
        wanted = self._current + by
        self._current = wanted % len(self._matches)
        self._show()
        return self._current != wanted

    @property
    def count(self) -> str:
        """Which match of how many, counted from the newest."""
        if self._current is None:
            return "nothing found" if self.query else ""
        total = len(self._matches)
        return f"{total - self._current} of {total}{'+' if self.more else ''}"

    def spans(self, row: int) -> list[tuple[int, int, bool]]:
        """Cells of `row` that belong to matches: start, end, whether of the one that is looked at."""
        numbers = self._by_row.get(row)
        if numbers is None:
            return []
        picture = self._view.picture(row)
        spans = []
        for number in numbers:
            for piece in self._matches[number]:
                if piece.row == row:
                    cells = in_cells(piece, picture)
                    spans.append((cells.start, cells.end, number == self._current))
        return spans

    def _show(self) -> None:
        assert self._current is not None
        self._view.show(self._matches[self._current][0].row)

    def _find_all(self, query: str) -> None:
        view, exact = self._view, query != query.lower()
        row = len(view) - 1
        while row >= 0:
            last = row
            while row and view.wrapped(row - 1):
                row -= 1
            texts = [view.text(number) for number in range(row, last + 1)]
            text = "".join(texts)
            if not exact:
                text = lowered(text)
            if query in text:
                self._matches += reversed(_places(text, query, [len(part) for part in texts], row))
                if len(self._matches) >= MOST_MATCHES:
                    self.more = row > 0
                    break
            row -= 1
        self._matches.reverse()


def _places(text: str, query: str, lengths: list[int], row: int) -> list[tuple[Piece, ...]]:
    places, start = [], text.find(query)
    while start >= 0:
        end = start + len(query)
        places.append(tuple(pieces_of(start, end, lengths, row)))
        start = text.find(query, end)
    return places


def lowered(text: str) -> str:
    """In lower case, of the same length (a few letters have longer ones)."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join([low if len(low := letter.lower()) == 1 else letter for letter in text])
