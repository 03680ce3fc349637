"""The terminal: the picture of the child's screen, and what a person types, pastes and clicks into it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events

from copilot.screen.modes import MOTION, PRESS, RELEASE
from copilot.tui import child_input
from copilot.tui.widgets.links import Link
from copilot.tui.widgets.looking_back import LookingBack

if TYPE_CHECKING:
    from copilot.tui.screens.session import SessionScreen


class TerminalView(LookingBack, inherit_bindings=False):
    """Gives the child what a person types and clicks, in the form that the child has asked for."""

    mouse_is_ours = False
    """Whether the mouse selects here whatever the child has asked for."""

    @property
    def cockpit(self) -> SessionScreen:
        """The screen that owns the modes."""
        from copilot.tui.screens.session import SessionScreen

        assert isinstance(self.screen, SessionScreen)
        return self.screen

    def type_key(self, event: events.Key) -> None:
        """A key for the child."""
        self.selection_dropped()
        self._type(child_input.key_bytes(self.session.screen, event.key, event.character))

    def type_key_named(self, key: str) -> None:
        """A key for the child by its name."""
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
        """Tell the child; the cursor looks otherwise."""
        self._report(child_input.focus_bytes(self.session.screen, gained=True))
        self.refresh()

    def on_blur(self) -> None:
        """Tell the child; the cursor looks otherwise."""
        self._report(child_input.focus_bytes(self.session.screen, gained=False))
        self.refresh()

    def _report(self, data: bytes) -> None:
        """Bytes that are no typing of a person's: they do not withdraw a reply."""
        if data:
            self.session.type_bytes(data, by_hand=False)

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
        """The pointer is elsewhere."""
        self._show_link(None)

    def _show_link(self, link: Link | None) -> None:
        if self.hover(link):
            self.cockpit.show_link(link.address if link is not None else "")

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """To the child if it listens; else back in the scrollback."""
        if not self._wheel_to_child(event, up=True):
            begins = not self.scrolling
            if self.scroll_back(lines=3) and begins:
                self.turned_back = True
                self.cockpit.keys.wheel_looks_back()
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
