"""A row of buttons: `<Yes>   <No>`, or words that a profile names, with wide gaps between them."""

from __future__ import annotations

from typing import Any

from copilot.core.detection import Option
from copilot.detectors.choices import Choices
from copilot.detectors.highlight import brightness_of, ground_of
from copilot.detectors.patterns import Pattern, compiled
from copilot.detectors.rows import RowKind, Rows

_BUTTON = compiled(r"[<\[]\s*([A-Za-z][\w ']{0,20}?)\s*[>\]]")


def find_buttons(rows: Rows, first: int, last: int, labels: str = "") -> Choices | None:
    """The lowest row of buttons; `labels` is a pattern for words that are buttons without brackets.

    The lit one is selected; the others are reached by Tab (or Right, where `labels` are given). Where none is
    lit, nothing says how one is reached.
    """
    for row in range(last, first - 1, -1):
        if rows.kinds[row] is not RowKind.TEXT:
            continue
        found = _apart(compiled(labels or _BUTTON.pattern), rows.texts[row])
        if len(found) < 2:
            continue
        if not labels and any(match.group(0)[0] != "<" for match in found):
            continue
        names = [str(match.group(1)) for match in found]
        return _choices_of(names, _lit(rows, row, found), row, "Right" if labels else "Tab")
    return None


def _lit(rows: Rows, row: int, found: list[Any]) -> int | None:
    """The one that stands on another ground than the gap beside it, else the one drawn brightest."""
    styles = rows.snapshot.styles[row]
    gap = rows.columns_of(row, found[0].end(0) - 1, found[1].start(1))
    between = ground_of(styles[gap[len(gap) // 2]]) if gap else None
    starts = [rows.styles_of(row, match.start(1), match.end(1))[0] for match in found]
    lit = [number for number, style in enumerate(starts) if ground_of(style) != between]
    if len(lit) == 1:
        return lit[0]
    looks = [brightness_of(rows, row, match.start(1), match.end(1)) for match in found]
    if len(set(looks)) == 1:
        return None
    odd = [n for n, look in enumerate(looks) if looks.count(look) == 1]
    return odd[0] if len(odd) == 1 else max(range(len(looks)), key=lambda n: looks[n])


def _apart(pattern: Pattern, text: str) -> list[Any]:
    """The matches of a row; the gap behind one button may be the gap before the next."""
    found = []
    match = pattern.search(text)
    while match is not None:
        found.append(match)
        match = pattern.search(text, match.end(1))
    return found


def _choices_of(names: list[str], chosen: int | None, row: int, step: str) -> Choices:
    options = []
    for number, name in enumerate(names):
        if chosen is None:
            options.append(Option(name))
            continue
        distance = number - chosen
        if distance < 0:
            moves = ["Left" if step == "Right" else "S-Tab"] * -distance
        else:
            moves = [step] * distance
        options.append(Option(name, " ".join([*moves, "Enter"]), number == chosen))
    return Choices("buttons", tuple(options), row, row, row if chosen is not None else None)
