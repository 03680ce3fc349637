"""Options side by side in one row, right above the row that names the keys to move: tabs and unknown buttons.

One of them is on another ground than all others. Nothing else may be in the row, and the row of keys must say
that arrows or Tab move and Enter takes: a lit word in a line of prose is no list.
"""

from __future__ import annotations

from copilot.core.detection import Option
from copilot.detection.choices import Choices
from copilot.detection.highlight import ground_of
from copilot.detection.patterns import compiled
from copilot.detection.rows import RowKind, Rows

FORM = "tabs"
_MOVES = compiled(r"(?i)(?:(←|→|⇆|\bleft\b|\barrows?\b)|\btab\b)[^\n]{0,60}(?:\b(?:enter|return)\b|⏎)")
_ACCEPTS = compiled(
    r"(?i)(?:\b(?:enter|return)\b|⏎)[^\n]{0,12}\b(?:select|submit|confirm|choose|accept|pick)\b"
)
_FOOTER_ROWS = 3
_GAP = 2
_PART = compiled(r"[^\s\[\]<>|│](?:\s?[^\s\[\]<>|│])*")
"""Words with single blanks between them; brackets and bars are the form of a button."""
_LONGEST, _MOST = 32, 8


def find_tabs(rows: Rows) -> Choices | None:
    """The row above the row of keys as options with the keys that take each; None if it is no such row."""
    footer = next((row for row in rows.text_rows[-_FOOTER_ROWS:] if _MOVES.search(rows.texts[row])), -1)
    row = next((row for row in reversed(rows.text_rows) if row < footer), -1)
    if row < 0 or not _ACCEPTS.search(rows.texts[footer]):
        return None
    if sum(rows.kinds[between] is RowKind.BLANK for between in range(row, footer)) > _GAP:
        return None
    parts = list(_PART.finditer(rows.texts[row]))
    grounds = [
        {ground_of(style) for style in rows.styles_of(row, part.start(), part.end())} for part in parts
    ]
    if not 2 <= len(parts) <= _MOST or any(len(str(part.group(0))) > _LONGEST for part in parts):
        return None
    lit = [number for number, ground in enumerate(grounds) if grounds.count(ground) == 1]
    if len(lit) != 1 + (len(parts) == 2) or any(len(ground) != 1 for ground in grounds):
        return None
    chosen = _lit_of_two(rows, row, grounds) if len(parts) == 2 else lit[0]
    if chosen is None:
        return None
    arrows = _MOVES.search(rows.texts[footer]).group(1) is not None
    labels = [str(part.group(0)) for part in parts]
    options = tuple(
        Option(label, _keys(number - chosen, arrows), number == chosen) for number, label in enumerate(labels)
    )
    return Choices(FORM, options, row, row, row)


def _lit_of_two(rows: Rows, row: int, grounds: list[set[tuple[bool, object]]]) -> int | None:
    """Which of two is lit: the one that is not on the ground of the row's end."""
    own = ground_of(rows.snapshot.styles[row][-1])
    lit = [number for number, ground in enumerate(grounds) if own not in ground]
    return lit[0] if len(lit) == 1 else None


def _keys(distance: int, arrows: bool) -> str:
    step = ("Right" if distance > 0 else "Left") if arrows else ("Tab" if distance > 0 else "S-Tab")
    return " ".join([*[step] * abs(distance), "Enter"])
