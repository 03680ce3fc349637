"""The logical line up to the cursor: where text typed at a line prompt shows."""

from __future__ import annotations

from copilot.core.snapshot import ScreenSnapshot


def before_cursor(snapshot: ScreenSnapshot) -> str:
    """The text left of the cursor, with the rows above that wrap into the cursor's row."""
    row, column, _ = snapshot.cursor
    if not 0 <= row < len(snapshot.characters):
        return ""
    first = row
    while first > 0 and snapshot.wrapped and snapshot.wrapped[first - 1]:
        first -= 1
    above = "".join(snapshot.lines[first:row])
    return above + "".join(snapshot.characters[row][: max(0, column)])
