"""What the default colours and the sixteen of the child's cells mean in each theme."""

from __future__ import annotations

from dataclasses import dataclass

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
    native: bool = False
    """Cells are drawn in the outer terminal's own colours; those above are only told to the child."""


DARK_CELLS = Palette("#d9dfe7", "#0d1117", _DARK_NORMAL + _DARK_BRIGHT, _DARK_BEHIND + _DARK_BRIGHT)
LIGHT_CELLS = Palette("#1d232c", "#fcfcfa", _LIGHT_NORMAL + _LIGHT_BRIGHT, _LIGHT_BEHIND * 2, 4.5)
