"""The logical line up to the cursor: where text typed at a line prompt shows.

Programs that draw their own cursor hide the terminal's and park it elsewhere; then the line up to the drawn
one counts: a single cell in reverse video, or a block glyph.
"""

from __future__ import annotations

from copilot.core.snapshot import ScreenSnapshot

_BLOCKS = "█▉▊▋▌▍▎▏"


def before_cursor(snapshot: ScreenSnapshot) -> str:
    """The text left of the cursor, with the rows above that wrap into the cursor's row."""
    row, column, visible = snapshot.cursor
    if not visible:
        row, column = drawn_cursor(snapshot) or (row, column)
    if not 0 <= row < len(snapshot.characters):
        return ""
    first = row
    while first > 0 and snapshot.wrapped and snapshot.wrapped[first - 1]:
        first -= 1
    above = "".join(snapshot.lines[first:row])
    return above + "".join(snapshot.characters[row][: max(0, column)])


def drawn_cursor(snapshot: ScreenSnapshot) -> tuple[int, int] | None:
    """The place of the only drawn cursor on the screen; None if there is none, or more than one."""
    found = [
        (row, column)
        for row, line in enumerate(snapshot.lines)
        for column in _drawn_in(snapshot, row)
        if line.strip()
    ]
    return found[0] if len(found) == 1 else None


def _drawn_in(snapshot: ScreenSnapshot, row: int) -> list[int]:
    styles, characters = snapshot.styles[row], snapshot.characters[row]
    lit = [column for column, style in enumerate(styles) if style.reverse]
    alone = [column for column in lit if column - 1 not in lit and column + 1 not in lit]
    if alone:
        return alone
    blocks = [column for column, text in enumerate(characters) if text and text in _BLOCKS]
    return [column for column in blocks if column - 1 not in blocks and column + 1 not in blocks]
