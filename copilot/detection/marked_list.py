"""Lists right above a row that names their keys, marked in other ways than a pointer glyph.

A lit row, `->` or `*` before one, `( )` before each, or a key before each. The row of keys is what says that
such a block is a list: without it the block may be prose.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from copilot.core.detection import Option
from copilot.detection.choices import Choices
from copilot.detection.highlight import ground_of
from copilot.detection.patterns import compiled
from copilot.detection.rows import RowKind, Rows

FORM = "marked"
_KEYS = compiled(
    r"(?i)(↑|↓|←|→|⇆|\barrows?\b|\benter\b|\breturn\b|⏎|\bspace\b|\btab\b|\bj/k\b)[^\n]{0,60}"
    r"\b(select|submit|confirm|choose|navigat\w*|toggle|move|switch|pick)\b"
)
_FOOTER_ROWS = 3
"""The row of keys is one of so many last rows with text."""
_GAP = 2
_RADIO = compiled(r"^\s*\(([ *xX•●])\)\s+(\S.*)$")
_ARROW = compiled(r"^(\s*)(\*|->|=>|>>)(\s+)(\S.*)$")
_KEYED = compiled(r"^\s*(?:\[([A-Za-z0-9])\]|\(?([a-z])[.)])\s+(\S.*)$")
_CHECK = compiled(r"^(?:\[([ *xX✓✔])\]|([☐☑☒◻◼]))\s+(\S.*)$")
_LEAST = 2


def find_marked(rows: Rows) -> Choices | None:
    """The block above the row of keys as a list; None if there is none, or nothing marks it as one."""
    numbers = _block(rows)
    for read in _READERS:
        for first in range(len(numbers) - _LEAST + 1):
            choices = read(rows, numbers[first:])
            if choices is not None:
                return choices
    return None


def _block(rows: Rows) -> tuple[int, ...]:
    """The rows with text that touch each other, right above the row of keys."""
    footer = next((row for row in rows.text_rows[-_FOOTER_ROWS:] if _KEYS.search(rows.texts[row])), -1)
    last = next((row for row in reversed(rows.text_rows) if row < footer), -1)
    if last < 0 or sum(rows.kinds[row] is RowKind.BLANK for row in range(last, footer)) > _GAP:
        return ()
    first = last
    while first > 0 and rows.kinds[first - 1] is RowKind.TEXT:
        first -= 1
    return tuple(range(first, last + 1))


def _radio(rows: Rows, numbers: tuple[int, ...]) -> Choices | None:
    found = [_RADIO.search(rows.texts[row]) for row in numbers]
    on = [match.group(1) != " " for match in found if match is not None]
    if len(on) != len(numbers) or on.count(True) != 1:
        return None
    return _choices(numbers, [str(match.group(2)) for match in found if match], on.index(True))


def _arrow(rows: Rows, numbers: tuple[int, ...]) -> Choices | None:
    found = {row: match for row in numbers if (match := _ARROW.search(rows.texts[row])) is not None}
    if len(found) != 1:
        return None
    pointed, match = next(iter(found.items()))
    column = match.start(4)
    if any(rows.indent(row) != column for row in numbers if row != pointed):
        return None
    return _choices(numbers, [rows.texts[row][column:].strip() for row in numbers], numbers.index(pointed))


def _keyed(rows: Rows, numbers: tuple[int, ...]) -> Choices | None:
    found = [_KEYED.search(rows.texts[row]) for row in numbers]
    keys = [str(match.group(1) or match.group(2)) for match in found if match is not None]
    if len(keys) != len(numbers) or len(set(keys)) != len(keys):
        return None
    options = [Option(str(match.group(3)), f"{key} Enter") for key, match in zip(keys, found, strict=True)]
    return Choices(FORM, tuple(options), numbers[0], numbers[-1])


def _lit(rows: Rows, numbers: tuple[int, ...]) -> Choices | None:
    """One row on another ground than all others, which begin in one column."""
    grounds = [_grounds(rows, row) for row in numbers]
    lit = [place for place, ground in enumerate(grounds) if grounds.count(ground) == 1]
    others = {ground for place, ground in enumerate(grounds) if place not in lit}
    indents = {rows.indent(row) for row in numbers}
    alone = len(lit) == 1 and len(others) == 1 and len(indents) == 1
    if not alone or len(numbers) <= _LEAST or any(len(ground) != 1 for ground in grounds):
        return None
    return _choices(numbers, [rows.texts[row].strip() for row in numbers], lit[0])


def _grounds(rows: Rows, row: int) -> frozenset[tuple[bool, object]]:
    styles = rows.styles_of(row, rows.indent(row), len(rows.texts[row]))
    return frozenset(ground_of(style) for style in styles)


def _choices(numbers: tuple[int, ...], labels: list[str], selected: int) -> Choices:
    checks = [_CHECK.search(label) for label in labels]
    multi = all(check is not None for check in checks)
    options = tuple(
        Option(label, None, place == selected)
        if check is None or not multi
        else Option(str(check.group(3)), None, place == selected, checked=_is_ticked(check))
        for place, (label, check) in enumerate(zip(labels, checks, strict=True))
    )
    return Choices(FORM, options, numbers[0], numbers[-1], numbers[selected], multi)


def _is_ticked(check: Any) -> bool:
    return (check.group(1) or check.group(2)) not in (" ", "☐", "◻")


_Reader = Callable[[Rows, tuple[int, ...]], Choices | None]
_READERS: tuple[_Reader, ...] = (_radio, _arrow, _keyed, _lit)
