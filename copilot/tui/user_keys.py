"""`Keymap`: which key does what, as the registry says or as the user's `keymap.toml` changes it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from copilot.errors import InputError
from copilot.tui.keymap import ACTIONS, Action, Place, shown

FILE_NAME = "keymap.toml"
LEADER = "leader_key"
"""The key of the file that names the leader; the environment's COPILOT_LEADER is stronger."""

_PLACES = {place.value: place for place in Place if any(place in action.keys for action in ACTIONS)}
_NAMED = {f"f{number}" for number in range(1, 25)} | {
    *("enter", "escape", "tab", "space", "backspace", "insert", "delete"),
    *("up", "down", "left", "right", "home", "end", "pageup", "pagedown"),
}
_SIGNS = {
    "?": "question_mark",
    ":": "colon",
    "/": "slash",
    " ": "space",
    "<": "less_than_sign",
    ">": "greater_than_sign",
    "+": "plus",
    "-": "minus",
    "_": "underscore",
    "[": "left_square_bracket",
    "]": "right_square_bracket",
    "\\": "backslash",
    ",": "comma",
    ".": "full_stop",
    ";": "semicolon",
    "'": "apostrophe",
    '"': "quotation_mark",
    "!": "exclamation_mark",
    "@": "at",
    "#": "number_sign",
    "$": "dollar_sign",
    "%": "percent_sign",
    "&": "ampersand",
    "*": "asterisk",
    "(": "left_parenthesis",
    ")": "right_parenthesis",
    "=": "equals_sign",
    "^": "circumflex_accent",
    "|": "vertical_line",
    "~": "tilde",
}
"""Signs as people write them, with Textual's names for them."""


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


def load_keymap(folder: Path) -> tuple[Keymap, str | None]:
    """The keymap with the changes of `keymap.toml` in `folder`, and the leader that the file names, if any.

    Raises InputError: one line with file, place and key.
    """
    path = folder / FILE_NAME
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return DEFAULT_KEYMAP, None
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"{path}: cannot be read ({problem}); correct or remove the file") from None
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise InputError(f"{path}: not TOML ({problem}); correct the file") from None
    leader = given.pop(LEADER, None)
    if leader is not None and not isinstance(leader, str):
        raise InputError(f'{path}: {LEADER}: write a key in quotes, such as "f12"')
    return changed(given, str(path)), leader


def changed(given: Mapping[str, Any], source: str) -> Keymap:
    """The registry with the keys of `given` (place -> action -> key or keys). Raises InputError."""
    actions = {action.id: action for action in ACTIONS}
    for section, entries in given.items():
        place = _PLACES.get(section)
        if place is None or not isinstance(entries, dict):
            raise InputError(f"{source}: {section!r} is no place{_nearest(section, _PLACES)}")
        for name, keys in entries.items():
            identity = name.replace(" ", "_").replace("-", "_")
            action = actions.get(identity)
            if action is None:
                raise InputError(f"{source}: [{section}] {name}: no such action{_nearest(identity, actions)}")
            if place not in action.keys:
                usual = ", ".join(place.value for place in action.keys)
                raise InputError(
                    f"{source}: [{section}] {name}: this action has no keys there; move it to {usual}"
                )
            chosen = tuple(_key(one, f"{source}: [{section}] {name}") for one in _listed(keys))
            actions[identity] = replace(action, keys={**action.keys, place: chosen})
    _check(actions.values(), source)
    return Keymap(tuple(actions.values()))


def _nearest(word: str, words: Mapping[str, Any]) -> str:
    near = get_close_matches(word, list(words), n=1)
    return f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(words)}"


def _listed(keys: Any) -> list[Any]:
    return keys if isinstance(keys, list) else [keys]


def _key(written: Any, where: str) -> str:
    """A key as people write it, under Textual's name."""
    if isinstance(written, str) and written:
        *prefixes, last = [*written.split("+")] if written != "+" and "++" not in written else [written]
        if len(prefixes) == len(set(prefixes)) and set(prefixes) <= {"ctrl", "alt", "shift"}:
            name = _SIGNS.get(last, last)
            if name in _NAMED or name in _SIGNS.values() or (len(name) == 1 and name.isprintable()):
                return "+".join((*prefixes, name))
    raise InputError(
        f'{where}: {written!r} is no key; write "s", "?", "enter", "f5", "ctrl+s" or a list of such'
    )


def _check(actions: Any, source: str) -> None:
    """No key may mean two things in one place, and every place must have a way back."""
    seen: dict[tuple[Place, str], str] = {}
    for action in actions:
        for place, keys in action.keys.items():
            for key in keys:
                other = seen.setdefault((place, key), action.id)
                if other != action.id:
                    raise InputError(
                        f"{source}: [{place.value}] {key!r} is both {other} and {action.id}; "
                        "give one of them another key"
                    )
            if action.id == "back" and not keys:
                raise InputError(f"{source}: [{place.value}] back: needs a key, or there is no way back")
