"""The themes: dark and light in colours of our own, and two in the terminal's own sixteen ("ansi")."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from textual.theme import BUILTIN_THEMES, Theme

from copilot.tui.palettes import DARK_CELLS, LIGHT_CELLS, Palette


@dataclass
class Skin(Theme):
    """A theme that knows what a person calls it, and what the child's colours mean in it."""

    word: str = ""
    palette: Palette = DARK_CELLS


DARK = Skin(
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
LIGHT = Skin(
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
"""What marks by a background elsewhere marks by its sign alone where nobody knows the colours behind it.

What is chosen is reversed, which can be seen whatever the colours are. Badges are not bold there: many
terminals draw bold black as grey."""
ANSI_DARK = Skin(
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
ANSI_LIGHT = Skin(
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
THEMES = {skin.word: skin for skin in BUILT_IN}
PALETTES = {skin.name: skin.palette for skin in BUILT_IN}


def by_word(more: Iterable[Skin] = ()) -> dict[str, Skin]:
    """All themes by what people call them, the built-in ones first."""
    return {skin.word: skin for skin in (*BUILT_IN, *more)}


def palette_of(theme: Theme) -> Palette:
    """What the child's colours mean in this theme."""
    return theme.palette if isinstance(theme, Skin) else DARK_CELLS


def following(word: str, skins: Mapping[str, Skin]) -> Skin:
    """The theme after the one of that word, round the end."""
    words = list(skins)
    return skins[words[(words.index(word) + 1) % len(words)]] if word in words else DARK
