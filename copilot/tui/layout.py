"""Which form the cockpit takes at a size. Pure, and the same whatever happens in the session.

The terminal's size depends on the window alone: a panel that came and went with each prompt would resize
the child in the very moment it asks something.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

LEAST_COLUMNS, LEAST_LINES = 40, 12
WIDE_COLUMNS = 140
TALL_LINES = 34
_BARS = 2
"""Status bar and key bar."""


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
    TOO_SMALL = "too-small"


@dataclass(frozen=True, slots=True)
class Layout:
    """A form and the size of its panels: columns beside, or lines below."""

    form: Form
    side_columns: int = 0
    below_lines: int = 0


GUTTER_FROM_COLUMNS = 82
"""From this width of the terminal on, one column at its left is ours: it marks evidence by shape."""


def terminal_size(columns: int, lines: int) -> tuple[int, int]:
    """Columns and lines that the child gets in a window of that size."""
    layout = layout_for(columns, lines)
    width = columns - layout.side_columns
    below = layout.below_lines if layout.form in (Form.TALL, Form.COMPACT) else 0
    gutter = 1 if width >= GUTTER_FROM_COLUMNS else 0
    return max(2, width - gutter), max(2, lines - _BARS - below)


def layout_for(columns: int, lines: int, *, zoomed: bool = False) -> Layout:
    """The layout of a window of that size."""
    if columns < LEAST_COLUMNS or lines < LEAST_LINES:
        return Layout(Form.TOO_SMALL)
    if zoomed:
        return Layout(Form.BARE)
    if columns >= WIDE_COLUMNS and lines >= 24:
        return Layout(Form.WIDE, side_columns=min(72, max(50, columns * 32 // 100)))
    if lines >= TALL_LINES and columns >= 80:
        return Layout(Form.TALL, below_lines=min(16, max(10, lines * 3 // 10)))
    return Layout(Form.COMPACT, below_lines=2)
