"""Styles of cells, interned: equal styles are one object, and SGR moves from one style to the next.

A style remembers where each SGR text leads (`next`), so a repeated sequence costs one dictionary
lookup. All tables are bounded: a stream that paints each cell in its own colour stays small.
"""

from __future__ import annotations

from typing import Any

from copilot.core.snapshot import DEFAULT_STYLE, Colour, Style
from copilot.screen.sgr import (
    BLINK,
    BOLD,
    CONCEAL,
    DIM,
    ITALIC,
    REVERSE,
    STRIKE,
    UNDERLINE_SHIFT,
    UNDERLINES,
    Attributes,
    apply,
)

LIMIT = 50_000
"""Styles plus transitions that are remembered before all tables are emptied."""

LONGEST_KEY = 80
"""SGR texts longer than this are applied but not remembered."""


class TextStyle:
    """How cells look; immutable but for its caches.

    `next` maps the text of SGR sequences to the style that follows. `rich` is a place for the
    widget's own rendering of the style. `attributes` is the whole value, `seen` what a snapshot tells.
    """

    __slots__ = ("_erased", "_seen", "attributes", "background", "next", "rich")

    def __init__(self, attributes: Attributes) -> None:
        self.attributes = attributes
        self.background: Colour = attributes[1]
        self.next: dict[str, TextStyle] = {}
        self.rich: Any = None
        self._seen: Style | None = None
        self._erased: TextStyle | None = None

    def __repr__(self) -> str:
        return f"TextStyle({self.attributes!r})"

    @property
    def foreground(self) -> Colour:
        return self.attributes[0]

    @property
    def flags(self) -> int:
        """Bits of `copilot.screen.sgr`: BOLD, DIM, ITALIC, ..."""
        return self.attributes[2]

    @property
    def underline(self) -> int:
        """0 none, 1 single, 2 double, 3 curly, 4 dotted, 5 dashed."""
        return self.attributes[2] >> UNDERLINE_SHIFT & 7

    @property
    def underline_colour(self) -> Colour:
        return self.attributes[3]

    @property
    def link(self) -> str:
        """The target of an OSC 8 link, empty if none."""
        return self.attributes[4]

    @property
    def seen(self) -> Style:
        """The style as `ScreenSnapshot` tells it."""
        seen = self._seen
        if seen is None:
            foreground, background, flags, _colour, _link = self.attributes
            seen = self._seen = Style(
                foreground,
                background,
                bold=bool(flags & BOLD),
                dim=bool(flags & DIM),
                italic=bool(flags & ITALIC),
                underline=bool(flags & UNDERLINES),
                reverse=bool(flags & REVERSE),
                strikethrough=bool(flags & STRIKE),
                blink=bool(flags & BLINK),
                conceal=bool(flags & CONCEAL),
            )
        return seen


PLAIN: Attributes = ("default", "default", 0, "default", "")
DEFAULT = TextStyle(PLAIN)
DEFAULT._seen = DEFAULT_STYLE
DEFAULT._erased = DEFAULT


class Styles:
    """The table of styles of one screen."""

    def __init__(self) -> None:
        self._table: dict[Attributes, TextStyle] = {PLAIN: DEFAULT}
        self._remembered = 0

    def intern(self, attributes: Attributes) -> TextStyle:
        style = self._table.get(attributes)
        if style is None:
            self._remember()
            style = self._table[attributes] = TextStyle(attributes)
        return style

    def follow(self, style: TextStyle, sgr: str) -> TextStyle:
        """The style after `sgr`: one or more SGR sequences, the first ESC [ and nothing else cut off."""
        attributes = style.attributes
        for parameters in sgr[:-1].split("m\x1b["):
            attributes = apply(attributes, parameters)
        result = self.intern(attributes)
        if len(sgr) <= LONGEST_KEY:
            self._remember()
            style.next[sgr] = result
        return result

    def erased(self, style: TextStyle) -> TextStyle:
        """The style of cells that are erased while `style` is the pen: its background, nothing else."""
        if style._erased is None:
            style._erased = self.intern(("default", style.background, 0, "default", ""))
        return style._erased

    def _remember(self) -> None:
        self._remembered += 1
        if self._remembered > LIMIT:
            for style in self._table.values():
                style.next.clear()
            DEFAULT.next.clear()
            self._table = {PLAIN: DEFAULT}
            self._remembered = 0
