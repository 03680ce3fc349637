"""The question before a run ends in the middle of its work: one key too many must not end it."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.widgets import Static

from copilot.tui.keymap import Place, shown
from copilot.tui.options import UiOptions
from copilot.tui.screens.dialog import Dialog


class QuitScreen(Dialog[bool], inherit_bindings=False):
    """y, Enter or the keys that led here end the run; n and Esc go on. No other key does anything."""

    def __init__(self, why: str, options: UiOptions) -> None:
        super().__init__()
        self._why = why
        self._options = options
        self._leader_pressed = False

    def compose(self) -> ComposeResult:
        """What would be cut off."""
        again = shown(self._options.keymap.action("quit").key(Place.LEADER) or "q")
        with Container(classes="dialog") as box:
            box.border_title = "end the run?"
            box.border_subtitle = (
                f"Esc goes on · y or Enter ends it · {self._options.leader_label} {again} too"
            )
            yield Static(Content(f"{self._why[:1].upper()}{self._why[1:]}."))
            yield Static(Content.styled("Ending the run ends the program too.", "$quiet"))

    def on_key(self, event: events.Key) -> None:
        """End it or go on."""
        event.stop()
        after_leader, self._leader_pressed = self._leader_pressed, self._options.is_leader(event.key)
        again = self._options.keymap.action("quit").keys[Place.LEADER]
        if event.key in ("y", "enter") or (after_leader and event.key in again):
            self.dismiss(True)
        elif event.key in ("n", "escape"):
            self.dismiss(False)
