"""What a person can do with what the terminal shows: look back, search, follow links."""

from __future__ import annotations

import os

from textual import events

from copilot.pty.browser import open_in_browser
from copilot.tui.keymap import Place, shown
from copilot.tui.screens.links import LinksScreen
from copilot.tui.screens.reply_actions import ReplyActions
from copilot.tui.text import clean_line
from copilot.tui.widgets.links import Link
from copilot.tui.widgets.terminal import TerminalView

_LONGEST_SEARCH = 200


class LookingActions(ReplyActions, inherit_bindings=False):
    """The actions on the terminal's picture."""

    def do_scrollback(self) -> None:
        """Look back, if anything stands above."""
        if not self.query_one(TerminalView).look_back():
            full_screen = self.session.screen.alternate_screen
            self.decline(
                "full-screen programs leave no scrollback" if full_screen else "nothing has scrolled off yet"
            )

    def do_scroll_up(self) -> None:
        """One line back."""
        self.query_one(TerminalView).scroll_back(lines=1)

    def do_scroll_down(self) -> None:
        """One line on."""
        self.query_one(TerminalView).scroll_back(lines=-1)

    def do_page_up(self) -> None:
        """One page back."""
        self.query_one(TerminalView).scroll_back(pages=1)

    def do_page_down(self) -> None:
        """One page on."""
        self.query_one(TerminalView).scroll_back(pages=-1)

    def do_scroll_home(self) -> None:
        """The oldest line."""
        self.query_one(TerminalView).scroll_back(lines=10**9)

    def do_scroll_end(self) -> None:
        """Back to the live screen."""
        self.query_one(TerminalView).stop_scrolling()

    # Search

    def do_search(self) -> None:
        """Write what to search for."""
        self.query_one(TerminalView).open_search()

    def search_for(self, more: str) -> None:
        """Put `more` at the end of what is searched for."""
        terminal = self.query_one(TerminalView)
        if terminal.search is not None:
            self._look_for(terminal.search.query + clean_line(more))

    def _look_for(self, text: str) -> None:
        self.query_one(TerminalView).look_for(text[:_LONGEST_SEARCH])
        self._show_keys()

    def _search_key(self, event: events.Key) -> None:
        search = self.query_one(TerminalView).search
        if search is None:
            return
        if event.key == "backspace":
            self._look_for(search.query[:-1])
        elif event.key == "ctrl+u":
            self._look_for("")
        elif event.character is not None and event.character.isprintable():
            self._look_for(search.query + event.character)

    def do_found(self) -> None:
        """Move among the matches."""
        self.query_one(TerminalView).close_search_text()

    def do_find_next(self) -> None:
        """Upwards."""
        self._step_search(-1)

    def do_find_previous(self) -> None:
        """Downwards."""
        self._step_search(1)

    def _step_search(self, by: int) -> None:
        terminal = self.query_one(TerminalView)
        if terminal.search is None:
            key = self.options.keymap.action("search").key(Place.SCROLL)
            self.note(f"nothing is searched for; {shown(key or 'slash')} begins a search")
        elif terminal.step_search(by):
            self.note("the search went round")

    # Links

    def do_links(self) -> None:
        """Those in view."""
        links = self.query_one(TerminalView).links_shown()
        if links:
            self.ask_to_open(links)
        else:
            self.decline("no link is in view")

    def ask_to_open(self, links: list[Link]) -> None:
        """Show where the links lead; what is chosen there is opened or copied, nothing by itself."""
        self.app.push_screen(LinksScreen(links), self._link_chosen)

    def _link_chosen(self, chosen: tuple[str, bool] | None) -> None:
        if chosen is None:
            return
        address, wants_it_open = chosen
        if wants_it_open and open_in_browser(address, os.environ):
            self.note(f"opened {address}")
            return
        self.app.copy_to_clipboard(address)
        self.note(
            "no browser can be opened here: the link is copied" if wants_it_open else "the link is copied"
        )
