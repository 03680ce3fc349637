"""What a person does, as bytes for the child, by the modes that the child has set."""

from __future__ import annotations

from textual import events

from copilot.screen import TerminalScreen
from copilot.tui.themes import Palette


def key_bytes(screen: TerminalScreen, key: str, character: str | None) -> bytes:
    return b""


def paste_bytes(screen: TerminalScreen, text: str) -> bytes:
    return b""


def focus_bytes(screen: TerminalScreen, *, gained: bool) -> bytes:
    return b""


def mouse_bytes(screen: TerminalScreen, event: events.MouseEvent, what: str, button: int, line: int, column: int) -> bytes | None:
    return None


def tell_colours(screen: TerminalScreen, palette: Palette) -> None:
    pass
