"""Everything that is laid over the child's cells, in the colours of one theme."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rich.color import Color
from rich.style import Style as RichStyle
from textual.color import Color as ThemeColor

from copilot.tui.themes import Palette
from copilot.tui.widgets.detector_panel import Mark
from copilot.tui.widgets.paint import Look, Overlay, StripPainter, blend, readable_tinted

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


class Overlays:
    """Made once for a painter; `variables` are those of the theme."""

    def __init__(self, painter: StripPainter, variables: Mapping[str, str], *, no_color: bool) -> None:
        self._painter = painter
        self._variables, self._no_color = variables, no_color
        palette = painter.palette
        looks = (
            native_looks(no_color=no_color)
            if palette.native
            else theme_looks(palette, variables, no_color=no_color)
        )
        under = RichStyle(color=looks.foreground, underline=True, bold=True)
        self._evidence = looks.evidence
        ghost = painter.default.rich + self._evidence
        ghost += RichStyle(color=variable_colour(variables["accent"]), italic=True)
        self.cursor_block = self._adding(looks.block)
        self.cursor_underline = Overlay(
            painter,
            lambda own: own + ((looks.block if palette.native else looks.faint) if own.underline else under),
        )
        self.cursor_bar = self._adding(RichStyle(color=looks.foreground))
        self.cursor_faint = self._adding(looks.faint)
        self.selected = self._adding(looks.chosen)
        self.match = self._adding(looks.found)
        self.current_match = self._adding(looks.here)
        self.link = self._adding(RichStyle(underline=True))
        self.evidence = Overlay(painter, self._with_evidence)
        self.ghost = Overlay(painter, lambda own: ghost)
        self._risks: dict[str, Overlay] = {}
        self._marks: dict[str, tuple[Overlay, Look]] = {}

    def _adding(self, style: RichStyle) -> Overlay:
        return Overlay(self._painter, lambda own: laid(own, style))

    def _with_evidence(self, own: RichStyle) -> RichStyle:
        """Another background wherever the child set none, and text that can be read on it as before."""
        if own.bgcolor != self._painter.default.rich.bgcolor:
            return own
        palette, tint = self._painter.palette, self._evidence.bgcolor
        if palette.native or own.color is None or tint is None:
            return own + self._evidence
        shown = readable_tinted(own.color.get_truecolor().hex, palette, tint.get_truecolor().hex)
        return own + self._evidence + RichStyle(color=Color.parse(shown))

    def risk(self, tone: str) -> Overlay:
        """What lies over the part of a command that decided its risk: its colour behind it, and a line."""
        kept = self._risks.get(tone)
        if kept is None:
            look = risk_look(self._painter.palette, self._variables[tone], no_color=self._no_color)
            kept = self._risks[tone] = self._adding(look)
        return kept

    def mark(self, mark: Mark) -> tuple[Overlay, Look]:
        """What draws this mark over a cell, and its look in the gutter."""
        kept = self._marks.get(mark.colour)
        if kept is None:
            shape = RichStyle(color=variable_colour(self._variables[mark.colour]), bold=True) + self._evidence
            overlay = Overlay(self._painter, lambda own: own + shape)
            kept = self._marks[mark.colour] = overlay, overlay.over(self._painter.default)
        return kept
