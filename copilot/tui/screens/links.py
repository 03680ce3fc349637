"""The question before a link is opened: which one, and where it leads."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from copilot.tui.mouse import pickable
from copilot.tui.screens.dialog import Dialog
from copilot.tui.text import outside_line, rows_of
from copilot.tui.widgets.links import Link

_LIST_ROWS = 16
"""The height of `#links-list` in `styles/dialogs.tcss`."""
_EDGE_CELLS = 6
"""Frame, padding and scroll bar."""


def links_content(links: Sequence[Link], chosen: int, width: int) -> Content:
    """Each with its text and, where that is another, its address; the chosen one in full."""
    return Content("\n").join(
        pickable(_link_lines(link, width, chosen=number == chosen), number)
        for number, link in enumerate(links)
    )


def _link_lines(link: Link, width: int, *, chosen: bool) -> Content:
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


class LinksScreen(Dialog[tuple[str, bool] | None], inherit_bindings=False):
    """Arrows choose, Enter opens, c copies, Esc leaves. Gives the address, and whether to open it.

    The last one is chosen first: it is the newest.
    """

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

    def on_mount(self) -> None:
        self._choose(self.chosen)

    def on_resize(self) -> None:
        self._choose(self.chosen)

    def pick(self, index: int) -> None:
        self._choose(index)

    def on_key(self, event: events.Key) -> None:
        event.stop()
        if event.key in ("escape", "q"):
            self.dismiss(None)
        elif event.key in ("enter", "c"):
            self.dismiss((self.links[self.chosen].address, event.key == "enter"))
        elif event.key in ("up", "down", "k", "j"):
            step = -1 if event.key in ("up", "k") else 1
            self._choose(max(0, min(len(self.links) - 1, self.chosen + step)))

    def _choose(self, index: int) -> None:
        self.chosen = index
        width = self.columns_inside(_EDGE_CELLS)
        self.query_one("#links", Static).update(links_content(self.links, index, width))
        top = rows_of(links_content(self.links[:index], -1, width), width) if index else 0
        end = rows_of(links_content(self.links[: index + 1], index, width), width)
        self.query_one("#links-list").scroll_to(y=max(0, min(top, end - _LIST_ROWS)), animate=False)
