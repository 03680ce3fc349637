"""`UiOptions`: what a person may choose about the front end itself, apart from the run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from copilot.errors import InputError
from copilot.tui.themes import DARK, AppTheme, by_word, load_themes
from copilot.tui.user_keys import DEFAULT_KEYMAP, Keymap, load_keymap

DEFAULT_LEADER = "ctrl+]"
"""None of the recorded coding CLIs uses it, and of shells only readline's rare character search."""

AUTO, ANSI = "auto", "ansi"
_NAMES = {"]": "right_square_bracket", "\\": "backslash", "^": "circumflex_accent", "_": "underscore"}
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
    how the desktop is told that a person is needed: auto, osc9, osc777 or off.
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
        return f"{prefix}{plus}{_NAMES.get(last, last)}"

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
