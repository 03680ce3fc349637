"""The mouse: the registry of what it does, which line of a list was clicked, which key a hint is of.

Help and docs are made from the registry, and a test tries each. No widgets.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.style import Style


@dataclass(frozen=True, slots=True)
class MouseAction:
    """One thing that the mouse does: `gesture` at `where`."""

    id: str
    where: str
    gesture: str
    help: str


MOUSE_ACTIONS = (
    MouseAction("offer", "key bar", "click on an offer", "Does it, as its key would."),
    MouseAction("level", "status bar", "click on the level", "Opens the choice of the level."),
    MouseAction("leader", "one-line form", "click on the leader at its end", "Shows what the keys do."),
    MouseAction("tab", "line of tabs", "click on a tab", "Goes to that session."),
    MouseAction("moment", "line of the run", "click on a mark", "Looks back at that moment."),
    MouseAction("edge", "edge of the panels", "drag", "Makes them bigger or smaller."),
    MouseAction("why", "what it sees", "click", "Shows every rule, and why it matches or not."),
    MouseAction("option", "reply panel", "click on an option", "Marks it; keys act there, send sends it."),
    MouseAction("draft", "reply panel", "click on its lower edge", "Looks at another draft."),
    MouseAction("panel", "reply panel", "click elsewhere in it", "Says how keys get there; none go yet."),
    MouseAction("context", "what the model saw", "click", "Shows all of it as a page."),
    MouseAction("strip", "the two lines of small windows", "click", "Opens the reply panel."),
    MouseAction("stop", "anywhere", "press while a reply counts down", "Holds it, and does nothing else."),
    MouseAction("pass", "terminal", "any, if the program wants the mouse", "Goes to the program."),
    MouseAction("select", "terminal", "drag", "Selects; let go, it is copied. Not if the program listens."),
    MouseAction("wheel", "terminal", "wheel", "Looks back, if the program does not listen."),
    MouseAction("link", "terminal", "Ctrl or Alt and a click on a link", "Asks before it is opened."),
    MouseAction("terminal", "terminal", "click", "Keys go to the program again."),
    MouseAction("line", "box with a list", "click on a line", "Chooses it."),
    MouseAction("hint", "box", "click on a hint of its lower edge", "Does what that key does."),
    MouseAction("beside", "box", "click beside it", "Closes it, as Esc would; not while you write in it."),
    MouseAction("away", "what happened meanwhile", "click", "Closes it."),
    MouseAction("start", "first screen", "click on program, level or hint", "Chooses it, or does it."),
)


_META = "pick"
_ARROWS = {"←": "left", "→": "right", "↑": "up", "↓": "down"}
_NAMED = {"Enter": "enter", "Esc": "escape", "PgUp": "pageup", "PgDn": "pagedown", "Tab": "tab"}
_HINT = re.compile(r"(?:(?! · |  ).)+")
_WORD = re.compile(r"\S+")


def pickable(content: Content, index: int) -> Content:
    """The same text, marked as line `index` of a list for `picked`."""
    return content.stylize(Style.from_meta({_META: index}))


def picked(event: events.MouseEvent) -> int | None:
    """The index of what was clicked; None beside all that can be picked."""
    index = event.style.meta.get(_META)
    return index if isinstance(index, int) else None


def key_at(hints: str, column: int) -> str | None:
    """The key that the hint at this column names (`1-4 or ↑↓ · Enter takes · Esc leaves it`).

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
