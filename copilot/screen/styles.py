"""Styles of cells, interned: equal styles are one object, and SGR moves from one style to the next.

A style remembers where each SGR text leads (`next`), so a repeated sequence costs one dictionary
lookup. All tables are bounded: a stream that paints each cell in its own colour stays small.
"""

from __future__ import annotations

from typing import Any

from copilot.core.snapshot import DEFAULT_STYLE, Colour, Style
from copilot.screen import sgr as codes
from copilot.screen.sgr import Attributes, Effect, both_direct, effect

LIMIT = 50_000
"""Styles plus transitions that are remembered before all tables are emptied."""

MOST_EFFECTS = 2048
"""SGR texts whose meaning is remembered, and texts known to have come once."""

LONGEST_KEY = 80
"""SGR texts longer than this are applied but not remembered."""

NOWHERE: dict[str, TextStyle] = {}
"""What follows a style that nothing has followed yet; stays empty, so that a style of a single cell has no
dictionary of its own."""


new_object = object.__new__


class TextStyle:
    """How cells look; immutable but for its caches.

    `next` maps the text of SGR sequences to the style that follows. `rich` is a place for the widget's own
    rendering of the style. `attributes` is the whole value, `seen` what a snapshot shows. `clears` says that
    the background is the default: what is erased with this pen is as if never written.

    A `late` style, of two direct colours that came for the first time, is read on the first access to its
    attributes: a program that gives each cell colours of its own writes most of them over before that. It
    is in no table and is never the way to a next style.
    """

    __slots__ = ("_attributes", "_erased", "_seen", "clears", "kept", "late", "next", "rich")
    kept: tuple[int, Colour, str]

    def __init__(self, attributes: Attributes) -> None:
        self._attributes: Attributes | None = attributes
        self.late = ""
        """The SGR text of a late style; `kept` is what it leaves as it was: flags, underline colour, link."""
        self.clears = attributes[1] == "default"
        self.next: dict[str, TextStyle] = NOWHERE
        self.rich: Any = None
        self._seen: Style | None = None
        self._erased: TextStyle | None = None

    def __repr__(self) -> str:
        return f"TextStyle({self.attributes!r})"

    @property
    def attributes(self) -> Attributes:
        if self._attributes is None:
            foreground, background, *_ = effect(self.late)
            assert foreground is not None and background is not None
            self._attributes = (foreground, background, *self.kept)
        return self._attributes

    @property
    def foreground(self) -> Colour:
        return self.attributes[0]

    @property
    def background(self) -> Colour:
        return self.attributes[1]

    @property
    def flags(self) -> int:
        """Bits of `copilot.screen.sgr`: BOLD, DIM, ITALIC, ..."""
        return self.attributes[2]

    @property
    def underline(self) -> int:
        """0 none, 1 single, 2 double, 3 curly, 4 dotted, 5 dashed."""
        return self.attributes[2] >> codes.UNDERLINE_SHIFT & 7

    @property
    def underline_colour(self) -> Colour:
        return self.attributes[3]

    @property
    def link(self) -> str:
        """The target of an OSC 8 link, empty if none."""
        return self.attributes[4]

    @property
    def seen(self) -> Style:
        """The style as `ScreenSnapshot` shows it."""
        seen = self._seen
        if seen is None:
            foreground, background, flags, _colour, _link = self.attributes
            seen = self._seen = Style(
                foreground,
                background,
                bold=bool(flags & codes.BOLD),
                dim=bool(flags & codes.DIM),
                italic=bool(flags & codes.ITALIC),
                underline=bool(flags & codes.UNDERLINES),
                reverse=bool(flags & codes.REVERSE),
                strikethrough=bool(flags & codes.STRIKE),
                blink=bool(flags & codes.BLINK),
                conceal=bool(flags & codes.CONCEAL),
            )
        return seen


PLAIN: Attributes = ("default", "default", 0, "default", "")
DEFAULT = TextStyle(PLAIN)
"""The style of cells where nothing was written. Never a pen, so that its caches stay empty."""
DEFAULT._seen, DEFAULT._erased = DEFAULT_STYLE, DEFAULT


class Styles:
    """The table of styles of one screen."""

    def __init__(self) -> None:
        self.plain = TextStyle(PLAIN)
        """The pen without any attributes."""
        self.plain._seen, self.plain._erased = DEFAULT_STYLE, DEFAULT
        self._table: dict[Attributes, TextStyle] = {PLAIN: self.plain}
        self._effects: dict[str, Effect] = {}
        self._once: set[str] = set()
        self._remembered = 0

    def intern(self, attributes: Attributes) -> TextStyle:
        return self._table.get(attributes) or self._new(attributes)

    def _new(self, attributes: Attributes) -> TextStyle:
        if self._remembered >= LIMIT:
            self._forget()
        self._remembered += 1
        style = self._table[attributes] = TextStyle(attributes)
        return style

    def follow(self, style: TextStyle, sgr: str) -> TextStyle:
        """The style after `sgr`: one or more SGR sequences, the first ESC [ and nothing else cut off.

        A style that was never seen before is not remembered as a next one: it may never come again.
        """
        found = self._effects.get(sgr)
        if found is None:
            if sgr not in self._once and both_direct(sgr):
                return self._late(style, sgr)
            found = self._effect(sgr)
        foreground, background, keep, flags, colour = found
        old = style._attributes or style.attributes
        attributes = (
            old[0] if foreground is None else foreground,
            old[1] if background is None else background,
            old[2] & keep | flags,
            old[3] if colour is None else colour,
            old[4],
        )
        result = self._table.get(attributes)
        if result is None:
            return self._new(attributes)
        if len(sgr) <= LONGEST_KEY and not style.late:
            if self._remembered >= LIMIT:
                self._forget()
            self._remembered += 1
            if style.next is NOWHERE:
                style.next = {}
            style.next[sgr] = result
        return result

    def _late(self, style: TextStyle, sgr: str) -> TextStyle:
        """The style after two direct colours that were never seen before."""
        if len(self._once) >= MOST_EFFECTS:
            self._once.clear()
        self._once.add(sgr)
        late = new_object(TextStyle)
        late.late = sgr
        late.kept = style.kept if style.late else style.attributes[2:]
        late.clears = False
        late.next = NOWHERE
        late._attributes = late._seen = late._erased = late.rich = None
        return late

    def _effect(self, sgr: str) -> Effect:
        result = effect(sgr)
        if len(sgr) <= LONGEST_KEY:
            if len(self._effects) >= MOST_EFFECTS:
                self._effects.clear()
            self._effects[sgr] = result
        return result

    def erased(self, style: TextStyle) -> TextStyle:
        """The style of cells that are erased while `style` is the pen: its background, nothing else."""
        if style._erased is None:
            blank = ("default", style.background, 0, "default", "")
            style._erased = DEFAULT if style.clears else self.intern(blank)
        return style._erased

    def _forget(self) -> None:
        for style in self._table.values():
            style.next = NOWHERE
        self._table = {PLAIN: self.plain}
        self._remembered = 0
