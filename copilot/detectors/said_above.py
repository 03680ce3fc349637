"""What a question is about that names nothing itself: `Continue? [Y/n]` asks about the rows above it.

The risk of a yes is judged by those words too. Where a command line or an answered question stands above,
what is older belongs to something else.
"""

from __future__ import annotations

from copilot.core.detection import SAID_ABOVE, Subject
from copilot.detectors.inline_choices import YES_NO
from copilot.detectors.patterns import compiled
from copilot.detectors.regions import SHELL_LINE, Region, Regions

_ROWS = 16
_ANSWERED = compiled(YES_NO + r"[?:]?\s+\S")


def said_above(bare: str, line: Region, regions: Regions) -> Subject | None:
    """The rows above the question as its subject, if the question fits `bare`; None without such rows."""
    if not line.rows or compiled(bare).search(line.text) is None:
        return None
    rows: list[int] = []
    for row in reversed(regions.rows.text_between(0, line.rows[0] - 1)):
        text = regions.rows.texts[row]
        if len(rows) == _ROWS or SHELL_LINE.search(text) or _ANSWERED.search(text):
            break
        rows.append(row)
    rows.reverse()
    text = "\n".join(regions.rows.texts[row].strip() for row in rows)
    return Subject(SAID_ABOVE, text, rows=tuple(rows)) if rows else None
