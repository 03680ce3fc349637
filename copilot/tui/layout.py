"""Which form the cockpit takes at a size. Pure, and the same whatever happens in the session.

The terminal's size depends on the window and the person's preferences alone: a panel that came and went with
each prompt would resize the child in the very moment it asks something.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace

LEAST_COLUMNS, LEAST_LINES = 40, 12
WIDE_COLUMNS = 140
TALL_LINES = 34
TIMELINE_LINES = 30
"""From this height on one line is left for the timeline."""
_BARS = 2
"""Status bar and key bar."""
_LEAST_SIDE, _LEAST_BESIDE = 32, 60
_LEAST_BELOW, _LEAST_ABOVE = 6, 14

PANELS = ("detector", "reply", "context")
HIDEABLE = (*PANELS, "timeline")


class Form(enum.StrEnum):
    """Forms of the cockpit, biggest first."""

    WIDE = "wide"
    """Panels beside the terminal."""
    TALL = "tall"
    """Panels under the terminal."""
    COMPACT = "compact"
    """Two lines under the terminal; the panel opens over it when it is wanted."""
    BARE = "bare"
    """The terminal and the bars alone (zoom)."""
    LINE = "line"
    """The terminal and one line of ours."""
    TOO_SMALL = "too-small"


@dataclass(frozen=True, slots=True)
class LayoutPreferences:
    """What the person has set: the panels' share of the window in percent (0: as it comes), what is hidden
    (of HIDEABLE), and whether one line has to do."""

    side_percent: int = 0
    below_percent: int = 0
    hidden: frozenset[str] = frozenset()
    one_line: bool = False

    def toggled(self, name: str) -> LayoutPreferences:
        """The same with that panel hidden, or shown again."""
        return replace(self, hidden=self.hidden ^ {name})


DEFAULT_LAYOUT = LayoutPreferences()


@dataclass(frozen=True, slots=True)
class Layout:
    """A form, the size of its panels (columns beside, or lines below), and whether the timeline shows."""

    form: Form
    side_columns: int = 0
    below_lines: int = 0
    timeline: bool = False


GUTTER_FROM_COLUMNS = 82
"""From this width of the terminal on, one column at its left is ours: it marks evidence by shape."""


def terminal_size(
    columns: int, lines: int, preferences: LayoutPreferences = DEFAULT_LAYOUT, *, tabs: bool = False
) -> tuple[int, int]:
    """Columns and lines that the child gets in a window of that size. `tabs`: below a line of tabs."""
    layout = layout_for(columns, lines, preferences=preferences)
    width = columns - layout.side_columns
    below = layout.below_lines if layout.form in (Form.TALL, Form.COMPACT) else 0
    bars = (1 if layout.form is Form.LINE else _BARS) + layout.timeline + tabs
    gutter = 1 if width >= GUTTER_FROM_COLUMNS else 0
    return max(2, width - gutter), max(2, lines - bars - below)


def layout_for(
    columns: int, lines: int, *, zoomed: bool = False, preferences: LayoutPreferences = DEFAULT_LAYOUT
) -> Layout:
    if columns < LEAST_COLUMNS or lines < LEAST_LINES:
        return Layout(Form.TOO_SMALL)
    if preferences.one_line:
        return Layout(Form.LINE)
    if zoomed:
        return Layout(Form.BARE)
    no_panels = preferences.hidden.issuperset(PANELS)
    timeline = lines >= TIMELINE_LINES and "timeline" not in preferences.hidden
    if columns >= WIDE_COLUMNS and lines >= 24 and not no_panels:
        return Layout(Form.WIDE, side_columns=_side(columns, preferences.side_percent), timeline=timeline)
    if lines >= TALL_LINES and columns >= 80 and not no_panels:
        return Layout(Form.TALL, below_lines=_below(lines, preferences.below_percent), timeline=timeline)
    return Layout(Form.COMPACT, below_lines=2)


def _side(columns: int, percent: int) -> int:
    if not percent:
        return min(72, max(50, columns * 32 // 100))
    return max(_LEAST_SIDE, min(columns * percent // 100, columns - _LEAST_BESIDE))


def _below(lines: int, percent: int) -> int:
    if not percent:
        return min(16, max(10, lines * 3 // 10))
    return max(_LEAST_BELOW, min(lines * percent // 100, lines - _LEAST_ABOVE))


def resized(
    preferences: LayoutPreferences, columns: int, lines: int, *, by: int = 0, to: int | None = None
) -> LayoutPreferences:
    """The preferences with panels that are `by` cells bigger, or `to` cells big, in a window of that size.

    The share of the window is what is kept, so that it holds in other windows too.
    """
    layout = layout_for(columns, lines, preferences=preferences)
    if layout.form is Form.WIDE:
        cells = _within(layout.side_columns + by if to is None else to, _LEAST_SIDE, columns - _LEAST_BESIDE)
        return replace(preferences, side_percent=_percent(cells, columns))
    if layout.form is Form.TALL:
        cells = _within(layout.below_lines + by if to is None else to, _LEAST_BELOW, lines - _LEAST_ABOVE)
        return replace(preferences, below_percent=_percent(cells, lines))
    return preferences


def _within(value: int, least: int, most: int) -> int:
    return max(least, min(value, most))


def _percent(cells: int, whole: int) -> int:
    """The smallest percentage that gives at least so many cells."""
    return -(-cells * 100 // whole)
