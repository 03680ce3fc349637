"""The subject of a question that does not name it: `Continue? [Y/n]` asks about the rows above it.

The risk of a yes is judged by those words too. A command line or an answered question ends them: there may be
rows above that are not used.
"""

from __future__ import annotations

from copilot.core.detection import SAID_ABOVE, Subject
from copilot.detection.inline_choices import YES_NO
from copilot.detection.patterns import compiled
from copilot.detection.regions import Region, Regions

_ROWS = 40
_COMMAND = compiled(
    r"^\s*(?:\([\w.-]+\) )?(?:[$❯➜]|(?:\[?[\w.-]+@[\w.-]+|bash-[\d.]+|sh-[\d.]+)[^$#%]{0,80}[$#%]) +\S"
)
"""A command after a shell prompt; strict, because `100% done` and `# Summary` are output."""
_ANSWERED = compiled(YES_NO + r"[?:]?\s+\S")
_FILLED_IN = compiled(r"^[a-z][a-z .-]{1,30}: \([^()]*\) ?\S*$")
"""A line of a form, `license: (ISC) MIT`; several of them together are the questions before this one."""


def said_above(bare_question_pattern: str, line: Region, regions: Regions) -> Subject | None:
    """The rows above the question as its subject, if the question fits `bare_question_pattern`.

    `cut` is set if there is more text than is read, or no text: then the subject is unknown.
    """
    if not line.rows or compiled(bare_question_pattern).search(line.text) is None:
        return None
    rows, cut = _rows_above(line.rows[0], line.text, regions)
    return Subject(SAID_ABOVE, _joined(rows, regions), cut=cut or not rows, rows=tuple(rows))


def text_above(first_row: int, regions: Regions) -> str:
    """The rows above a question that begins in that row, starting at the command that printed them."""
    rows, _ = _rows_above(first_row, regions.rows.texts[first_row], regions)
    before = regions.rows.text_between(0, (rows[0] if rows else first_row) - 1)
    command = before[-1:] if before and _COMMAND.search(regions.rows.texts[before[-1]]) else []
    return _joined([*command, *rows], regions)


def _joined(rows: list[int], regions: Regions) -> str:
    return "\n".join(regions.rows.texts[row].strip() for row in rows)


def _rows_above(first_row: int, asked: str, regions: Regions) -> tuple[list[int], bool]:
    """The rows in order, and whether there are more of them than are read.

    A question that is asked again, because its answer was not taken, is about what it was about before.
    """
    rows: list[int] = []
    cut = False
    for row in reversed(regions.rows.text_between(0, first_row - 1)):
        text = regions.rows.texts[row]
        if row and all(_FILLED_IN.search(one) for one in regions.rows.texts[row - 1 : row + 1]):
            break
        same_question = text.strip().startswith(asked.strip())
        cut = len(rows) == _ROWS
        if cut or _COMMAND.search(text) or (_ANSWERED.search(text) and not same_question):
            break
        rows.append(row)
    rows.reverse()
    return rows, cut
