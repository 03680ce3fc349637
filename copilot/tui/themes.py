"""The dark and the light theme, and the sixteen colours that the child's palette means in each."""

from __future__ import annotations

from dataclasses import dataclass

from textual.theme import Theme

DARK = Theme(
    name="copilot-dark",
    primary="#6cb6ff",
    secondary="#97a4b4",
    accent="#c8a6ff",
    warning="#f2b84b",
    error="#ff8178",
    success="#62d492",
    foreground="#d9dfe7",
    background="#0d1117",
    surface="#131920",
    panel="#1b222c",
    dark=True,
    variables={
        "quiet": "#93a0b0",
        "rule": "#2c3643",
        "on-badge": "#0d1117",
        "evidence": "#2d2613",
        "chosen": "#1d3350",
    },
)
LIGHT = Theme(
    name="copilot-light",
    primary="#0b5cad",
    secondary="#56606c",
    accent="#6b3fb8",
    warning="#855300",
    error="#b02318",
    success="#11683a",
    foreground="#1d232c",
    background="#fcfcfa",
    surface="#f3f4f5",
    panel="#e7eaee",
    dark=False,
    variables={
        "quiet": "#56606c",
        "rule": "#c9d0d8",
        "on-badge": "#ffffff",
        "evidence": "#fbeccb",
        "chosen": "#d5e6fa",
    },
)
THEMES = {"dark": DARK, "light": LIGHT}

_DARK_NORMAL = "#2b323c", "#ff7b72", "#56d08a", "#e3b341", "#6cb6ff", "#d2a8ff", "#56d4dd", "#c3ccd6"
_DARK_BRIGHT = "#6f7d8d", "#ffa198", "#7ee2a8", "#f2cc60", "#96cbff", "#e2c5ff", "#8be5eb", "#f5f8fb"
_LIGHT_NORMAL = "#24292f", "#b02318", "#11683a", "#7a5200", "#0b5cad", "#7a3db8", "#0b6a75", "#6a737d"
_LIGHT_BRIGHT = "#57606a", "#c9352a", "#1a7f4b", "#8f6200", "#1a6fc4", "#8f52cc", "#147f8b", "#2f363d"

_DARK_BEHIND = "#2b323c", "#a83a34", "#3c9a63", "#b98a22", "#2558a0", "#8a55b8", "#24868f", "#c3ccd6"
_LIGHT_BEHIND = "#d0d7de", "#ffd2ce", "#c5ebd3", "#f6e1a8", "#cfe3fb", "#e6d6fa", "#bfe9ee", "#e7eaee"
"""The same colours behind text: Midnight Commander and dialog write white and yellow on blue and cyan."""


@dataclass(frozen=True)
class Palette:
    """Colours of the child's cells: the default pair, the sixteen, and the sixteen as backgrounds."""

    foreground: str
    background: str
    ansi: tuple[str, ...]
    ansi_behind: tuple[str, ...]
    least_contrast: float = 1.2
    """Text of less contrast to the default background is drawn stronger: what is there can be read."""


PALETTES = {
    "copilot-dark": Palette("#d9dfe7", "#0d1117", _DARK_NORMAL + _DARK_BRIGHT, _DARK_BEHIND + _DARK_BRIGHT),
    "copilot-light": Palette("#1d232c", "#fcfcfa", _LIGHT_NORMAL + _LIGHT_BRIGHT, _LIGHT_BEHIND * 2, 2.2),
}
