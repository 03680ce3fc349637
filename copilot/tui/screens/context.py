"""The whole of what the model saw, as a page to read."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from copilot.session.view import SessionView
from copilot.tui.screens.dialog import Dialog
from copilot.tui.widgets.context_panel import context_whole


class ContextScreen(Dialog[None], inherit_bindings=False):
    """A snapshot of the moment it was opened: it does not change under the reader."""

    def __init__(self, view: SessionView) -> None:
        super().__init__()
        self.view = view

    def compose(self) -> ComposeResult:
        """A page that scrolls."""
        with VerticalScroll(classes="page") as page:
            page.border_title = "what the model saw"
            page.border_subtitle = "↑↓ PgUp PgDn scroll · Esc closes"
            yield Static(context_whole(self.view))

    def on_key(self, event: events.Key) -> None:
        """Close; the page itself takes the scrolling keys."""
        if event.key in ("escape", "q", "c"):
            event.stop()
            self.dismiss(None)
