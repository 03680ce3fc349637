"""The reading of a text in which rows that were too long for their place are whole again.

A terminal, a box or a program breaks a row where its width ends and leaves no sign of it; the widths show it.
The rules read the joined text as well, and what they find there goes in each row where its part lies.
"""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

_BORDER = "│┃|"
_LEADING = " \t│┃|⎿\r"
_TRAILING = " \t│┃|\r"
_AROUND = 8
"""Rows above and below whose longest says how wide the place is."""
_BEFORE = 3
"""Rows above a joined one that are read with it: they may name what it is."""
_NARROWEST = 16
_SHORTEST = 6
_MOST_OPEN = 8
_MANY = 3
"""So many rows of one length are no chance."""
_USUAL_WIDTHS = frozenset({40, 60, 72, 76, 78, 79, 80, 100, 120, 132, 160, 200})
_NEW_ROW = re.compile(
    r"(?:[\"']?[A-Za-z_][A-Za-z0-9_.\-]*+[\"']?(?:[ \t]*+:(?:[ \t]|$)|=[\"']?[^=\s\"',;)\]}]|[ \t]++=[ \t])"
    r"|[$#>❯•*\-+⏺●✓✗]\s|[A-Za-z0-9._\-]++@[A-Za-z0-9.\-]++[:~])"
)
"""How a row begins that continues none: a name with a value, a prompt, a bullet."""

_MARK_AT_END = re.compile(r"\[secret:[a-z0-9\-]++:[0-9a-f]{4}\]$")
_ODD = re.compile(r"[+/=_!#%^&$]|[a-z][A-Z]|[A-Z]{2}[a-z]")
"""What no word of a sentence has."""
_ESCAPED = re.compile(r"\\+[nrt\"'/]")
_MEANT = {"n": "\n", "r": "\n", "t": "\t"}

Part = tuple[int, int]


class _Row(NamedTuple):
    """One row: where it begins, where its content lies in it, where the border on its right is (or -1)."""

    start: int
    text: str
    left: int
    right: int
    edge: int


@dataclass(frozen=True, slots=True)
class Joined:
    """The joined text, in pieces of the original that lie one behind the other in it."""

    text: str
    places: Sequence[int]
    """Where each piece begins in `text`."""
    pieces: Sequence[Part]
    sure: Sequence[bool]
    """Whether it is certain that the piece continues the one before it."""

    def parts(self, start: int, end: int) -> list[tuple[int, int, int]]:
        """Where a span of the joined text lies in the original: start, end and number of the piece."""
        number = bisect.bisect_right(self.places, start) - 1
        found: list[tuple[int, int, int]] = []
        while number < len(self.pieces) and self.places[number] < end:
            begin, stop = self.pieces[number]
            first = begin + max(start - self.places[number], 0)
            last = min(stop, begin + end - self.places[number])
            if first < last:
                found.append((first, last, number))
            number += 1
        return found


def joined(plain: str, calm: bool = False) -> Joined | None:
    """The joined reading of a text, of the rows around those that were joined; None if there are none.

    `calm`: nothing in the text is like a secret, and two words of prose at a row's end are no halves of one.
    """
    lines = plain.split("\n")
    breaks = list(range(len(lines) - 1))
    if calm:
        breaks = [number for number in breaks if not _is_prose(lines[number], lines[number + 1])]
        if not breaks:
            return None
    rows = _rows(lines)
    reaches = _reaches(rows)
    ends = [("", False)] * len(rows)
    for number in breaks:
        ends[number] = _end(rows, reaches, number)
    if not any(end for end, _ in ends):
        return None
    text: list[str] = []
    places: list[int] = []
    pieces: list[Part] = []
    sure: list[bool] = []
    length = 0
    for number in _near(ends):
        row, end = rows[number], ends[number][0]
        before, before_certain = ends[number - 1] if number else ("", False)
        begin = row.left if before else 0
        stop = row.right if end else len(row.text)
        piece = row.text[begin:stop]
        places.append(length)
        pieces.append((row.start + begin, row.start + stop))
        sure.append(bool(before) and before_certain)
        text.append(piece + _JOINERS[end])
        length += len(text[-1])
    return Joined("".join(text), places, pieces, sure)


def unescaped(plain: str) -> Joined | None:
    """The reading of a text in which `\\n` ends a row and `\\"` is a quote, as in JSON; None without."""
    text: list[str] = []
    places: list[int] = []
    pieces: list[Part] = []
    done = length = 0
    for match in [*_ESCAPED.finditer(plain), None]:
        end = match.start() if match else len(plain)
        sign = plain[match.end() - 1] if match else ""
        places.append(length)
        pieces.append((done, end))
        text += [plain[done:end], _MEANT.get(sign, sign)]
        length += end - done + len(sign)
        done = match.end() if match else end
    certain = [True] * len(pieces)
    return Joined("".join(text), places, pieces, certain) if len(pieces) > 1 else None


_JOINERS = {"": "\n", "glued": "", "parted": " "}


def continues(plain: str, part: Part) -> bool:
    """Whether a row's beginning looks like the rest of a value rather than like a row of its own."""
    start, end = part
    value = plain[start:end]
    row_end = plain.find("\n", end)
    rest = plain[end : row_end if row_end >= 0 else len(plain)].strip(_TRAILING)
    if _NEW_ROW.match(plain, start) or (rest and rest[0].isalnum() and plain[end : end + 1] != " "):
        return False
    digit, letter = any(char.isdigit() for char in value), any(char.isalpha() for char in value)
    return (digit and (letter or not rest)) or _ODD.search(value) is not None


def open_rows(text: str) -> int:
    """How many rows at the end of a text may go on in one that is still to come: they fill their place."""
    rows = _rows(text.split("\n"))
    last = len(rows) - 1
    reaches = _reaches(rows)
    width, _ = _width(rows[last], reaches[last])
    if rows[last].left >= rows[last].right or width < _NARROWEST or rows[last].right < width:
        return 0
    count = 1
    while count < _MOST_OPEN and last - count >= 0 and _end(rows, reaches, last - count)[0]:
        count += 1
    return count


def _is_prose(line: str, below: str) -> bool:
    """Whether one row ends with a word and the next begins with one."""
    last, first = line.rstrip(" .,\r").rpartition(" ")[2], below.lstrip().partition(" ")[0]
    return (last.isalpha() and first.rstrip(".,:\r").isalpha()) or not first or not last


def _rows(lines: Sequence[str]) -> list[_Row]:
    rows = []
    start = 0
    for line in lines:
        cut = line.rstrip(" \t\r")
        edge = len(cut) - 1 if cut[-1:] and cut[-1] in _BORDER else -1
        right = len(cut.rstrip(_TRAILING)) if edge >= 0 else len(cut)
        left = len(line) - len(line.lstrip(_LEADING))
        rows.append(_Row(start, line, min(left, right), right, edge))
        start += len(line) + 1
    return rows


def _reaches(rows: list[_Row]) -> list[list[int]]:
    """For each row how far right it and those around it reach, up to one that is empty or elsewhere."""
    found: list[list[int]] = []
    for _, group in itertools.groupby(rows, key=lambda row: (row.edge, row.left < row.right)):
        rights = [row.right for row in group]
        found += [rights[max(0, number - _AROUND) : number + _AROUND + 1] for number in range(len(rights))]
    return found


def _end(rows: list[_Row], reaches: list[list[int]], number: int) -> tuple[str, bool]:
    """How a row goes on in the next: `glued`, `parted` by a blank, or not; and whether that is certain."""
    if number + 1 >= len(rows) or not _lies_over(rows[number], rows[number + 1]):
        return "", False
    row, below = rows[number], rows[number + 1]
    width, full = _width(row, reaches[number])
    usual = row.edge < 0 and width in _USUAL_WIDTHS
    new = not usual and full < _MANY and _NEW_ROW.match(below.text, below.left)
    if new or width < _NARROWEST or _MARK_AT_END.search(row.text[: row.right]):
        return "", False
    certain = usual or row.edge >= 0 or full > 1
    if row.right >= width:
        return "glued", certain
    word = below.text[below.left : below.right].split(" ", 1)[0]
    return ("parted", certain) if row.right + 1 + len(word) > width else ("", False)


def _lies_over(row: _Row, below: _Row) -> bool:
    """Whether both have content, the upper more than a word, and the same border if one has."""
    return row.left + _SHORTEST < row.right and below.left < below.right and row.edge == below.edge


def _width(row: _Row, reaches: list[int]) -> tuple[int, int]:
    """How wide the place of a row is, and how many rows around it fill that."""
    width = max(reaches)
    if row.edge >= 0:
        width = row.edge - (row.text[row.edge - 1 : row.edge] == " " or row.right < row.edge)
    return width, reaches.count(width)


def _near(ends: Sequence[tuple[str, bool]]) -> Iterator[int]:
    """The rows that are joined to another, and some before them."""
    wanted = {
        near
        for number, (end, _) in enumerate(ends)
        if end
        for near in range(max(0, number - _BEFORE), number + 2)
    }
    yield from sorted(wanted)
