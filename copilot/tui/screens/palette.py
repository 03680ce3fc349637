"""The palette of commands: Textual's own, over a picture that is as dim as below our own dialogs."""

from __future__ import annotations

from rich.console import RenderableType
from textual.app import App
from textual.command import CommandPalette

from copilot.tui.screens.dimmed import dimmed

PALETTE_KEYS = "↑↓ choose · Enter does it · Esc closes it"
"""It has no edge of ours where they could stand."""


class Palette(CommandPalette, inherit_bindings=True):
    """Textual's own but for what lies below."""

    def render(self) -> RenderableType:
        """What lies below."""
        return dimmed(super().render(), self.app)


def open_palette(app: App[object]) -> None:
    """Open it, unless it is open."""
    if not CommandPalette.is_open(app):
        app.push_screen(Palette(id="--command-palette"))
