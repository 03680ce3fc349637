"""Lists above a row of buttons, as dialog and whiptail draw them: one row is lit, Enter takes it."""

from __future__ import annotations

from copilot.core.detection import Option
from copilot.detection.choices import Choices
from copilot.detection.highlight import ground_of
from copilot.detection.patterns import compiled
from copilot.detection.rows import RowKind, Rows

_ACCEPTS = compiled(r"(?i)^(ok|yes|select|accept|next|continue)$")
_TICK = compiled(r"^(\[[ *xX]\]|\([ *]\))\s+(\S.*)$")
_NUMBERED = compiled(r"^\d{1,2}[.)]?\s+(\S.*)$")
_TAGGED = compiled(r"^(\S+)\s{2,}(\S.*)$")


def find_boxed_list(rows: Rows, buttons: Choices | None) -> Choices | None:
    """The rows right above the buttons, if one of them is lit and no button but one that accepts; else None.

    A list whose rows carry marks is one to tick: what is lit is not what is taken.
    """
    if buttons is None or not _accepts(buttons):
        return None
    row = buttons.first_row - 1
    while row >= 0 and rows.kinds[row] is not RowKind.TEXT:
        row -= 1
    last = row
    while row >= 0 and rows.kinds[row] is RowKind.TEXT:
        row -= 1
    numbers = range(row + 1, last + 1)
    lit = _lit_row(rows, numbers)
    if len(numbers) < 2 or lit is None:
        return None
    options = tuple(_option(rows.texts[number].strip(), number == lit) for number in numbers)
    multi = any(option.checked is not None for option in options)
    return Choices("boxed", options, numbers[0], buttons.last_row, lit, multi)


def _accepts(buttons: Choices) -> bool:
    """Whether Enter takes the lit row: the accepting button is lit, or none is, and the first one accepts."""
    lit = next((option for option in buttons.options if option.selected), buttons.options[0])
    return bool(_ACCEPTS.search(lit.label))


def _lit_row(rows: Rows, numbers: range) -> int | None:
    """The one row with another background than all others and than the text above them."""
    above = rows.text_between(0, numbers.start - 1)[-1:]
    grounds = {number: _grounds(rows, number) for number in (*above, *numbers)}
    lit = [
        number
        for number in numbers
        if not any(ground & grounds[number] for other, ground in grounds.items() if other != number)
    ]
    return lit[0] if len(lit) == 1 else None


def _grounds(rows: Rows, row: int) -> set[tuple[bool, object]]:
    return {ground_of(style) for style in rows.styles_of(row, rows.indent(row), len(rows.texts[row]))}


def _option(text: str, selected: bool) -> Option:
    tick = _TICK.search(text)
    checked = None
    if tick is not None:
        checked, text = tick.group(1)[1:-1].strip() != "", str(tick.group(2))
    numbered = _NUMBERED.search(text)
    tagged = _TAGGED.search(text) if numbered is None else None
    if numbered is not None:
        text = str(numbered.group(1))
    label, described = (str(tagged.group(1)), str(tagged.group(2))) if tagged is not None else (text, None)
    return Option(label, None, selected, described, checked)
