"""The question before a link is opened: which one, and where it leads."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from copilot.tui.picking import pickable
from copilot.tui.screens.dialog import Dialog
from copilot.tui.text import clean_line, outside_line


def links_content(addresses: Sequence[str], chosen: int) -> Content:
    """One line each, the chosen one marked and in full, with its host on a line of its own."""
    lines = []
    for number, address in enumerate(addresses):
        if number == chosen:
            host = urlsplit(address).hostname or ""
            lines.append(Content.assemble(("▸ ", "bold $primary"), outside_line(address, "bold")))
            lines.append(Content.assemble(("    leads to ", "$quiet"), outside_line(host, "bold $warning")))
        else:
            line = Content.assemble("  ", outside_line(_short(address), "$quiet"))
            lines.append(pickable(line, number))
    return Content("\n").join(lines)


def _short(address: str) -> str:
    line = clean_line(address)
    return line if len(line) <= 76 else f"{line[:75]}…"


class LinksScreen(Dialog[tuple[str, bool] | None], inherit_bindings=False):
    """Arrows choose, Enter opens, c copies, Esc leaves. Gives the address, and whether to open it."""

    def __init__(self, addresses: Sequence[str]) -> None:
        super().__init__()
        self.addresses = tuple(addresses)
        self.chosen = 0

    def compose(self) -> ComposeResult:
        """A small box."""
        with Container(classes="dialog") as box:
            box.border_title = "open this link?" if len(self.addresses) == 1 else "open a link?"
            choose = "" if len(self.addresses) == 1 else "↑↓ chooses · "
            box.border_subtitle = f"Esc leaves it · {choose}Enter opens · c copies"
            with VerticalScroll(id="links-list"):
                yield Static(links_content(self.addresses, self.chosen), id="links")

    def pick(self, index: int) -> None:
        """Show that one in full."""
        self._choose(index)

    def on_key(self, event: events.Key) -> None:
        """Choose."""
        event.stop()
        if event.key in ("escape", "q"):
            self.dismiss(None)
        elif event.key in ("enter", "c"):
            self.dismiss((self.addresses[self.chosen], event.key == "enter"))
        elif event.key in ("up", "down", "k", "j"):
            step = -1 if event.key in ("up", "k") else 1
            self._choose(max(0, min(len(self.addresses) - 1, self.chosen + step)))

    def _choose(self, index: int) -> None:
        self.chosen = index
        self.query_one("#links", Static).update(links_content(self.addresses, index))
        self.query_one("#links-list").scroll_to(y=max(0, index - 4), animate=False)
