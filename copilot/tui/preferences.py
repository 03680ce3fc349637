"""What a person has set in the cockpit and finds again next time: sizes, hidden panels, theme.

One small file in the state folder, which no person writes by hand. One that cannot be read counts as none.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from copilot.documents import read_json
from copilot.errors import InputError
from copilot.plain_files import KIB
from copilot.tui.layout import HIDEABLE, LayoutPreferences

FILE_NAME = "cockpit.json"
_MOST_BYTES = 64 * KIB


@dataclass(frozen=True, slots=True)
class Preferences:
    """`theme` is the name of the theme chosen last, empty if none was."""

    layout: LayoutPreferences = field(default_factory=LayoutPreferences)
    theme: str = ""


def load(path: Path) -> Preferences:
    """What the file holds; the defaults for whatever in it is missing or makes no sense."""
    try:
        given = read_json(path, _MOST_BYTES)
    except InputError:
        return Preferences()
    if not isinstance(given, dict):
        return Preferences()
    hidden = given.get("hidden")
    theme = given.get("theme")
    return Preferences(
        LayoutPreferences(
            side_percent=_percent(given.get("side_percent")),
            below_percent=_percent(given.get("below_percent")),
            hidden=frozenset(_words(hidden)).intersection(HIDEABLE),
            one_line=given.get("one_line") is True,
        ),
        theme if isinstance(theme, str) else "",
    )


def _words(value: Any) -> list[str]:
    return [word for word in value if isinstance(word, str)] if isinstance(value, list) else []


def _percent(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 90 else 0


def save(path: Path, preferences: Preferences) -> None:
    """Write the file in one piece. Where it cannot be written nothing is remembered, and nothing is lost."""
    layout = preferences.layout
    given = {
        "side_percent": layout.side_percent,
        "below_percent": layout.below_percent,
        "hidden": sorted(layout.hidden),
        "one_line": layout.one_line,
        "theme": preferences.theme,
    }
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        beside.write_text(json.dumps(given, indent=2) + "\n", "utf-8")
        beside.replace(path)


class PreferenceKeeper:
    """The preferences while the cockpit runs. With a `path` they are found again next time."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self.current = load(path) if path is not None else Preferences()

    @property
    def layout(self) -> LayoutPreferences:
        return self.current.layout

    def set_layout(self, layout: LayoutPreferences) -> None:
        self._take(replace(self.current, layout=layout))

    def choose_theme(self, theme: str) -> None:
        self._take(replace(self.current, theme=theme))

    def _take(self, preferences: Preferences) -> None:
        if preferences != self.current:
            self.current = preferences
            if self._path is not None:
                save(self._path, preferences)
