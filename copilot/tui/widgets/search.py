"""`Search`: where a text stands in a frozen view, newest first, and which of the places is looked at."""

from __future__ import annotations

from bisect import bisect_right

from copilot.tui.widgets.frozen import FrozenView
from copilot.tui.widgets.links import Piece, in_cells, pieces_of

MOST_MATCHES = 10_000
"""Of more matches the newest are kept."""


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
        """Go `by` matches on, upwards if negative, round the ends. True if it went round one."""
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
