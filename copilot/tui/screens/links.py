"""The question before a link is opened: which one, and where it leads."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from copilot.tui.mouse import pickable
from copilot.tui.screens.dialog import Choice
from copilot.tui.text import outside_line
from copilot.tui.widgets.links import Link

_EDGE_CELLS = 6
"""Frame, padding and scroll bar."""


def link_lines(links: Sequence[Link], chosen: int, width: int) -> list[Content]:
    """Each with its text and, where that is another, its address; the chosen one in full."""
    return [
        pickable(_link_line(link, width, chosen=number == chosen), number)
        for number, link in enumerate(links)
    ]


def _link_line(link: Link, width: int, *, chosen: bool) -> Content:
    mark = Content.styled("▸ ", "bold $primary") if chosen else Content("  ")
    lines = [mark + _address(link.address, chosen=chosen)]
    if link.text != link.address:
        leads = Content.styled("    leads to ", "$quiet")
        lines = [
            mark + outside_line(link.text, "bold" if chosen else ""),
            leads + lines[0][len(mark.plain) :],
        ]
    if not chosen:
        lines = [line.truncate(width, ellipsis=True) for line in lines]
    return Content("\n").join(lines)


def _address(address: str, *, chosen: bool) -> Content:
    """The host is emphasised: what comes before or behind it can be made to look like another."""
    netloc = urlsplit(address).netloc
    start = address.index(netloc) + len(netloc) - len(netloc.rpartition("@")[2])
    host = urlsplit(address).hostname or ""
    start = address.lower().index(host, start)
    end = start + len(host)
    return Content.assemble(
        outside_line(address[:start], "$quiet"),
        outside_line(address[start:end], "bold $warning" if chosen else ""),
        outside_line(address[end:], "$quiet"),
    )


class LinksScreen(Choice[tuple[str, bool] | None], inherit_bindings=False):
    """Enter opens, c copies. Gives the address, and whether to open it.

    The last one is chosen first: it is the newest.
    """

    list_id = "#links"

    def __init__(self, links: Sequence[Link]) -> None:
        super().__init__()
        self.links = tuple(links)
        self.chosen = len(links) - 1

    def compose(self) -> ComposeResult:
        with Container(classes="dialog") as box:
            box.border_title = "open this link?" if len(self.links) == 1 else "open a link?"
            choose = "" if len(self.links) == 1 else "↑↓ chooses · "
            box.border_subtitle = f"Esc leaves it · {choose}Enter opens · c copies"
            with VerticalScroll(id="links-list"):
                yield Static(id="links")

    def lines(self) -> list[Content]:
        return link_lines(self.links, self.chosen, self.columns_inside(_EDGE_CELLS))

    def take(self) -> None:
        self.dismiss((self.links[self.chosen].address, True))

    def other_key(self, key: str) -> None:
        if key == "c":
            self.dismiss((self.links[self.chosen].address, False))
