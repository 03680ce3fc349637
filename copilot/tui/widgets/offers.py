"""A line of offers: a key and its word each, and each can be clicked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from copilot.tui.widgets.showing import show_content


@dataclass(frozen=True, slots=True)
class KeyHint:
    """One offer: key, word, the action's id."""

    key: str
    word: str
    action: str

    @property
    def cells(self) -> int:
        """The columns that it takes, the gap behind it included."""
        return len(self.key) + 1 + len(self.word) + 2


class OfferLine(Static):
    """One line of what `show_offers` is given. Says `Chosen` when one is clicked."""

    @dataclass
    class Chosen(Message):
        """An offer was clicked."""

        action: str

    _spans: tuple[tuple[int, int, str], ...] = ()

    def show_offers(self, before: Iterable[Content], offers: Iterable[KeyHint]) -> None:
        """Show `before`, then the offers."""
        parts = list(before)
        used = sum(part.cell_length for part in parts)
        spans = []
        for offer in offers:
            cell = Content.assemble((offer.key, "bold $primary"), f" {offer.word}  ")
            spans.append((used, used + cell.cell_length - 2, offer.action))
            used += cell.cell_length
            parts.append(cell)
        self._spans = tuple(spans)
        show_content(self, Content.assemble(*parts), layout=False)

    def on_click(self, event: events.Click) -> None:
        """Choose the offer under the pointer."""
        for start, end, action in self._spans:
            if start <= event.x < end:
                self.post_message(self.Chosen(action))
