"""Themes of the user's own: one TOML file each in `themes/` of the settings folder, named after the file.

What a file does not name is taken from its `base`, the dark or the light theme.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from copilot.errors import InputError
from copilot.tui.palettes import Palette
from copilot.tui.themes import BUILT_IN, DARK, LIGHT, TEXT_PAIRS, Skin

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
_RESERVED = {skin.word for skin in BUILT_IN} | {"auto", "ansi"}


def load_themes(folder: Path) -> tuple[Skin, ...]:
    """The themes in `folder`/themes, by name. Raises InputError: one line with file, key and fix."""
    return tuple(_load(path) for path in sorted((folder / FOLDER).glob("*.toml")))


def _load(path: Path) -> Skin:
    if not _NAME.match(path.stem) or path.stem in _RESERVED:
        raise InputError(
            f"{path}: {path.stem!r} cannot name a theme; use small letters, digits, -; no built-in name"
        )
    try:
        given = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"{path}: cannot be read ({problem}); correct or remove the file") from None
    except tomllib.TOMLDecodeError as problem:
        raise InputError(f"{path}: not TOML ({problem}); correct the file") from None
    return skin_of(path.stem, given, str(path))


def skin_of(word: str, given: Mapping[str, Any], source: str) -> Skin:
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
    skin = replace(
        base,
        **fields,
        name=f"copilot-{word}",
        word=word,
        variables=base.variables | {key: value for key, value in colours.items() if key in _VARIABLES},
        palette=_palette(given, base, colours, source),
    )
    _check_contrast(skin, source)
    return skin


def _palette(given: Mapping[str, Any], base: Skin, cockpit: Mapping[str, str], source: str) -> Palette:
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
            near = get_close_matches(key, keys, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join((*keys, *beside))}"
            raise InputError(f"{source}: [{name}] {key}: no such colour; {hint}")
    return {
        key: _colour(value, f"{source}: [{name}] {key}") for key, value in table.items() if key not in beside
    }


def _colour(value: Any, where: str) -> str:
    if not isinstance(value, str) or not _COLOUR.match(value):
        raise InputError(f'{where}: {value!r} is no colour; write six hexadecimal digits, such as "#1d232c"')
    return value.lower()


def _check_contrast(skin: Skin, source: str) -> None:
    colours = {**skin.to_color_system().generate(), **skin.variables}
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
