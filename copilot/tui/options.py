"""`UiOptions`: what a person may choose about the front end, by environment, `keymap.toml` and `themes/`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from copilot.documents import read_toml
from copilot.errors import InputError, suggestion
from copilot.plain_files import KIB, MissingFile
from copilot.tui.keymap import ACTIONS, DEFAULT_KEYMAP, SIGN_NAMES, Keymap, Place
from copilot.tui.themes import DARK, AppTheme, by_word, load_themes

DEFAULT_LEADER = "ctrl+]"
"""None of the recorded coding CLIs uses it, and of shells only readline's rare character search."""

AUTO, ANSI = "auto", "ansi"
_LEADER = re.compile(r"(ctrl\+[a-z\]\\^_]|ctrl\+space|f([1-9]|1[0-9]|2[0-4]))$")
_NEVER = {
    "ctrl+m": "Enter",
    "ctrl+i": "Tab",
    "ctrl+j": "a new line",
    "ctrl+h": "Backspace",
    "ctrl+c": "interrupt",
}


@dataclass(frozen=True, slots=True)
class UiOptions:
    """`leader` is the chord that reaches the co-pilot, as people write it.

    `theme` is a word of `themes`, or auto: the theme that was chosen last, else `likely_theme`. `notify` is
    how a desktop notification is sent: auto, osc9, osc777 or off.
    """

    leader: str = DEFAULT_LEADER
    theme: str = "auto"
    keymap: Keymap = DEFAULT_KEYMAP
    notify: str = "auto"
    bell: bool = True
    likely_theme: str = "dark"
    themes: Mapping[str, AppTheme] = field(default_factory=by_word)

    def initial_theme(self, remembered: str = "") -> AppTheme:
        """The theme to begin with; `remembered` is the name of the one that was chosen last."""
        last = next((theme for theme in self.themes.values() if theme.name == remembered), None)
        if self.theme == AUTO:
            return last or self.themes[self.likely_theme]
        return self.themes.get(self.theme, DARK)

    @property
    def leader_key(self) -> str:
        if self.leader == "ctrl+space":
            return "ctrl+at"
        prefix, plus, last = self.leader.rpartition("+")
        return f"{prefix}{plus}{SIGN_NAMES.get(last, last)}"

    def is_leader(self, key: str) -> bool:
        return self.leader_key == ("ctrl+at" if key == "ctrl+space" else key)

    @property
    def leader_label(self) -> str:
        """The leader as it is shown: `^]`, `F12`."""
        last = self.leader.rpartition("+")[2]
        if not self.leader.startswith("ctrl+"):
            return self.leader.upper()
        return "^Space" if last == "space" else f"^{last.upper()}"


def options_from_environment(environment: Mapping[str, str], folder: Path | None = None) -> UiOptions:
    """The options that `COPILOT_*` variables ask for, and `keymap.toml` and `themes/` in `folder`.

    Raises InputError for a bad value or file.
    """
    keymap, leader = load_keymap(folder) if folder is not None else (DEFAULT_KEYMAP, None)
    themes = by_word(load_themes(folder) if folder is not None else ())
    return UiOptions(
        leader=_leader(environment.get("COPILOT_LEADER") or leader or DEFAULT_LEADER),
        theme=_theme(environment, themes),
        keymap=keymap,
        notify=_one_of(environment, "COPILOT_NOTIFY", ("auto", "osc9", "osc777", "off")),
        bell=_one_of(environment, "COPILOT_BELL", ("on", "off")) == "on",
        likely_theme="light" if _light_outside(environment) else "dark",
        themes=themes,
    )


def _leader(given: str) -> str:
    leader = given.strip().lower()
    if leader in _NEVER:
        raise InputError(
            f"COPILOT_LEADER={leader}: terminals send that for {_NEVER[leader]}; use ctrl+] or f12"
        )
    if not _LEADER.match(leader):
        raise InputError("COPILOT_LEADER: use ctrl and a letter, or a function key, such as ctrl+] or f12")
    return leader


def _one_of(environment: Mapping[str, str], name: str, words: tuple[str, ...]) -> str:
    """The value of a variable that has a few; the first of them is the default."""
    value = environment.get(name, "").strip().lower() or words[0]
    if value not in words:
        raise InputError(f"{name}: use {', '.join(words[:-1])} or {words[-1]}")
    return value


def _theme(environment: Mapping[str, str], themes: Mapping[str, AppTheme]) -> str:
    theme = _one_of(environment, "COPILOT_THEME", (AUTO, *themes, ANSI))
    if theme == ANSI:
        return "ansi-light" if _light_outside(environment) else "ansi-dark"
    return theme


def _light_outside(environment: Mapping[str, str]) -> bool:
    """Whether the outer terminal says that its background is light (COLORFGBG of rxvt, Konsole, …)."""
    return environment.get("COLORFGBG", "").rpartition(";")[2] in ("7", "15")


KEYMAP_FILE = "keymap.toml"
_MOST_BYTES = 64 * KIB
"""Some hundred keys."""
LEADER = "leader_key"
"""The key of the file that names the leader; the environment's COPILOT_LEADER is stronger."""

_PLACES = {place.value: place for place in Place if any(place in action.keys for action in ACTIONS)}
_NAMED = {f"f{number}" for number in range(1, 25)} | {
    *("enter", "escape", "tab", "space", "backspace", "insert", "delete"),
    *("up", "down", "left", "right", "home", "end", "pageup", "pagedown"),
}


def load_keymap(folder: Path) -> tuple[Keymap, str | None]:
    """The keymap with the changes of `keymap.toml` in `folder`, and the leader that the file names, if any.

    Raises InputError: one line with file, place and key.
    """
    path = folder / KEYMAP_FILE
    try:
        given = read_toml(path, _MOST_BYTES)
    except MissingFile:
        return DEFAULT_KEYMAP, None
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
            raise InputError(f"{source}: {section!r} is no place; {suggestion(section, _PLACES)}")
        for name, keys in entries.items():
            identity = name.replace(" ", "_").replace("-", "_")
            action = actions.get(identity)
            if action is None:
                raise InputError(
                    f"{source}: [{section}] {name}: no such action; {suggestion(identity, actions)}"
                )
            if place not in action.keys:
                usual = ", ".join(place.value for place in action.keys)
                raise InputError(
                    f"{source}: [{section}] {name}: this action has no keys there; move it to {usual}"
                )
            chosen = tuple(_key(one, f"{source}: [{section}] {name}") for one in _listed(keys))
            actions[identity] = replace(action, keys={**action.keys, place: chosen})
    _check(actions.values(), source)
    return Keymap(tuple(actions.values()))


def _listed(keys: Any) -> list[Any]:
    return keys if isinstance(keys, list) else [keys]


def _key(written: Any, where: str) -> str:
    """A key as people write it, under Textual's name."""
    if isinstance(written, str) and written:
        *prefixes, last = [*written.split("+")] if written != "+" and "++" not in written else [written]
        if len(prefixes) == len(set(prefixes)) and set(prefixes) <= {"ctrl", "alt", "shift"}:
            name = SIGN_NAMES.get(last, last)
            if name in _NAMED or name in SIGN_NAMES.values() or (len(name) == 1 and name.isprintable()):
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
