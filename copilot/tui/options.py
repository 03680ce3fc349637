"""`UiOptions`: what a person may choose about the front end itself, apart from the run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from copilot.errors import InputError

DEFAULT_LEADER = "ctrl+]"
"""None of the recorded coding CLIs uses it, and of shells only readline's rare character search."""

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
    """`leader` is the chord that reaches the co-pilot, as people write it; `theme` is dark, light or auto."""

    leader: str = DEFAULT_LEADER
    theme: str = "auto"

    @property
    def leader_key(self) -> str:
        """The leader under Textual's name."""
        if self.leader == "ctrl+space":
            return "ctrl+at"
        prefix, plus, last = self.leader.rpartition("+")
        return f"{prefix}{plus}{_NAMES.get(last, last)}"

    @property
    def leader_label(self) -> str:
        """The leader as it is shown: `^]`, `F12`."""
        last = self.leader.rpartition("+")[2]
        if not self.leader.startswith("ctrl+"):
            return self.leader.upper()
        return "^Space" if last == "space" else f"^{last.upper()}"


def options_from_environment(environment: Mapping[str, str]) -> UiOptions:
    """The options that `COPILOT_LEADER` and `COPILOT_THEME` ask for. Raises InputError for a bad value."""
    leader = environment.get("COPILOT_LEADER", DEFAULT_LEADER).strip().lower()
    if leader in _NEVER:
        raise InputError(
            f"COPILOT_LEADER={leader}: terminals send that for {_NEVER[leader]}; use ctrl+] or f12"
        )
    if not _LEADER.match(leader):
        raise InputError("COPILOT_LEADER: use ctrl and a letter, or a function key, such as ctrl+] or f12")
    theme = environment.get("COPILOT_THEME", "auto").strip().lower()
    if theme not in ("auto", "dark", "light"):
        raise InputError("COPILOT_THEME: use dark, light or auto")
    return UiOptions(leader, _guess_theme(environment) if theme == "auto" else theme)


def _guess_theme(environment: Mapping[str, str]) -> str:
    """Light if the outer terminal says that its background is (COLORFGBG of rxvt, Konsole and others)."""
    return "light" if environment.get("COLORFGBG", "").rpartition(";")[2] in ("7", "15") else "dark"
