"""Lists of options, one below the other: numbered, or marked by a pointer, or radio buttons.

A list counts only as a whole: consecutive numbers or a pointer with aligned siblings. The text under an
option is its label's continuation if its first word would not have fitted, else its description.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from copilot.core.detection import Option
from copilot.core.snapshot import Style
from copilot.detection.patterns import compiled
from copilot.detection.rows import RowKind, Rows

_NUMBERED = compiled(r"^(\s*)(?:(\S)\s*)??(?:(\[.?\]|[◯○◻◼☐☒☑✔])\s*)?(\(?)(\d{1,2})[.)]\s+(\S.*)$")
_KEY_BOX = compiled(r"^\[[0-9A-WYZa-wyz]\]$")
"""No tick but the key of an option: `[q] Quit`. Beside such ones `[x]` is one too."""
_SPOKEN_MARK = compiled(r"(?i)^\s*\((?:checked|selected|current)\)\s+")
"""How a screen for a screen reader says which option is selected."""
_BOX = compiled(r"^(\[.?\]|[◯◉○●◻◼☐☒☑])\s+")
_LEADING_TICK = compiled(r"^[✔✓]\s+")
_BULLET = compiled(r"^•\s+")
"""Options with this mark at a pointer show a tick in its place once they are ticked."""
_TRAILING_TICK = compiled(r"\s+[✔✓]$")
"""Says which one is set, or was just chosen while the list is still drawn: no part of the label."""
_TWO_COLUMNS = compiled(r"^(\S.*?\S|\S)\s{2,}(\S.*)$")
_DEFAULT_MARK = compiled(r"(?i)\s*\((default|recommended)\)$")
SCROLL_MARKS = frozenset("▲▼↑↓⋮…")
"""Rows of only these mean that the list continues."""
_MORE = compiled(r"(?i)^(?:[↑↓▲▼⋮…^v]|\.\.\.)?\s*[(\[]?\+?\d+ more\b[^\n]{0,20}$")
"""A row that says how much of the list is not shown."""
_RIGHT_EDGES = frozenset("│┃║█▐")
_RADIO_ON, _RADIO_OFF = "●◉", "○◯"
_CHECK_OFF, _CHECK_ON = frozenset("◯○◻☐"), frozenset("◉●◼☒☑✔")
_MAX_OPTIONS = 60
_DIGITS = frozenset("0123456789")


@dataclass(frozen=True, slots=True)
class Choices:
    """A list of options and its place on the screen."""

    form: str
    options: tuple[Option, ...]
    first_row: int
    last_row: int
    pointer_row: int | None = None
    multi: bool = False
    numbers: tuple[int, ...] = ()
    lit: bool = False
    """Only colours show which option is selected: any list may look like that by chance."""

    @property
    def selected(self) -> bool:
        """Whether one of the options is marked as selected."""
        return any(option.selected for option in self.options)


@dataclass
class _Item:
    """An option while it is being read."""

    row: int
    column: int
    label: str
    pointer: bool = False
    box: str = ""
    number: int = 0
    rest: list[str] = field(default_factory=list)
    described: bool = False
    last_row: int = 0
    ticked: bool = False
    lettered: bool = False
    """The text in the box is the key that takes the option."""

    def checked(self) -> bool | None:
        if not self.box:
            return None
        if self.box[0] == "[":
            return None if self.lettered else self.box.strip("[] ") != ""
        return self.box in _CHECK_ON

    def option(self) -> Option:
        label, description = _split_label(_TRAILING_TICK.sub("", self.label))
        if self.rest:
            description = " ".join([*([description] if description else []), *self.rest])
        key = self.box[1:-1].strip() or None if self.lettered else None
        return Option(label, key, self.pointer, description or None, self.checked())


def find_numbered(rows: Rows, pointers: str, first: int, last: int) -> Choices | None:
    """The lowest list numbered 1, 2, 3 … between two rows, or None. `pointers` are glyphs that select.

    A list that is scrolled begins with another number, below a mark that says so.
    """
    found: list[_Item] | None = None
    items: list[_Item] = []
    for row in range(first, last + 1):
        item = _numbered_item(rows, row, pointers)
        first_number = items[0].number if items else 1
        if item is not None and item.number == first_number + len(items) and _aligned(items, item):
            items.append(item)
        elif item is not None and (item.number == 1 or _scrolled(rows, row)):
            found = _better(found, items)
            items = [item]
        elif items and not _belongs(rows, row, items):
            found = _better(found, items)
            items = []
    found = _better(found, items)
    return _choices(rows, "numbered", found) if found else None


def _scrolled(rows: Rows, row: int) -> bool:
    """Whether the row above is the mark that a list has more above."""
    return row > 0 and rows.texts[row - 1].strip() in SCROLL_MARKS


def find_pointer(rows: Rows, pointers: str, first: int, last: int) -> Choices | None:
    """The lowest list whose selected row is marked by a pointer, its siblings aligned with it, or None."""
    for row in range(last, first - 1, -1):
        if rows.kinds[row] is not RowKind.TEXT:
            continue
        text = rows.texts[row]
        column = rows.indent(row)
        if text[column] not in pointers or not text[column + 1 :].strip():
            continue
        if text[column] == ">" and not (rows.framed[row] or not rows.snapshot.cursor.visible):
            continue  # a quotation, or what a person types at a prompt
        items = _siblings(rows, row, column, first, last)
        if len(items) >= 2:
            return _choices(rows, "pointer", items)
    return None


def find_radio(rows: Rows, first: int, last: int) -> Choices | None:
    """The lowest list of radio buttons or check boxes, each row led by its mark, or None."""
    marks = _RADIO_ON + _RADIO_OFF + "◻◼☐☒☑"
    for row in range(last, first - 1, -1):
        if not _marked(rows, row, marks):
            continue
        column = rows.indent(row)
        top = row
        while top > first and _marked(rows, top - 1, marks) and rows.indent(top - 1) == column:
            top -= 1
        items = [_radio_item(rows, number, column) for number in range(top, row + 1)]
        on = sum(1 for item in items if item.pointer)
        boxes = not any(
            rows.texts[number][column] in _RADIO_ON + _RADIO_OFF for number in range(top, row + 1)
        )
        if len(items) >= 2 and (on == 1 or boxes):
            return _radio_choices(rows, items, boxes)
    return None


def _radio_choices(rows: Rows, items: list[_Item], boxes: bool) -> Choices:
    if boxes:
        lit = _lit_item(rows, items)
        for item in items:
            item.pointer = item is lit
    else:
        for item in items:
            item.box = ""
    choices = _choices(rows, "radio", items)
    return choices


def _marked(rows: Rows, row: int, marks: str) -> bool:
    if rows.kinds[row] is not RowKind.TEXT:
        return False
    text = rows.texts[row].lstrip()
    return text[0] in marks and text[1:2] == " " and " / " not in text


def _radio_item(rows: Rows, row: int, column: int) -> _Item:
    text = rows.texts[row]
    start = column + 2 + len(text[column + 2 :]) - len(text[column + 2 :].lstrip())
    label, described = _bright_part(rows, row, start)
    item = _Item(row, start, label, text[column] in _RADIO_ON, text[column], last_row=row)
    if described:
        item.rest.append(described)
    return item


def _bright_part(rows: Rows, row: int, start: int) -> tuple[str, str]:
    """The label, and what is drawn dim behind it, if the label itself is not dim."""
    text = rows.texts[row]
    styles = rows.snapshot.styles[row]
    columns = rows.columns_of(row, start, len(text))
    if not columns or styles[columns[0]].dim:
        return text[start:], ""
    for index, column in enumerate(columns):
        if styles[column].dim and text[start + index : start + index + 1].strip():
            return text[start : start + index].rstrip(), text[start + index :].strip()
    return text[start:], ""


def _numbered_item(rows: Rows, row: int, pointers: str) -> _Item | None:
    text = rows.texts[row]
    if rows.kinds[row] is not RowKind.TEXT or _DIGITS.isdisjoint(text[:24]):
        return None
    spoken = _SPOKEN_MARK.search(text)
    shift = spoken.end() if spoken is not None else 0
    match = _NUMBERED.search(text[shift:])
    if match is None or (match.group(4) and ")" not in text[match.start(5) : match.end(5) + 1]):
        return None
    marks = _marks_of(match.group(2) or "", match.group(3) or "", pointers)
    if marks is None:
        return None
    pointer, box = marks
    label = match.group(6)
    inner = _BOX.search(label)
    if inner is not None and not box:
        box, label = inner.group(1), label[inner.end() :]
    chosen = pointer or spoken is not None
    return _Item(row, match.start(6), label, chosen, box, int(match.group(5)), last_row=row)


def _marks_of(mark: str, box: str, pointers: str) -> tuple[bool, str] | None:
    """Whether the row is pointed at, and its check box; None if the mark is neither."""
    if not mark or mark in pointers or mark in _RADIO_ON:
        return bool(mark), box
    return (False, mark) if not box and mark in _CHECK_OFF | _CHECK_ON else None


def _aligned(items: list[_Item], item: _Item) -> bool:
    """Whether the numbers are aligned (two digits may shift the label by one)."""
    return not items or abs(items[0].column - item.column) <= 1


def _belongs(rows: Rows, row: int, items: list[_Item]) -> bool:
    """Whether a row that opens no option lies within the list; if it is text, it is taken up."""
    kind = rows.kinds[row]
    if kind is not RowKind.TEXT:
        return kind in (RowKind.BLANK, RowKind.RULE, RowKind.DOTTED) and row - items[-1].last_row <= 2
    item = items[-1]
    text = rows.texts[row].strip()
    if text in SCROLL_MARKS:
        return True
    if row - item.last_row > 1:
        return False
    number_column = max(item.column - (7 if item.box else 3), 1)
    deep = item.column - 1 if not item.box else number_column
    runs_on = not item.described and _was_wrapped(rows, item.last_row, text)
    if runs_on and rows.indent(item.row) == 0:
        number_column = 0
    if rows.indent(row) < (number_column if runs_on else deep):
        return False
    _take_up(rows, row, item)
    return True


def _take_up(rows: Rows, row: int, item: _Item) -> None:
    text = rows.texts[row].strip()
    if not item.described and not item.rest and _was_wrapped(rows, item.last_row, text):
        item.label = f"{item.label} {text}"
    else:
        item.described = True
        item.rest.append(text)
    item.last_row = row


def _was_wrapped(rows: Rows, row: int, following: str) -> bool:
    """Whether the first word of the next row had no room on this one: then the row was wrapped."""
    line = rows.snapshot.lines[row].rstrip()
    bordered = line[-1:] in _RIGHT_EDGES and len(line) > len(rows.texts[row])
    room = (len(line) - 2 if bordered else rows.columns) - len(rows.texts[row])
    return len(following.split(" ", 1)[0]) + 1 > room - 1


def _better(old: list[_Item] | None, new: list[_Item]) -> list[_Item] | None:
    return list(new) if len(new) >= 2 else old


def _siblings(rows: Rows, row: int, column: int, first: int, last: int) -> list[_Item]:
    """The option at the pointer with its neighbours above and below."""
    text = rows.texts[row]
    label_column = column + 1
    while text[label_column : label_column + 1] == " ":
        label_column += 1
    above = list(_run(rows, range(row - 1, first - 1, -1), column, label_column))
    below = list(_run(rows, range(row + 1, last + 1), column, label_column))
    pointed = _pointer_item(rows, row, label_column, True)
    items = [*(item for item in reversed(above) if item), pointed, *(item for item in below if item)]
    return _with_descriptions(rows, items)


def _run(rows: Rows, numbers: range, column: int, label_column: int) -> Iterator[_Item]:
    """Rows that continue the list from the pointer outwards."""
    for number in list(numbers)[:_MAX_OPTIONS]:
        if rows.kinds[number] is not RowKind.TEXT:
            return
        text = rows.texts[number]
        if _MORE.search(text.strip()):
            return
        if text[:label_column].strip() and not _tick_before(text, column, label_column):
            return
        yield _pointer_item(rows, number, label_column, False)


def _tick_before(text: str, column: int, label_column: int) -> bool:
    """A check box may hang one column left of the labels (inquirer draws ` ◯ tests` under `❯◯ lint`)."""
    return (
        not text[: column + 1].strip() and text[column + 1 : label_column].strip() in _CHECK_OFF | _CHECK_ON
    )


def _pointer_item(rows: Rows, row: int, label_column: int, pointed: bool) -> _Item:
    label = rows.texts[row][label_column:]
    indent = len(label) - len(label.lstrip())
    label = label.lstrip()
    box = ""
    match = _BOX.search(label)
    if match is not None:
        box, label = match.group(1), label[match.end() :]
    bullet = _BULLET.search(label)
    if bullet is not None:
        box, label = "•", label[bullet.end() :]
    tick = _LEADING_TICK.search(label)
    if tick is not None:
        label = label[tick.end() :]
        indent = 0 if pointed else indent
    column = label_column + (0 if tick else indent)
    return _Item(row, column, label, pointed, box, last_row=row, ticked=tick is not None)


def _with_descriptions(rows: Rows, items: list[_Item]) -> list[_Item]:
    """Rows that are indented deeper than the labels are continuations, not options of their own.

    Where the pointed row carries a tick (`❯ ✔ Auto`) its siblings are indented by the tick's width.
    """
    pointed = next(item for item in items if item.pointer)
    ticked = rows.texts[pointed.row][pointed.column : pointed.column + 1] in ("✔", "✓")
    base = min(item.column for item in items if not item.pointer) if ticked and len(items) > 1 else None
    result: list[_Item] = []
    for item in items:
        column = pointed.column if base is None or item.pointer else base
        if item.column > column and result and not item.pointer and not item.box:
            _take_up(rows, item.row, result[-1])
        else:
            result.append(item)
    return result


def _choices(rows: Rows, form: str, items: list[_Item]) -> Choices:
    if any(_KEY_BOX.search(item.box) for item in items):
        for item in items:
            item.lettered = item.box.startswith("[")
    if any(item.box == "•" for item in items):
        for item in items:
            item.box = item.box or ("✔" if item.ticked else "")
    lit = None if any(item.pointer for item in items) else _lit_item(rows, items)
    if lit is not None:
        lit.pointer = True
    pointer_row = next((item.row for item in items if item.pointer), None)
    multi = any(item.checked() is not None for item in items)
    return Choices(
        form,
        tuple(item.option() for item in items),
        items[0].row,
        max(item.last_row for item in items),
        pointer_row,
        multi,
        tuple(item.number for item in items),
        lit is not None,
    )


def _lit_item(rows: Rows, items: list[_Item]) -> _Item | None:
    """The one item that is drawn otherwise than all others: selected by colour only."""
    looks = [_look(rows, item) for item in items]
    if len(items) == 2 and looks[0] != looks[1]:
        brighter = [_brightness(look) for look in looks]
        return items[0] if brighter[0] >= brighter[1] else items[1]
    odd = [item for item, look in zip(items, looks, strict=True) if looks.count(look) == 1]
    return odd[0] if len(odd) == 1 and len(items) > 2 else None


def _look(rows: Rows, item: _Item) -> Style | None:
    styles = rows.styles_of(item.row, item.column, item.column + 1)
    return styles[0] if styles else None


def _brightness(style: Style | None) -> int:
    if style is None:
        return 0
    marks: tuple[Callable[[Style], bool], ...] = (
        lambda look: look.reverse,
        lambda look: look.background != "default",
        lambda look: look.bold,
        lambda look: look.underline,
        lambda look: look.foreground != "default",
    )
    return (-8 if style.dim else 0) + sum(1 << (5 - n) for n, mark in enumerate(marks) if mark(style))


def _split_label(label: str) -> tuple[str, str]:
    """Label and description of one row: divided by a wide gap, ` · `, or a mark such as `(default)`."""
    match = _TWO_COLUMNS.search(label)
    if match is not None:
        return match.group(1), match.group(2)
    head, dot, tail = label.partition(" · ")
    if dot:
        return head, tail
    mark = _DEFAULT_MARK.search(label)
    if mark is not None and mark.group(1).lower() == "default":
        return label[: mark.start()], mark.group(1)
    return label, ""
