"""What is written to the host's terminal, so that no character shears a row.

Terminals disagree how many cells some texts take: emoji that are joined or newer than the terminal, flags,
signs with a variation, the scripts of India. Rich counts in one way, and where the host counts in another,
all that stands right of such a text in its row, borders too, would be moved. So the place is told again after
each: where the host takes fewer cells a blank stays, where it takes more they are written over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from copilot.sure_widths import undisputed

_TOKENS = re.compile(
    r"\x1b\[\d+;(?P<column>\d+)H"
    r"|\x1b\[[0-?]*[ -/]*(?P<final>[@-~])"
    r"|(?P<string>\x1b[PX\]^_][^\x07\x1b]*(?:\x07|\x1b\\))"
    r"|(?P<text>[^\x00-\x1f\x7f]+)"
    r"|(?P<other>\x1b?[\s\S])"
)
_STAYS = frozenset("mhlqutnc")
"""Sequences after which the cursor is where it was."""


def placed(data: str) -> str:
    """`data`, told where to go on after each text of which the width is disputed."""
    if data.isascii() or undisputed(data):
        return data
    return "".join(_placed(data))


def _placed(data: str) -> Iterator[str]:
    from copilot.widths import layout

    column: int | None = None
    for found in _TOKENS.finditer(data):
        text = found["text"]
        if text is None:
            if found["column"]:
                column = int(found["column"])
            elif not found["string"] and found["final"] not in _STAYS:
                column = None
            yield found[0]
        elif column is None:
            yield text
        else:
            cells = layout(text)[0]
            yield from (text,) if undisputed(text) else _row(cells, column)
            column += len(cells)


def _row(cells: list[str], column: int) -> Iterator[str]:
    index = 0
    while index < len(cells):
        cluster, width = cells[index], 1
        following = cells[index + 1] if index + 1 < len(cells) else " "
        # A flag is two letters in two cells, which some terminals draw as one.
        if following == "" or (_of_a_flag(cluster) and _of_a_flag(following)):
            cluster, width = cluster + following, 2
        here = column + index
        index += width
        if undisputed(cluster):
            yield cluster
        else:
            yield f"{' ' * width}\x1b[{here}G{cluster}\x1b[{here + width}G"


def _of_a_flag(cluster: str) -> bool:
    return "\U0001f1e6" <= cluster <= "\U0001f1ff"
