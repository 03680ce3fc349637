"""Looking at what was: scrollback, search and selection, all on a frozen view while the child goes on."""

from __future__ import annotations

from collections.abc import Sequence

from copilot.screen.rows import Picture
from copilot.tui.bridge import LiveSession
from copilot.tui.widgets.frozen import FrozenView
from copilot.tui.widgets.links import Link, link_at, links_in
from copilot.tui.widgets.paint import Runs, laid_over
from copilot.tui.widgets.search import Search
from copilot.tui.widgets.terminal_picture import TerminalPicture, regions


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


class LookingBack(TerminalPicture, inherit_bindings=False):
    """The picture, with a frozen view in its place while a person scrolls, searches or selects."""

    def __init__(self, session: LiveSession, *, id: str | None = None) -> None:
        super().__init__(session, id=id)
        self.selection = TextSelection()
        self.search: Search | None = None
        self.typing_search = False
        """Whether keys go to the search text."""
        self.turned_back = False
        """Whether the wheel, not a key, led back: then what is typed is meant for the child."""
        self._frozen: FrozenView | None = None
        self._hovered: Link | None = None

    # The frozen view

    @property
    def scrolling(self) -> bool:
        """Whether a person looks back."""
        return self._frozen is not None and (self._frozen.back > 0 or self.search is not None)

    @property
    def how_far_back(self) -> str:
        """In words; empty at the newest line."""
        frozen = self._frozen
        return f"{frozen.back} of {frozen.most_back} lines back" if frozen and frozen.back else ""

    def freeze(self) -> FrozenView:
        """From now on the rows as they are; the same view if it is frozen already."""
        if self._frozen is None:
            self._frozen = FrozenView(self.session.screen, self.size.height)
        return self._frozen

    def scroll_back(self, *, lines: int = 0, pages: int = 0) -> bool:
        """Move the view back (or on, if negative). False if nothing has scrolled off."""
        if self._frozen is None and not self.session.screen.scrollback:
            return False
        frozen = self.freeze()
        frozen.move(lines + pages * max(1, self.size.height - 1))
        self.selection.clear()
        if not self.scrolling:
            self.stop_scrolling()
        self.refresh()
        return True

    def look_back(self) -> bool:
        """Freeze the view and move it a page back. False if nothing stands above; then all is as it was."""
        self.turned_back = False
        self.scroll_back(pages=1)
        return self.scrolling

    def stop_scrolling(self) -> None:
        """Back to the live screen."""
        if self._frozen is not None:
            self._frozen = self.search = None
            self.typing_search = self.turned_back = False
            self.selection.clear()
            self._shown.clear()
            self.refresh()

    def size_changes(self) -> None:
        """A frozen view is of the old size."""
        self.hover(None)
        self.stop_scrolling()

    def frozen_picture(self, y: int) -> Picture | None:
        """What stands at line `y` of the frozen view."""
        return None if self._frozen is None else self._frozen.line(y)

    # Search

    def open_search(self) -> None:
        """Keys go to the search text from now on; what was searched for before is kept until then."""
        self.selection.clear()
        if self.search is None:
            self.search = Search(self.freeze())
        self.typing_search = True
        self.refresh()

    def close_search_text(self) -> None:
        """The text stands: keys move among the matches. Without a text, back to the live screen."""
        self.typing_search = False
        if self.search is None or not self.search.query:
            self.stop_scrolling()

    def look_for(self, text: str) -> None:
        """Search for `text` instead."""
        if self.search is not None:
            self.search.look_for(text)
            self.refresh()

    def step_search(self, by: int) -> bool:
        """To another match, upwards if negative. True if the search went round an end."""
        went_round = self.search is not None and self.search.step(by)
        self.refresh()
        return went_round

    # What stands where

    def row_at(self, y: int) -> Picture | None:
        """The picture at line `y` of what is shown."""
        if not 0 <= y < min(self.size.height, self.session.screen.lines):
            return None
        frozen = self.frozen_picture(y)
        return self._picture(y) if frozen is None else frozen

    def last_written_line(self) -> int:
        """The line of the window where the last text of what is shown stands; -1 if there is none."""
        rows = (self.row_at(y) for y in range(self.size.height))
        written = [y for y, row in enumerate(rows) if row is not None and row.text.strip()]
        return self.region.y + written[-1] if written else -1

    # Links

    def link_under(self, line: int, column: int) -> Link | None:
        """The link at a cell of the view."""
        return link_at(self.row_at, line, column)

    def links_shown(self) -> list[Link]:
        """The links in view, as one reads them."""
        return links_in(self.row_at, range(self.size.height))

    def hover(self, link: Link | None) -> bool:
        """Show which cells are the link under the pointer. True if it is another one than before."""
        old, self._hovered = self._hovered, link
        if old == link:
            return False
        rows = {piece.row for one in (old, link) if one is not None for piece in one.pieces}
        self.refresh(*regions(rows, self.size.width))
        return True

    # Painting

    def lay_more(self, runs: Runs | None, picture: Picture, y: int) -> Runs | None:
        """Matches, the link under the pointer, the selection."""
        spans = []
        if self.search is not None and self._frozen is not None:
            here, other = self.overlays.current_match, self.overlays.match
            found = self.search.spans(self._frozen.first + y)
            spans += [(start, end, here if current else other) for start, end, current in found]
        if self._hovered is not None:
            pieces = self._hovered.pieces
            spans += [(piece.start, piece.end, self.overlays.link) for piece in pieces if piece.row == y]
        if span := self.selection.span(y, len(picture.characters)):
            spans.append((*span, self.overlays.selected))
        for start, end, overlay in spans:
            runs = laid_over(self._painter.runs(picture) if runs is None else runs, start, end, overlay)
        return runs
