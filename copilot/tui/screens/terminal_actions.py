"""What a person can do with what the terminal shows: look back, search, follow links."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from textual import events

from copilot.pty.browser import open_in_browser
from copilot.tui.keymap import Place, shown
from copilot.tui.screens.links import LinksScreen
from copilot.tui.text import clean_line
from copilot.tui.widgets.links import Link

if TYPE_CHECKING:
    from copilot.tui.screens.session import SessionScreen

_LONGEST_SEARCH = 200


class TerminalActions:
    """The actions on the terminal's picture."""

    def __init__(self, screen: SessionScreen) -> None:
        self._screen = screen
        self._terminal = terminal = screen.panels.terminal
        self._notes = screen.notes
        self.actions: dict[str, Callable[[], object]] = {
            "scrollback": self.look_back,
            "scroll_up": partial(terminal.scroll_back, lines=1),
            "scroll_down": partial(terminal.scroll_back, lines=-1),
            "page_up": partial(terminal.scroll_back, pages=1),
            "page_down": partial(terminal.scroll_back, pages=-1),
            "scroll_home": partial(terminal.scroll_back, lines=10**9),
            "scroll_end": terminal.stop_scrolling,
            "search": terminal.open_search,
            "found": terminal.close_search_text,
            "find_next": partial(self._step_search, -1),
            "find_previous": partial(self._step_search, 1),
            "links": self.list_links,
            "select": self.toggle_mouse,
        }

    def look_back(self) -> None:
        if not self._terminal.look_back():
            full_screen = self._screen.session.screen.alternate_screen
            self._notes.decline(
                "full-screen programs leave no scrollback" if full_screen else "nothing has scrolled off yet"
            )

    def toggle_mouse(self) -> None:
        """Let the mouse select here, or reach the child."""
        terminal = self._terminal
        terminal.mouse_is_ours = not terminal.mouse_is_ours
        self._notes.show(
            "the mouse selects text here" if terminal.mouse_is_ours else "the mouse reaches the program"
        )

    # Search

    def extend_search(self, more: str) -> None:
        """Append `more` to the search text."""
        if self._terminal.search is not None:
            self._search(self._terminal.search.query + clean_line(more))

    def search_key(self, event: events.Key) -> None:
        search = self._terminal.search
        if search is None:
            return
        if event.key == "backspace":
            self._search(search.query[:-1])
        elif event.key == "ctrl+u":
            self._search("")
        elif event.character is not None and event.character.isprintable():
            self._search(search.query + event.character)

    def _search(self, text: str) -> None:
        self._terminal.look_for(text[:_LONGEST_SEARCH])
        self._screen.updates.show_keys()

    def _step_search(self, by: int) -> None:
        if self._terminal.search is None:
            key = self._screen.options.keymap.action("search").key(Place.SCROLL)
            self._notes.show(f"nothing is searched for; {shown(key or 'slash')} begins a search")
        elif self._terminal.step_search(by):
            self._notes.show("the search went round")

    # Links

    def list_links(self) -> None:
        links = self._terminal.links_shown()
        if links:
            self.ask_to_open(links)
        else:
            self._notes.decline("no link is in view")

    def ask_to_open(self, links: list[Link]) -> None:
        """Show where the links lead; what is chosen there is opened or copied, nothing by itself."""
        self._screen.app.push_screen(LinksScreen(links), self._link_chosen)

    def _link_chosen(self, chosen: tuple[str, bool] | None) -> None:
        if chosen is None:
            return
        address, wants_it_open = chosen
        if wants_it_open and open_in_browser(address, os.environ):
            self._notes.show(f"opened {address}")
            return
        self._screen.app.copy_to_clipboard(address)
        self._notes.show(
            "no browser can be opened here: the link is copied" if wants_it_open else "the link is copied"
        )
