"""The themes: dark and light in colours of our own, and two in the terminal's own sixteen ("ansi")."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from textual.theme import BUILTIN_THEMES
from textual.theme import Theme as TextualTheme

from copilot.core.reply import Autonomy
from copilot.documents import read_toml
from copilot.errors import InputError, suggestion
from copilot.plain_files import KIB

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
    """Cells are drawn in the outer terminal's own colours; the child is only given those above."""


DARK_CELLS = Palette("#d9dfe7", "#0d1117", _DARK_NORMAL + _DARK_BRIGHT, _DARK_BEHIND + _DARK_BRIGHT)
LIGHT_CELLS = Palette("#1d232c", "#fcfcfa", _LIGHT_NORMAL + _LIGHT_BRIGHT, _LIGHT_BEHIND * 2, 4.5)


LEVEL_SHAPES = {Autonomy.WATCH: "○○○", Autonomy.SUGGEST: "●○○", Autonomy.ASSIST: "●●○", Autonomy.FULL: "●●●"}


@dataclass
class AppTheme(TextualTheme):
    """A theme that knows what a person calls it, and what the child's colours mean in it."""

    word: str = ""
    palette: Palette = DARK_CELLS


DARK = AppTheme(
    name="copilot-dark",
    word="dark",
    palette=DARK_CELLS,
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
        "ground": "#2c3643",
        "on-badge": "#0d1117",
        "badge": "bold",
        "picked": "not reverse",
        "evidence": "#2d2613",
        "chosen": "#1d3350",
    },
)
LIGHT = AppTheme(
    name="copilot-light",
    word="light",
    palette=LIGHT_CELLS,
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
        "ground": "#c9d0d8",
        "on-badge": "#ffffff",
        "badge": "bold",
        "picked": "not reverse",
        "evidence": "#fbeccb",
        "chosen": "#d5e6fa",
    },
)

_PLAIN = {
    "badge": "not bold",
    "picked": "reverse",
    "chosen": "ansi_default",
    "evidence": "ansi_default",
    "scrollbar-corner-color": "ansi_default",
}
"""What marks by a background elsewhere marks by its sign alone where the colours behind it are unknown.

What is chosen is reversed, which can be seen whatever the colours are. Badges are not bold there: many
terminals draw bold black as grey."""
ANSI_DARK = AppTheme(
    name="copilot-ansi-dark",
    word="ansi-dark",
    palette=replace(DARK_CELLS, native=True),
    ansi=True,
    primary="ansi_bright_cyan",
    secondary="ansi_white",
    accent="ansi_bright_magenta",
    warning="ansi_bright_yellow",
    error="ansi_bright_red",
    success="ansi_bright_green",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    dark=True,
    variables={
        **BUILTIN_THEMES["ansi-dark"].variables,
        **_PLAIN,
        "quiet": "ansi_white",
        "rule": "ansi_bright_black",
        "ground": "ansi_black",
        "on-badge": "ansi_black",
        "block-cursor-foreground": "ansi_black",
        "block-cursor-background": "ansi_white",
        "input-cursor-foreground": "ansi_black",
        "input-cursor-background": "ansi_white",
        "input-selection-foreground": "ansi_black",
        "input-selection-background": "ansi_bright_cyan",
    },
)
ANSI_LIGHT = AppTheme(
    name="copilot-ansi-light",
    word="ansi-light",
    palette=replace(LIGHT_CELLS, native=True),
    ansi=True,
    primary="ansi_blue",
    secondary="ansi_black",
    accent="ansi_magenta",
    warning="ansi_magenta",
    error="ansi_red",
    success="ansi_blue",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    dark=False,
    variables={
        **BUILTIN_THEMES["ansi-light"].variables,
        **_PLAIN,
        "quiet": "ansi_black",
        "rule": "ansi_white",
        "ground": "ansi_white",
        "on-badge": "ansi_bright_white",
        "block-cursor-foreground": "ansi_bright_white",
        "block-cursor-background": "ansi_blue",
        "input-cursor-foreground": "ansi_bright_white",
        "input-cursor-background": "ansi_black",
        "input-selection-foreground": "ansi_bright_white",
        "input-selection-background": "ansi_blue",
    },
)
"""Green and yellow cannot be read on white in most terminals' own colours, so they are left out."""

_TONES = ("primary", "accent", "warning", "error", "success", "quiet")
TEXT_PAIRS = (
    *((text, ground) for text in ("foreground", *_TONES) for ground in ("background", "surface", "panel")),
    *(("on-badge", tone) for tone in _TONES),
    *(("foreground", ground) for ground in ("chosen", "evidence", "ground")),
)
"""Which colour of a theme is written on which."""

BUILT_IN = (DARK, LIGHT, ANSI_DARK, ANSI_LIGHT)
THEMES = {theme.word: theme for theme in BUILT_IN}
PALETTES = {theme.name: theme.palette for theme in BUILT_IN}


def by_word(more: Iterable[AppTheme] = ()) -> dict[str, AppTheme]:
    """All themes by what people call them, the built-in ones first."""
    return {theme.word: theme for theme in (*BUILT_IN, *more)}


def palette_of(theme: TextualTheme) -> Palette:
    return theme.palette if isinstance(theme, AppTheme) else DARK_CELLS


def following(word: str, themes: Mapping[str, AppTheme]) -> AppTheme:
    words = list(themes)
    return themes[words[(words.index(word) + 1) % len(words)]] if word in words else DARK


# Themes of the user's own: one TOML file each in `themes/` of the settings folder, named after the file.
#
# What a file does not name is taken from its `base`, the dark or the light theme.


FOLDER = "themes"
LEAST_CONTRAST = 3.0
"""What WCAG 2.2 asks of large text (1.4.3). Ours have 4.5; below this a question might not be seen."""

_BASES = {"dark": DARK, "light": LIGHT}
_FIELDS = (
    *("primary", "secondary", "accent", "warning", "error", "success"),
    *("foreground", "background", "surface", "panel"),
)
_VARIABLES = ("quiet", "rule", "ground", "on-badge", "evidence", "chosen")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}\Z")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}\Z")
_SIXTEEN = 16
_MOST_BYTES = 64 * KIB
"""Some thirty colours."""
_RESERVED = {theme.word for theme in BUILT_IN} | {"auto", "ansi"}


def load_themes(folder: Path) -> tuple[AppTheme, ...]:
    """The themes in `folder`/themes, by name. Raises InputError: one line with file, key and fix."""
    return tuple(_load(path) for path in sorted((folder / FOLDER).glob("*.toml")))


def _load(path: Path) -> AppTheme:
    if not _NAME.match(path.stem) or path.stem in _RESERVED:
        raise InputError(
            f"{path}: {path.stem!r} cannot name a theme; use small letters, digits, -; no built-in name"
        )
    return theme_of(path.stem, read_toml(path, _MOST_BYTES), str(path))


def theme_of(word: str, given: Mapping[str, Any], source: str) -> AppTheme:
    """The theme that the tables of a file describe. Raises InputError."""
    for key in given:
        if key not in ("base", "cockpit", "terminal"):
            raise InputError(
                f"{source}: {key!r} is no key of a theme; there are base, [cockpit] and [terminal]"
            )
    base = _BASES.get(given.get("base", "dark"))
    if base is None:
        raise InputError(f"{source}: base: use dark or light")
    colours = _colours(given, "cockpit", (*_FIELDS, *_VARIABLES), source)
    if "rule" in colours:
        colours.setdefault("ground", colours["rule"])
    fields: dict[str, Any] = {key: value for key, value in colours.items() if key in _FIELDS}
    theme = replace(
        base,
        **fields,
        name=f"copilot-{word}",
        word=word,
        variables=base.variables | {key: value for key, value in colours.items() if key in _VARIABLES},
        palette=_palette(given, base, colours, source),
    )
    _check_contrast(theme, source)
    return theme


def _palette(given: Mapping[str, Any], base: AppTheme, cockpit: Mapping[str, str], source: str) -> Palette:
    """The child's colours: as given, else those of the cockpit, else those of the base."""
    table = given.get("terminal")
    sixteen = table.get("colours") if isinstance(table, dict) else None
    own = _colours(given, "terminal", ("foreground", "background"), source, beside=("colours",))
    palette = replace(
        base.palette,
        foreground=own.get("foreground") or cockpit.get("foreground") or base.palette.foreground,
        background=own.get("background") or cockpit.get("background") or base.palette.background,
    )
    if _contrast(palette.foreground, palette.background) < LEAST_CONTRAST:
        raise InputError(f"{source}: [terminal] foreground: too near to the background; choose another one")
    if sixteen is None:
        return palette
    if not isinstance(sixteen, list) or len(sixteen) != _SIXTEEN:
        raise InputError(f"{source}: [terminal] colours: give sixteen, black to white, then the bright ones")
    listed = tuple(_colour(one, f"{source}: [terminal] colours: number {n}") for n, one in enumerate(sixteen))
    return replace(palette, ansi=listed, ansi_behind=listed)


def _colours(
    given: Mapping[str, Any], name: str, keys: tuple[str, ...], source: str, *, beside: tuple[str, ...] = ()
) -> dict[str, str]:
    table = given.get(name, {})
    if not isinstance(table, dict):
        raise InputError(f"{source}: {name}: write it as a table, [{name}], with colours below it")
    for key in table:
        if key not in (*keys, *beside):
            hint = suggestion(key, (*keys, *beside))
            raise InputError(f"{source}: [{name}] {key}: no such colour; {hint}")
    return {
        key: _colour(value, f"{source}: [{name}] {key}") for key, value in table.items() if key not in beside
    }


def _colour(value: Any, where: str) -> str:
    if not isinstance(value, str) or not _COLOUR.match(value):
        raise InputError(f'{where}: {value!r} is no colour; write six hexadecimal digits, such as "#1d232c"')
    return value.lower()


def _check_contrast(theme: AppTheme, source: str) -> None:
    colours = {**theme.to_color_system().generate(), **theme.variables}
    for text, ground in TEXT_PAIRS:
        found = _contrast(colours[text], colours[ground])
        if found < LEAST_CONTRAST:
            raise InputError(
                f"{source}: [cockpit] {text}: its contrast to {ground} is {found:.1f} and must be "
                f"{LEAST_CONTRAST:g} or more; choose another one"
            )


def _contrast(one: str, other: str) -> float:
    # The room of the screen is loaded after the first frame, and only a theme of one's own needs it before.
    from copilot.screen.theme import hex_contrast

    return hex_contrast(one, other)
