"""The one registry of the cockpit's actions: id, keys, help. Footer, help, palette and docs are made from it.

That of a replay is `replay/keys.py`.
"""

from __future__ import annotations

import enum
import string
from collections.abc import Sequence
from dataclasses import dataclass

from textual.keys import _character_to_key


class Place(enum.StrEnum):
    """Where keys mean something to the co-pilot. In the terminal itself only the leader does."""

    TERMINAL = "terminal"
    LEADER = "leader"
    REPLY = "reply"
    EDIT = "edit"
    INSTRUCT = "instruct"
    SCROLL = "scroll"
    SEARCH = "search"
    PLAYER = "player"
    """A replay."""
    TYPING = "typing"
    """A replay, while a text is typed: what to search for, or a time."""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a person can do.

    `keys` are Textual key names per place, the first of each is the one shown. `label` is its word in the
    footer, `help` its sentence. `footer` actions are offered there; `prompt` ones only while a reply is up.
    `group` is its part of the help, where that is divided.
    """

    id: str
    label: str
    help: str
    keys: dict[Place, tuple[str, ...]]
    footer: bool = True
    prompt: bool = False
    group: str = ""

    def key(self, place: Place) -> str | None:
        keys = self.keys.get(place)
        return keys[0] if keys else None


def _both(*keys: str, more: tuple[str, ...] = ()) -> dict[Place, tuple[str, ...]]:
    return {Place.LEADER: (*keys, *more), Place.REPLY: keys}


L, R, E, I, S = Place.LEADER, Place.REPLY, Place.EDIT, Place.INSTRUCT, Place.SCROLL  # noqa: E741
F = Place.SEARCH

ACTIONS: tuple[Action, ...] = (
    Action(
        "send",
        "send",
        "Send the reply as it stands (or the option under the mark).",
        {L: ("s", "enter"), R: ("enter", "s")},
        prompt=True,
    ),
    Action(
        "edit",
        "edit",
        "Choose another option, or write; again on an option: words with it.",
        _both("e"),
        prompt=True,
    ),
    Action(
        "ask_again",
        "again",
        "Have another reply written, with an instruction if you like.",
        _both("r"),
        prompt=True,
    ),
    Action(
        "dismiss", "dismiss", "Drop the reply and answer by hand, in the terminal.", _both("d"), prompt=True
    ),
    Action(
        "earlier",
        "drafts",
        "The reply that was written before this one; all are kept while the prompt stands.",
        _both("left"),
        footer=False,
        prompt=True,
    ),
    Action("later", "", "The reply that was written after it.", _both("right"), footer=False, prompt=True),
    Action("focus_reply", "panel", "Go to the reply panel, where single keys act.", {L: ("p", "tab")}),
    Action("choose_up", "choose", "Mark the option above.", {R: ("up", "k")}),
    Action("choose_down", "", "Mark the option below.", {R: ("down", "j")}, footer=False),
    Action("autonomy", "autonomy", "Choose how much is sent without you.", _both("a")),
    Action(
        "context", "context", "See exactly what the model saw, what was cut, tokens and cost.", _both("c")
    ),
    Action(
        "guard",
        "guard",
        "See the whole verdict on what is asked, and what is allowed; revoke it there.",
        _both("g"),
        footer=False,
    ),
    Action(
        "allow",
        "allow",
        "Allow exactly what is asked: once, for a while, or for this run; asks once more first.",
        _both("u"),
        footer=False,
    ),
    Action(
        "explain",
        "why",
        "See every rule, whether it matches the screen, and why not.",
        {L: ("x",)},
        footer=False,
    ),
    Action(
        "label",
        "label",
        "Say what this screen is; `copilot profiles learn` makes rules of it.",
        {L: ("l",)},
        footer=False,
    ),
    Action(
        "scrollback",
        "scroll",
        "Look back through what has scrolled off; keys move, Esc returns.",
        {L: ("v", "pageup")},
    ),
    Action("zoom", "zoom", "Give the terminal (or the panel) the whole screen, or take it back.", _both("z")),
    Action(
        "layout",
        "layout",
        "Show, hide and resize the panels, or leave but one line; remembered.",
        {L: ("w",)},
        footer=False,
    ),
    Action(
        "look_back",
        "moments",
        "Look back at what was decided: the screen of that moment, and why.",
        {L: ("i",)},
        footer=False,
    ),
    Action(
        "undo",
        "undo",
        "Put the project's files back to a checkpoint; shows the diff, asks once more.",
        {L: ("b",)},
        footer=False,
    ),
    Action(
        "select",
        "select",
        "Let the mouse select text here instead of reaching the program.",
        {L: ("m",)},
        footer=False,
    ),
    Action(
        "theme",
        "theme",
        "Take the next theme: dark, light, the terminal's own colours, yours.",
        {L: ("t",)},
        footer=False,
    ),
    Action("palette", "palette", "Find an action by its name.", {L: ("colon", "space")}, footer=False),
    Action("help", "help", "Show every key.", _both("question_mark", more=("h",))),
    Action(
        "next_needed",
        "next",
        "Go to the next session that needs you.",
        {L: ("n",)},
        footer=False,
    ),
    Action(
        "new_session",
        "new",
        "Start another program in a session beside this one.",
        {L: ("plus",)},
        footer=False,
    ),
    Action(
        "queue",
        "sessions",
        "List all sessions, those that wait for you first.",
        {L: ("y",)},
        footer=False,
    ),
    Action(
        "session",
        "session",
        "Go to the session of that number.",
        {L: tuple("123456789")},
        footer=False,
    ),
    Action(
        "suspend",
        "suspend",
        "Stop and go back to the shell; fg returns. The program runs on.",
        {L: ("ctrl+z",)},
        footer=False,
    ),
    Action(
        "quit",
        "quit",
        "End the run in order; asks first while the program works or waits. Once more: at once.",
        {L: ("q",)},
    ),
    Action(
        "search",
        "search",
        "Find a text in the screen and what has scrolled off it.",
        {L: ("slash",), S: ("slash",)},
    ),
    Action(
        "links", "links", "Choose a link on the screen; it is shown in full before it opens.", {L: ("o",)}
    ),
    Action(
        "back",
        "back",
        "Go back to the terminal.",
        {
            L: ("escape",),
            R: ("escape", "tab"),
            E: ("escape",),
            I: ("escape",),
            S: ("escape", "q"),
            F: ("escape",),
        },
    ),
    Action("send_edit", "send", "Send the text as edited.", {E: ("enter", "ctrl+s")}),
    Action(
        "new_line", "new line", "Begin a new line in the text.", {E: ("ctrl+j", "shift+enter", "alt+enter")}
    ),
    Action("older", "older", "Take what you sent before.", {E: ("ctrl+p", "ctrl+up")}),
    Action("newer", "", "Take what you sent after it.", {E: ("ctrl+n", "ctrl+down")}, footer=False),
    Action("ask_with", "ask", "Ask with this instruction (an empty one is fine).", {I: ("enter",)}),
    Action("found", "keep", "Keep the matches and move among them.", {F: ("enter",)}),
    Action("find_next", "next", "Next match up (wraps).", {S: ("n",), F: ("up",)}),
    Action("find_previous", "previous", "The match before, downwards.", {S: ("N", "upper_n"), F: ("down",)}),
    Action("scroll_up", "line", "One line back.", {S: ("up", "k")}),
    Action("scroll_down", "", "One line on.", {S: ("down", "j")}, footer=False),
    Action("page_up", "page", "One page back.", {S: ("pageup", "b")}),
    Action("page_down", "", "One page on.", {S: ("pagedown", "space", "f")}, footer=False),
    Action("scroll_home", "oldest", "To the oldest line kept.", {S: ("home", "g")}),
    Action("scroll_end", "newest", "To the newest line.", {S: ("end", "G", "upper_g")}),
)

SIGN_NAMES = {sign: _character_to_key(sign) for sign in f"{string.punctuation} "}
"""Signs as people write them, with Textual's names for them."""
_SHOWN = {name: sign for sign, name in SIGN_NAMES.items()} | {
    "enter": "Enter",
    "escape": "Esc",
    "tab": "Tab",
    "up": "↑↓",
    "down": "↓",
    "left": "←",
    "right": "→",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "end": "End",
    "space": "Space",
    "upper_g": "G",
    "upper_n": "N",
}


def shown(key: str) -> str:
    """A key as the footer shows it."""
    if key.startswith("ctrl+"):
        return f"^{key[5:].upper()}"
    head, plus, last = key.rpartition("+")
    return f"{head.title()}{plus}{_SHOWN.get(last, last)}"


class Keymap:
    """The actions with the keys that hold in this cockpit."""

    def __init__(self, actions: Sequence[Action] = ACTIONS) -> None:
        self.actions = tuple(actions)
        self._by_key = {
            (place, key): action
            for action in self.actions
            for place, keys in action.keys.items()
            for key in keys
        }

    def action_for(self, place: Place, key: str) -> Action | None:
        """What `key` does in `place`, or None."""
        return self._by_key.get((place, key))

    def shown_in(self, place: Place) -> dict[str, str]:
        """The key shown for each action that has one in `place`, by the action's id."""
        return {action.id: shown(key) for action in self.actions if (key := action.key(place)) is not None}

    def action(self, identity: str) -> Action:
        """The action of that id. Raises KeyError."""
        return next(action for action in self.actions if action.id == identity)


DEFAULT_KEYMAP = Keymap()
