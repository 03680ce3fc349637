"""The mouse in lists and hints: which line was clicked, and which key a hint stands for. No widgets."""

from __future__ import annotations

import re

from textual import events
from textual.content import Content
from textual.style import Style

_META = "pick"
_ARROWS = {"←": "left", "→": "right", "↑": "up", "↓": "down"}
_NAMED = {"Enter": "enter", "Esc": "escape", "PgUp": "pageup", "PgDn": "pagedown", "Tab": "tab"}
_HINT = re.compile(r"(?:(?! · |  ).)+")
_WORD = re.compile(r"\S+")


def pickable(content: Content, index: int) -> Content:
    """The same text, by which a click can be told to have met line `index` of a list."""
    return content.stylize(Style.from_meta({_META: index}))


def picked(event: events.MouseEvent) -> int | None:
    """The index of what was clicked; None beside all that can be picked."""
    index = event.style.meta.get(_META)
    return index if isinstance(index, int) else None


def key_at(hints: str, column: int) -> str | None:
    """The key that the hint at this column stands for (`1-4 or ↑↓ · Enter takes · Esc leaves it`).

    An arrow or a key's name under the pointer is that key; a word behind a key is the key before it.
    """
    if not 0 <= column < len(hints):
        return None
    if hints[column] in _ARROWS:
        return _ARROWS[hints[column]]
    hint = next((one for one in _HINT.finditer(hints) if one.start() <= column < one.end()), None)
    if hint is None:
        return None
    words = [(word.start() + hint.start(), word.group()) for word in _WORD.finditer(hint.group())]
    under = [key for start, word in words if start <= column < start + len(word) and (key := _key(word))]
    if under:
        return under[0]
    before = [key for start, word in words if start <= column and (key := _key(word))]
    return before[-1] if before else None


def _key(word: str) -> str | None:
    if len(word) == 2 and word[0] == "^":
        return f"ctrl+{word[1].lower()}"
    return _NAMED.get(word) or (word if len(word) == 1 and word.isalnum() else None)
