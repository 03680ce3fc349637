"""`Rows`: the rows of a snapshot, frames stripped, and what each row is. Everything else builds on it."""

from __future__ import annotations

import enum
from functools import cached_property

from copilot.core.screen_rules import ScreenForm
from copilot.core.snapshot import ScreenSnapshot, Style
from copilot.detection.patterns import compiled

_BARS = frozenset("│┃║▌▎▏╎┆")
_RULES = frozenset("─━═▔▁▀▄╴╶╸╺")
_DOTTED = frozenset("╌┄┈╍┅┉")
_CORNERS = frozenset("╭╮╰╯┌┐└┘├┤┬┴┼╔╗╚╝┏┓┗┛┠┨╞╡╹╻")
_TOPS = frozenset("╭┌╔┏")
_TOP_ENDS = frozenset("╮┐╗┓")
_BOTTOMS = frozenset("╰└╚┗╹")
_SIDES = _BARS | frozenset("├┠╠╟┝")
_SCROLLBARS = frozenset("█▐▕▊")
_PANEL_EDGE = 2
"""So many columns on either side of a panel's edge are blank."""
_RULE_CHARACTERS = _RULES | _DOTTED | _CORNERS | {" "}


class RowKind(enum.Enum):
    """What a row is for the eye."""

    BLANK = "blank"
    RULE = "rule"
    """A line across (most of) the screen."""
    DOTTED = "dotted"
    TOP = "top"
    """The upper edge of a box."""
    BOTTOM = "bottom"
    TEXT = "text"


class Rows:
    """The rows of one snapshot.

    `texts[r]` is row r without the frame around it (bars become blanks, so columns stay) and without
    trailing blanks; `kinds[r]` says what it is.
    """

    def __init__(self, snapshot: ScreenSnapshot, panel: int = 0) -> None:
        """`panel` is how many columns at the right are not read."""
        self.snapshot = snapshot
        self.columns = snapshot.columns - panel
        texts: list[str] = []
        kinds: list[RowKind] = []
        for row, whole in enumerate(snapshot.lines):
            line = "".join(snapshot.characters[row][: self.columns]) if panel else whole
            text, kind = _stripped(line.replace("\xa0", " ").rstrip(), self.columns)
            texts.append(text)
            kinds.append(kind)
        self.texts = tuple(texts)
        self.kinds = tuple(kinds)

    @cached_property
    def framed(self) -> tuple[bool, ...]:
        """For each row whether a bar is at its left, so that it lies in a box."""
        return tuple(line.lstrip()[:1] in _SIDES if line.strip() else False for line in self.snapshot.lines)

    def same_frame(self, one: int, other: int) -> bool:
        """Whether both rows lie in one box: lines and boxes between them are inside of it."""
        return self.framed[one] and self.framed[other] and self._bar(one) == self._bar(other)

    def _bar(self, row: int) -> int:
        line = self.snapshot.lines[row]
        return len(line) - len(line.lstrip())

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def text_rows(self) -> tuple[int, ...]:
        """The numbers of the rows that hold text."""
        return tuple(row for row, kind in enumerate(self.kinds) if kind is RowKind.TEXT)

    @cached_property
    def last_text_row(self) -> int:
        """The last row with text, -1 on an empty screen."""
        return self.text_rows[-1] if self.text_rows else -1

    @cached_property
    def last_used_row(self) -> int:
        """The last row that is not blank, frames included; -1 on an empty screen."""
        used = [row for row, kind in enumerate(self.kinds) if kind is not RowKind.BLANK]
        return used[-1] if used else -1

    def indent(self, row: int) -> int:
        """The number of blanks before the row's text."""
        text = self.texts[row]
        return len(text) - len(text.lstrip())

    def joined(self, first: int, last: int) -> str:
        """Rows first to last, inclusive, a line each."""
        return "\n".join(self.texts[first : last + 1])

    def text_between(self, first: int, last: int) -> tuple[int, ...]:
        """The rows with text from first to last, inclusive."""
        return tuple(row for row in self.text_rows if first <= row <= last)

    def columns_of(self, row: int, start: int, end: int) -> range:
        """The screen columns of characters start to end of a row (wide characters take two)."""
        line = self.snapshot.lines[row]
        if len(line) == self.snapshot.columns:
            return range(start, min(end, self.columns))
        columns: list[int] = []
        position = 0
        for column, text in enumerate(self.snapshot.characters[row]):
            if text == "":
                continue
            if start <= position < end:
                columns.append(column)
            position += len(text)
        return range(columns[0], columns[-1] + 1) if columns else range(0)

    def styles_of(self, row: int, start: int, end: int) -> list[Style]:
        """The styles of the cells with ink among characters start to end of a row."""
        characters = self.snapshot.characters[row]
        styles = self.snapshot.styles[row]
        return [styles[column] for column in self.columns_of(row, start, end) if characters[column].strip()]


def side_panel(snapshot: ScreenSnapshot, form: ScreenForm) -> int:
    """How many columns a panel at the right takes: `form.side_panel` if it is there, else 0.

    Its foot is in the last row with text, alone. No row has anything at its edge, so that no row of the CLI's
    own, such as a long command, can lose its end.
    """
    width = form.side_panel
    edge = snapshot.columns - width
    if not width or edge <= _PANEL_EDGE:
        return 0
    last = next((row for row in reversed(snapshot.characters) if "".join(row[edge:]).strip()), ())
    foot = compiled(form.side_panel_foot).search("".join(last[edge:]).strip())
    free = all(
        not "".join(row[edge - _PANEL_EDGE : edge + _PANEL_EDGE]).strip() for row in snapshot.characters
    )
    return width if foot is not None and free else 0


def _stripped(line: str, columns: int) -> tuple[str, RowKind]:
    if not line:
        return "", RowKind.BLANK
    if line[-1] in _SCROLLBARS and len(line) >= columns - 2 and (len(line) == 1 or line[-2] == " "):
        line = line[:-1].rstrip()
    text = _without_bars(line)
    bare = text.strip()
    if not bare:
        return "", RowKind.BLANK
    return text, _kind_of(bare, columns)


def _without_bars(line: str) -> str:
    """The line with the bars at both ends replaced by blanks, nested boxes included."""
    if line[-1:] in _BARS:
        while line and (line[-1] in _BARS or line[-1] == " "):
            line = line[:-1]
    index = 0
    while index < len(line) and (line[index] == " " or line[index] in _BARS):
        index += 1
    return " " * index + line[index:]


def _kind_of(bare: str, columns: int) -> RowKind:
    first, last = bare[0], bare[-1]
    if first in _TOPS and (last in _TOP_ENDS or set(bare) <= _RULE_CHARACTERS) and len(bare) > 2:
        return RowKind.TOP
    if first not in _RULE_CHARACTERS:
        return RowKind.TEXT
    characters = set(bare)
    if not characters <= _RULE_CHARACTERS:
        return RowKind.TEXT
    if first in _BOTTOMS:
        return RowKind.BOTTOM
    if characters <= _DOTTED | {" "}:
        return RowKind.DOTTED
    return RowKind.RULE if len(bare) * 2 >= columns or len(bare) >= 40 else RowKind.DOTTED
