"""The screen as it would be read if the cursor were where the program asks.

Programs print a question with a newline behind it, or draw a spinner somewhere else, and read the terminal
all the same. That they read is the word of the kernel; where they ask is the last row with text.
"""

from __future__ import annotations

from dataclasses import replace

from copilot.core.snapshot import Cursor, ScreenSnapshot, TtyFacts
from copilot.detection.patterns import compiled
from copilot.detection.rows import RowKind, Rows

_OPEN = compiled(r"(?i)[\[(]y(?:es)?/no?[\])]\s*[?:]?\s*$")
_ANSWER = compiled(r"(?i)^\W*(?:y|n|yes|no)\W*$")
_REACH = 24
"""An unanswered question so few rows above the last one may be what is read."""


def reads_lines(facts: TtyFacts) -> bool:
    """Whether the kernel says that the program waits for a line of the terminal."""
    return facts.reading is True and facts.canonical is True


def edits_line(snapshot: ScreenSnapshot, facts: TtyFacts) -> bool:
    """Whether the kernel says that the program waits for keys, and its cursor is where a line would begin.

    Line editors read keys one by one and show them themselves: Node's, readline(3).
    """
    keys = facts.reading is True and facts.canonical is False and facts.echo is False
    cursor = snapshot.cursor
    return keys and cursor.visible and cursor.column == 0 and not snapshot.alternate_screen


def behind_last_row(snapshot: ScreenSnapshot, rows: Rows) -> ScreenSnapshot | None:
    """The snapshot with the cursor a blank behind the last row with text; None if it is in that row."""
    row = rows.last_text_row
    if row < 0 or row == snapshot.cursor.row:
        return None
    used = rows.columns_of(row, 0, len(rows.texts[row]))
    characters = list(snapshot.characters)
    characters[row] = tuple(
        text if rows.indent(row) <= column < used.stop else " "
        for column, text in enumerate(snapshot.characters[row])
    )
    cursor = Cursor(row, min(used.stop + 1, snapshot.columns - 1), True)
    return replace(snapshot, characters=tuple(characters), cursor=cursor)


def parked(snapshot: ScreenSnapshot, rows: Rows) -> ScreenSnapshot | None:
    """The snapshot without its cursor, if that is below all text; else None."""
    cursor = snapshot.cursor
    return (
        replace(snapshot, cursor=cursor._replace(visible=False)) if cursor.row > rows.last_used_row else None
    )


def is_open_above(rows: Rows) -> bool:
    """Whether a question above the last row was not answered: it is not known which of them is read."""
    last = rows.last_text_row
    above = [row for row in range(max(last - _REACH, 0), last) if rows.kinds[row] is RowKind.TEXT]
    following = [*above, last][1:]
    return any(
        _OPEN.search(rows.texts[row]) and not _ANSWER.search(rows.texts[below].strip())
        for row, below in zip(above, following, strict=True)
    )
