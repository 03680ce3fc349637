"""What overlays add to a cell: in the colours of a theme, or by attributes where nobody knows the colours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rich.color import Color
from rich.style import Style as RichStyle
from textual.color import Color as ThemeColor

from copilot.tui.palettes import Palette
from copilot.tui.widgets.colours import blend

_FAINT = 0.4
"""Share of the foreground in the background of a cursor that has no focus."""
_FOUND = 0.35
"""Share of the theme's warning colour in the background of a match."""
_BLACK, _YELLOW = Color.from_ansi(0), Color.from_ansi(3)
"""Readable on each other in every palette of terminals that we know of."""


@dataclass(frozen=True, slots=True)
class OverlayLooks:
    """The styles that are added; `found` is a match, `here` the one that is gone to."""

    foreground: Color
    faint: RichStyle
    block: RichStyle
    chosen: RichStyle
    found: RichStyle
    here: RichStyle
    evidence: RichStyle


def theme_looks(palette: Palette, variables: Mapping[str, str], *, no_color: bool) -> OverlayLooks:
    """In the colours of the theme."""
    foreground, background = Color.parse(palette.foreground), Color.parse(palette.background)
    return OverlayLooks(
        foreground=foreground,
        faint=RichStyle(bgcolor=Color.parse(blend(palette.foreground, palette.background, _FAINT))),
        block=RichStyle(color=background, bgcolor=foreground),
        chosen=RichStyle(bgcolor=Color.parse(variables["chosen"]), reverse=no_color or None),
        found=RichStyle(
            color=foreground,
            bgcolor=Color.parse(blend(variables["warning"], palette.background, _FOUND)),
            reverse=no_color or None,
        ),
        here=RichStyle(
            color=background,
            bgcolor=Color.parse(variables["warning"]),
            bold=True,
            underline=no_color or None,
            reverse=no_color or None,
        ),
        evidence=RichStyle(bgcolor=Color.parse(variables["evidence"])),
    )


def native_looks(*, no_color: bool) -> OverlayLooks:
    """In the outer terminal's own colours: reversed, underlined, black on yellow."""
    yellow = RichStyle() if no_color else RichStyle(color=_BLACK, bgcolor=_YELLOW)
    return OverlayLooks(
        foreground=Color.default(),
        faint=RichStyle(underline=True, bold=True),
        block=RichStyle(reverse=True),
        chosen=RichStyle(reverse=True),
        found=RichStyle(color=None if no_color else _YELLOW, underline=True, reverse=False),
        here=yellow + RichStyle(bold=True, underline=True, reverse=no_color),
        evidence=RichStyle(),
    )


def risk_look(palette: Palette, tone: str, *, no_color: bool) -> RichStyle:
    """The part of a command that decided its risk; `tone` is the colour of the theme."""
    if palette.native:
        return RichStyle(color=variable_colour(tone), bold=True, underline=True, reverse=no_color or None)
    tint = blend(tone, palette.background, _FOUND)
    return RichStyle(
        color=Color.parse(palette.foreground),
        bgcolor=Color.parse(palette.background if no_color else tint),
        bold=True,
        underline=True,
        reverse=no_color or None,
    )


def variable_colour(value: str) -> Color:
    """A theme's colour (`#rrggbb`, `ansi_red`) as Rich knows it."""
    return ThemeColor.parse(value).rich_color


def laid(own: RichStyle, over: RichStyle) -> RichStyle:
    """`over` on the cell's own style; what is reversed twice is shown the other way round again."""
    return own + over + RichStyle(reverse=False) if own.reverse and over.reverse else own + over
