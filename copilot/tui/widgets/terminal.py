"""The terminal: the child's screen, what a person types and clicks into it, and looking back in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events

from copilot.screen.modes import MOTION, PRESS, RELEASE
from copilot.screen.rows import Picture
from copilot.tui import child_input
from copilot.tui.bridge import LiveSession
from copilot.tui.widgets.links import Link, link_at, links_in
from copilot.tui.widgets.looking_back import FrozenView, Search, TextSelection
from copilot.tui.widgets.paint import Runs
from copilot.tui.widgets.terminal_picture import TerminalPicture, regions

if TYPE_CHECKING:
    from copilot.tui.screens.session import SessionScreen


class TerminalView(TerminalPicture, inherit_bindings=False):
    """Gives the child what a person types and clicks, in the form that the child has asked for.

    While a person scrolls, searches or selects, a frozen view takes the place of the live screen.
    """

    def __init__(self, session: LiveSession, *, id: str | None = None) -> None:
        super().__init__(session, id=id)
        self.mouse_is_ours = False
        """Whether the mouse selects here whatever the child has asked for."""
        self.selection = TextSelection()
        self.search: Search | None = None
        self.typing_search = False
        """Whether keys go to the search text."""
        self.scrolled_by_wheel = False
        """Whether the wheel, not a key, scrolled back: what is typed then is meant for the child."""
        self._frozen: FrozenView | None = None
        self._hovered: Link | None = None

    @property
    def cockpit(self) -> SessionScreen:
        from copilot.tui.screens.session import SessionScreen

        assert isinstance(self.screen, SessionScreen)
        return self.screen

    # Keys and paste

    def type_key(self, event: events.Key) -> None:
        self.selection_dropped()
        self._type(child_input.key_bytes(self.session.screen, event.key, event.character))

    def type_key_named(self, key: str) -> None:
        self._type(child_input.key_bytes(self.session.screen, key, None))

    def _type(self, data: bytes) -> None:
        if data:
            self.pacer.typed(self.session.clock())
            self.session.type_bytes(data)

    def on_paste(self, event: events.Paste) -> None:
        """A paste for the child: in one piece, bracketed if it wants that."""
        event.stop()
        if self.cockpit.countdown.stop():
            self.cockpit.notes.show("stopped; the paste was not sent, paste again")
        elif self.typing_search:
            self.cockpit.terminal_actions.extend_search(event.text)
        elif self.cockpit.notes.holds_key("the paste was not sent, paste again"):
            return
        elif self.scrolling:
            self.stop_scrolling()
            self.cockpit.notes.show("this is the live screen again; the paste was not sent, paste again")
        else:
            self._type(child_input.paste_bytes(self.session.screen, event.text))

    def on_focus(self) -> None:
        """Report it to the child; the cursor changes its look."""
        self._report(child_input.focus_bytes(self.session.screen, gained=True))
        self.refresh()

    def on_blur(self) -> None:
        """Report it to the child; the cursor changes its look."""
        self._report(child_input.focus_bytes(self.session.screen, gained=False))
        self.refresh()

    def _report(self, data: bytes) -> None:
        """Bytes that are no typing of a person's: they do not withdraw a reply."""
        if data:
            self.session.type_bytes(data, by_hand=False)

    # The mouse

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """On a link with Ctrl: the question whether to open it. Else to the child if it listens; else a
        selection begins."""
        if self.cockpit.countdown.stop():
            event.stop()
        elif (event.ctrl or event.meta) and (link := self.link_under(*self._cell(event))):
            event.stop()
            self.cockpit.terminal_actions.ask_to_open([link])
        elif not self._mouse_to_child(event, PRESS):
            self.selection.start(*self._cell(event))
            self.freeze()
            self.capture_mouse()
            self.refresh()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """To the child; or the end of a selection, which is copied."""
        if self.selection.dragging:
            self.release_mouse()
            self.selection.stop()
            self._copy_selection()
        else:
            self._mouse_to_child(event, RELEASE)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """To the child, or the selection grows."""
        if self.selection.dragging:
            self.selection.extend(*self._cell(event))
            self.refresh()
        else:
            self._show_link(self.link_under(*self._cell(event)))
            self._mouse_to_child(event, MOTION)

    def on_leave(self) -> None:
        self._show_link(None)

    def _show_link(self, link: Link | None) -> None:
        if self.hover(link):
            self.cockpit.show_link(link.address if link is not None else "")

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """To the child if it listens; else back in the scrollback."""
        if not self._wheel_to_child(event, up=True):
            begins = not self.scrolling
            if self.scroll_back(lines=3) and begins:
                self.scrolled_by_wheel = True
                self.cockpit.keys.remember_prompt_before_scroll()
            self.cockpit.updates.show_keys()
        event.stop()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """To the child if it listens; else on in the scrollback."""
        if not self._wheel_to_child(event, up=False) and self.scrolling:
            self.scroll_back(lines=-3)
            self.cockpit.updates.show_keys()
        event.stop()

    def _cell(self, event: events.MouseEvent) -> tuple[int, int]:
        grid = self.grid_size
        return max(0, min(event.y, grid.height - 1)), max(0, min(event.x - self.gutter_width, grid.width - 1))

    def _mouse_to_child(self, event: events.MouseEvent, kind: str) -> bool:
        """A press is typing, for it can answer; releases and motions are not."""
        if self.mouse_is_ours or self._frozen is not None:
            return False
        data = child_input.mouse_bytes(self.session.screen, event, kind, *self._cell(event))
        if data:
            self.session.type_bytes(data, by_hand=kind == PRESS)
            event.stop()
        return bool(data)

    def _wheel_to_child(self, event: events.MouseEvent, *, up: bool) -> bool:
        if self.mouse_is_ours or self._frozen is not None:
            return False
        data = child_input.wheel_bytes(self.session.screen, event, *self._cell(event), up=up)
        self._report(data)
        return bool(data)

    def _copy_selection(self) -> None:
        if self._frozen is None:
            return
        texts = [self._frozen.line(y) for y in range(self.size.height)]
        text = self.selection.text([picture.characters for picture in texts])
        if text.strip():
            self.app.copy_to_clipboard(text)
            count = text.count("\n") + 1
            self.cockpit.notes.show(f"copied {count} line{'s' if count > 1 else ''}")
        else:
            self.selection_dropped()

    def selection_dropped(self) -> None:
        """Forget a selection; show the live screen again unless a person looks back."""
        if self.selection.there or (self._frozen is not None and not self.scrolling):
            self.selection.clear()
            if not self.scrolling:
                self.stop_scrolling()
            self.refresh()

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
        """Freeze the view and move it a page back. False if nothing is above; then nothing changes."""
        self.scrolled_by_wheel = False
        self.scroll_back(pages=1)
        return self.scrolling

    def stop_scrolling(self) -> None:
        """Back to the live screen."""
        if self._frozen is not None:
            self._frozen = self.search = None
            self.typing_search = self.scrolled_by_wheel = False
            self.selection.clear()
            self._shown.clear()
            self.refresh()

    def size_changes(self) -> None:
        """A frozen view is of the old size."""
        self.hover(None)
        self.stop_scrolling()

    def frozen_picture(self, y: int) -> Picture | None:
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
        """The text is complete: keys move among the matches. Without a text, back to the live screen."""
        self.typing_search = False
        if self.search is None or not self.search.query:
            self.stop_scrolling()

    def look_for(self, text: str) -> None:
        if self.search is not None:
            self.search.look_for(text)
            self.refresh()

    def step_search(self, by: int) -> bool:
        """To another match, upwards if negative. True if the search went round an end."""
        went_round = self.search is not None and self.search.step(by)
        self.refresh()
        return went_round

    # Rows and links

    def row_at(self, y: int) -> Picture | None:
        if not 0 <= y < min(self.size.height, self.session.screen.lines):
            return None
        frozen = self.frozen_picture(y)
        return self._picture(y) if frozen is None else frozen

    def last_written_line(self) -> int:
        """The line of the window of the last text that is shown; -1 if there is none."""
        rows = (self.row_at(y) for y in range(self.size.height))
        written = [y for y, row in enumerate(rows) if row is not None and row.text.strip()]
        return self.region.y + written[-1] if written else -1

    # Links

    def link_under(self, line: int, column: int) -> Link | None:
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
            runs = self.lay(runs, picture, start, end, overlay)
        return runs
