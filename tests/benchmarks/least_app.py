"""The least that Textual can draw: one line of text. What a start takes without anything of ours."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.widgets import Static

DRAWN = "LEAST-APP"


class LeastApp(App[None]):
    def compose(self) -> ComposeResult:
        yield Static(DRAWN)


if __name__ == "__main__":
    LeastApp().run()
