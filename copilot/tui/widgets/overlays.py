"""Everything that is laid over the child's cells, in the colours of one theme."""

from __future__ import annotations

from collections.abc import Mapping

from rich.color import Color
from rich.style import Style as RichStyle

from copilot.tui.widgets.colours import readable_tinted
from copilot.tui.widgets.evidence import Mark
from copilot.tui.widgets.overlay_looks import laid, native_looks, risk_look, theme_looks, variable_colour
from copilot.tui.widgets.paint import Look, Overlay, StripPainter


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
