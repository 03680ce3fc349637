"""Everything that is laid over the child's cells, in the colours of one theme."""

from __future__ import annotations

from collections.abc import Mapping

from rich.color import Color
from rich.style import Style as RichStyle

from copilot.tui.widgets.colours import blend
from copilot.tui.widgets.evidence import Mark
from copilot.tui.widgets.paint import Look, Overlay, StripPainter

_FAINT = 0.4
"""Share of the foreground in the background of a cursor that has no focus."""
_FOUND = 0.35
"""Share of the theme's warning colour in the background of a match."""


class Overlays:
    """Made once for a painter; `variables` are those of the theme."""

    def __init__(self, painter: StripPainter, variables: Mapping[str, str], *, no_color: bool) -> None:
        self._painter = painter
        self._variables = variables
        palette = painter.palette
        foreground, background = Color.parse(palette.foreground), Color.parse(palette.background)
        faint = RichStyle(bgcolor=Color.parse(blend(palette.foreground, palette.background, _FAINT)))
        block = RichStyle(color=background, bgcolor=foreground)
        chosen = RichStyle(bgcolor=Color.parse(variables["chosen"]), reverse=no_color or None)
        found = RichStyle(
            color=foreground,
            bgcolor=Color.parse(blend(variables["warning"], palette.background, _FOUND)),
            reverse=no_color or None,
        )
        here = RichStyle(
            color=background,
            bgcolor=Color.parse(variables["warning"]),
            bold=True,
            underline=no_color or None,
            reverse=no_color or None,
        )
        under = RichStyle(color=foreground, underline=True, bold=True)
        self._evidence = RichStyle(bgcolor=Color.parse(variables["evidence"]))
        self.cursor_block = Overlay(painter, lambda own: own + block)
        self.cursor_underline = Overlay(painter, lambda own: own + (faint if own.underline else under))
        self.cursor_bar = Overlay(painter, lambda own: own + RichStyle(color=foreground))
        self.cursor_faint = Overlay(painter, lambda own: own + faint)
        self.selected = Overlay(painter, lambda own: own + chosen)
        self.match = Overlay(painter, lambda own: own + found)
        self.current_match = Overlay(painter, lambda own: own + here)
        self.link = Overlay(painter, lambda own: own + RichStyle(underline=True))
        self.evidence = Overlay(painter, self._with_evidence)
        self._risks: dict[str, Overlay] = {}
        self._marks: dict[str, tuple[Overlay, Look]] = {}

    def _with_evidence(self, own: RichStyle) -> RichStyle:
        """Another background wherever the child set none."""
        plain = self._painter.default.rich.bgcolor
        return own + self._evidence if own.bgcolor == plain else own

    def risk(self, tone: str) -> Overlay:
        """What lies over the part of a command that decided its risk: its colour behind it, and a line."""
        kept = self._risks.get(tone)
        if kept is None:
            palette = self._painter.palette
            tint = blend(self._variables[tone], palette.background, _FOUND)
            look = RichStyle(
                color=Color.parse(palette.foreground), bgcolor=Color.parse(tint), bold=True, underline=True
            )
            kept = self._risks[tone] = Overlay(self._painter, lambda own: own + look)
        return kept

    def mark(self, mark: Mark) -> tuple[Overlay, Look]:
        """What draws this mark over a cell, and its look in the gutter."""
        kept = self._marks.get(mark.colour)
        if kept is None:
            shape = RichStyle(color=Color.parse(self._variables[mark.colour]), bold=True) + self._evidence
            overlay = Overlay(self._painter, lambda own: own + shape)
            kept = self._marks[mark.colour] = overlay, overlay.over(self._painter.default)
        return kept
