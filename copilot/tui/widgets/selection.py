"""`TextSelection`: from one cell to another, line by line, as terminals select."""

from __future__ import annotations

from collections.abc import Sequence


class TextSelection:
    """Cells are (line, column) of the view, from 0; the cell under the pointer belongs to the selection."""

    def __init__(self) -> None:
        self.dragging = False
        self._from: tuple[int, int] | None = None
        self._to: tuple[int, int] | None = None

    @property
    def there(self) -> bool:
        """Whether anything is selected."""
        return self._from is not None and self._to is not None

    def start(self, line: int, column: int) -> None:
        """The button went down here."""
        self.dragging, self._from, self._to = True, (line, column), None

    def extend(self, line: int, column: int) -> None:
        """The pointer is here now."""
        self._to = (line, column)

    def stop(self) -> None:
        """The button went up."""
        self.dragging = False

    def clear(self) -> None:
        """Nothing is selected any more."""
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
