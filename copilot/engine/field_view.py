"""What a look shows of the field at the cursor, for the probe (`core/probe.py`)."""

from __future__ import annotations

import hashlib

import re2

from copilot.core.probe import LETTERS, FieldView
from copilot.core.snapshot import UNKNOWN_FACTS, ScreenSnapshot, Style, TtyFacts
from copilot.detection.input_field import find_input_field
from copilot.detection.rows import Rows

# The logical line up to the cursor: where text typed at a line prompt shows.
#
# Programs that draw their own cursor hide the terminal's and park it elsewhere; then the line up to the
# drawn one counts: a single cell in reverse video, or a block glyph.


_BLOCKS = "█▉▊▋▌▍▎▏"


def before_cursor(snapshot: ScreenSnapshot, facts: TtyFacts = UNKNOWN_FACTS) -> str:
    """The text left of the cursor, with the rows above that wrap into the cursor's row.

    Where the kernel echoes a line, a program may have moved the cursor away from it: all of the row counts.
    """
    row, column, visible = snapshot.cursor
    if not visible:
        row, column = drawn_cursor(snapshot) or (row, column)
    if not 0 <= row < len(snapshot.characters):
        return ""
    first = row
    while first > 0 and snapshot.wrapped and snapshot.wrapped[first - 1]:
        first -= 1
    above = "".join(snapshot.lines[first:row])
    cells = snapshot.characters[row]
    if facts.canonical is True and facts.echo is True:
        column = max([column, *(at + 1 for at, text in enumerate(cells) if text.strip())])
    return above + "".join(cells[: max(0, column)])


def drawn_cursor(snapshot: ScreenSnapshot) -> tuple[int, int] | None:
    """The place of the only drawn cursor on the screen; None if there is none, or more than one."""
    for drawn_in in (_drawn_in, _painted_in):
        found = [
            (row, column)
            for row, line in enumerate(snapshot.lines)
            for column in drawn_in(snapshot, row)
            if line.strip()
        ]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _drawn_in(snapshot: ScreenSnapshot, row: int) -> list[int]:
    styles, characters = snapshot.styles[row], snapshot.characters[row]
    lit = [column for column, style in enumerate(styles) if style.reverse]
    alone = [column for column in lit if column - 1 not in lit and column + 1 not in lit]
    if alone:
        return alone
    blocks = [column for column, text in enumerate(characters) if text and text in _BLOCKS]
    return [column for column in blocks if column - 1 not in blocks and column + 1 not in blocks]


def _painted_in(snapshot: ScreenSnapshot, row: int) -> list[int]:
    """The only cell of the row with a background of its own."""
    styles = snapshot.styles[row]
    own = [column for column, style in enumerate(styles) if style.background != styles[-1].background]
    return own if len(own) == 1 else []


_LAST_ROWS = 16
"""Words in so many of the last rows may be the names of keys by their first letters."""
_MOVING = re2.compile(r"[⠀-⣿◐◑◒◓✻✽✶✢✳·∗*|/\\-]|\d+(?:[.,:]\d+)*[a-zA-Z%]?|\.{1,3}|…")
"""Spinners, counters and clocks, which go on while a letter is typed."""
_BLANKS = re2.compile(r"\s+")
_WORDS = re2.compile(r"[\pL\pN]")
_MARKS = re2.compile(r"[❯›▸»➤→▶●○◉◯◆◇■□☐☑☒✓✔✗✘]")
"""Pointers and boxes of a list: they are no picture."""
_FRAME = "│┃║▌▎▏╎┆ █▉▊▋▌▍▎▏"
_TYPED_COLOURS = frozenset({"default", "white", "brightwhite", "7", "15"})
_RUN = re2.compile(r"[\[(<{]([A-Za-z?!]{2,10})[\])>}]")
"""Letters run together: `(Yaxh)`."""


def field_view(snapshot: ScreenSnapshot, facts: TtyFacts) -> FieldView | None:
    """The place where a letter would appear; None if that cannot be seen.

    Where the kernel echoes keys that a program reads one by one, a letter that appears proves nothing.
    """
    if facts.canonical is False and facts.echo is True:
        return None
    place = _place(snapshot)
    if place is None:
        return None
    row, column = place
    if not 0 <= row < len(snapshot.characters) or not 0 <= column < snapshot.columns - 1:
        return None
    cells = snapshot.characters[row]
    others = [
        _steady(line) if number > row else _without_pictures(line)
        for number, line in enumerate(snapshot.lines)
        if number != row
    ]
    return FieldView(
        row=row,
        column=column,
        letter=_free_letter(snapshot),
        others=_digest("\n".join(others)),
        left=_digest("".join(cells[:column])),
        before=_digest("".join(cells[: max(column - 1, 0)])),
        last=cells[column - 1] if column else "",
        right=_right_of(cells, snapshot.styles[row], column),
    )


def _place(snapshot: ScreenSnapshot) -> tuple[int, int] | None:
    """Where the next letter appears: at the cursor, or where the placeholder before a drawn one starts."""
    row, column, visible = snapshot.cursor
    if visible:
        return row, column
    field = find_input_field(Rows(snapshot))
    return (field.row, field.column) if field is not None else drawn_cursor(snapshot)


def _without_pictures(line: str) -> str:
    """The steady part of a row above the field, where logos move while somebody types: they have no words."""
    return _steady(line) if _WORDS.search(line) or _MARKS.search(line) else ""


def _steady(line: str) -> str:
    return str(_BLANKS.sub(" ", _MOVING.sub("#", line.rstrip()))).strip()


def _right_of(cells: tuple[str, ...], styles: tuple[Style, ...], column: int) -> str:
    """The digest of what was typed right of the cursor: no hint, no frame, no drawn cursor; else empty."""
    drawn = styles[column].reverse or styles[column].background != styles[-1].background
    first = column + 1 if drawn else column
    ink = [
        text
        for text, style in zip(cells[first:], styles[first:], strict=True)
        if text.strip(_FRAME) and not _hint(style)
    ]
    return _digest("".join(ink)) if ink else ""


def _hint(style: Style) -> bool:
    return style.dim or str(style.foreground) not in _TYPED_COLOURS


def _free_letter(snapshot: ScreenSnapshot) -> str:
    """The first of LETTERS that names nothing on the screen: not alone, not in brackets, not as the first
    letter of a word in the last rows."""
    text = "\n".join(snapshot.lines)
    rows = [line for line in snapshot.lines if line.strip()]
    tail = "\n".join(rows[-_LAST_ROWS:]).lower()
    runs = "".join(str(match.group(1)) for match in _RUN.finditer(text)).lower()
    return next((letter for letter in LETTERS if not _is_key(letter, text, tail, runs)), "")


def _is_key(letter: str, text: str, tail: str, runs: str) -> bool:
    alone = re2.search(rf"(?i)(^|[^\pL\pN]){letter}($|[^\pL\pN])|[\[(<{{^+-]{letter}", text) is not None
    begins = re2.search(rf"(^|[^\pL\pN]){letter}", tail) is not None
    return alone or begins or letter in runs


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
