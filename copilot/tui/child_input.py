"""What a person does, as bytes for the child: Textual's names on one side, `copilot.screen` on the other."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

from textual import events

from copilot.screen import TerminalScreen, modes
from copilot.screen.keys import ALT, CTRL, SHIFT, encode_key, encode_paste
from copilot.screen.modes import (
    MOTION,
    NONE,
    WHEEL_DOWN,
    WHEEL_UP,
    encode_focus,
    encode_mouse,
    encode_wheel_as_arrows,
)
from copilot.screen.theme import Theme, rgb_of
from copilot.tui.themes import Palette

_NAMES = {
    "enter": "Enter",
    "escape": "Esc",
    "tab": "Tab",
    "space": "Space",
    "backspace": "Backspace",
    "up": "Up",
    "down": "Down",
    "left": "Left",
    "right": "Right",
    "home": "Home",
    "end": "End",
    "pageup": "PageUp",
    "pagedown": "PageDown",
    "insert": "Insert",
    "delete": "Delete",
} | {f"f{number}": f"F{number}" for number in range(1, 25)}
_PREFIXES = {"ctrl": "C-", "shift": "S-", "alt": "M-"}
_CHARACTERS = {"at": "@", "slash": "/", "backslash": "\\", "minus": "-", "plus": "+", "underscore": "_"}
_BUTTONS = {1: 0, 2: 1, 3: 2}
"""Textual counts buttons from 1, the protocol from 0; both go left, middle, right."""


def key_bytes(screen: TerminalScreen, key: str, character: str | None) -> bytes:
    """A key press under Textual's name; empty for keys that no terminal knows."""
    *prefixes, name = key.split("+")
    base = _NAMES.get(name) or _character(name)
    if base is None:
        base = character if character is not None and character.isprintable() else None
    elif not prefixes and character is not None and len(base) == 1 and character.isprintable():
        base = character
    if base is None or any(prefix not in _PREFIXES for prefix in prefixes):
        return b""
    key_modes = screen.key_modes
    if "alt" in prefixes and "ctrl" not in prefixes:
        # Most terminals send Alt as an Escape in front, so it may be just that: programs read both from it.
        key_modes = replace(key_modes, modify_other_keys=0)
    return encode_key("".join(_PREFIXES[prefix] for prefix in prefixes) + base, key_modes)


def _character(name: str) -> str | None:
    """The character that Textual calls `name`: itself, or by its Unicode name."""
    if len(name) == 1:
        return name
    if name in _CHARACTERS:
        return _CHARACTERS[name]
    if name.startswith("upper_") and len(name) == 7:
        return name[-1].upper()
    for spelling in (name.replace("_", " "), name.replace("_", "-")):
        try:
            return unicodedata.lookup(spelling.upper())
        except KeyError:
            continue
    return None


def paste_bytes(screen: TerminalScreen, text: str) -> bytes:
    """A paste in one piece, bracketed if the child wants that."""
    return encode_paste(text, modes.BRACKETED_PASTE in screen.mode)


def focus_bytes(screen: TerminalScreen, *, gained: bool) -> bytes:
    """A change of focus; empty if the child did not ask."""
    return encode_focus(gained, screen.pointer_modes)


def mouse_bytes(screen: TerminalScreen, event: events.MouseEvent, kind: str, line: int, column: int) -> bytes:
    """A press, release or motion at a cell of the grid; empty if the child does not want it."""
    button = _BUTTONS.get(event.button, NONE)
    if button == NONE and kind != MOTION:
        return b""
    return encode_mouse(kind, button, column, line, screen.pointer_modes, _modifiers(event))


def wheel_bytes(
    screen: TerminalScreen, event: events.MouseEvent, line: int, column: int, *, up: bool
) -> bytes:
    """A notch of the wheel: as a mouse event, or as arrows in a full screen program; else empty."""
    button = WHEEL_UP if up else WHEEL_DOWN
    found = encode_mouse("press", button, column, line, screen.pointer_modes, _modifiers(event))
    if found or not screen.alternate_screen:
        return found
    return encode_wheel_as_arrows(button, screen.pointer_modes, screen.key_modes)


def _modifiers(event: events.MouseEvent) -> int:
    return (SHIFT if event.shift else 0) | (ALT if event.meta else 0) | (CTRL if event.ctrl else 0)


def report_colours(screen: TerminalScreen, palette: Palette) -> None:
    """Let the emulator answer colour queries with what is really shown."""
    foreground, background = rgb_of(palette.foreground), rgb_of(palette.background)
    screen.theme = Theme(foreground, background, foreground)
