"""Web addresses on the screen: those that the child marks (OSC 8), and those that are plain text.

They are shown, and opened only once a person has seen the address and said so. Nothing but http and https
counts, and an address with anything hidden in it does not count either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import quote, urlsplit

import re2

from copilot.guard.text import safe_text
from copilot.screen.rows import Picture


class Piece(NamedTuple):
    """Cells `start` up to `end` of row `row`."""

    row: int
    start: int
    end: int


def pieces_of(start: int, end: int, lengths: Sequence[int], first_row: int) -> list[Piece]:
    """Characters `start` up to `end` of the joined text, as characters of its rows, which have `lengths`."""
    pieces, begin = [], 0
    for number, length in enumerate(lengths):
        left, right = max(start, begin), min(end, begin + length)
        if left < right:
            pieces.append(Piece(first_row + number, left - begin, right - begin))
        begin += length
    return pieces


def in_cells(piece: Piece, picture: Picture) -> Piece:
    """The piece in columns instead of characters: wide characters take two, clusters are several in one."""
    if picture.plain:
        return piece
    start = end = None
    place = 0
    for column, cell in enumerate(picture.characters):
        if start is None and place + len(cell) > piece.start:
            start = column
        if place < piece.end or (cell == "" and end == column):
            end = column + 1
        place += len(cell)
    return Piece(piece.row, start or 0, end or 0)


MOST_CHARACTERS = 2083
_MOST_ROWS = 30
"""Rows that one link may run over."""
_PLAIN = re2.compile(r"""(?i)https?://[^\s<>"'`{}|\\^]+""")
_CLOSING = {")": "(", "]": "["}

RowAt = Callable[[int], Picture | None]
"""The picture of a row, None where there is none."""


@dataclass(frozen=True, slots=True)
class Link:
    """An address, the text that leads to it, and the cells that show it."""

    address: str
    text: str
    pieces: tuple[Piece, ...]


def web_address(text: str) -> str | None:
    """`text` as an address that may be offered: http or https, a host, ASCII, nothing hidden; else None."""
    if len(text) > MOST_CHARACTERS or safe_text(text) != text or any(map(str.isspace, text)):
        return None
    try:
        parts = urlsplit(text)
        host = parts.hostname
        if parts.scheme.lower() not in ("http", "https") or not host or "\\" in text:
            return None
        if not text.isascii():
            ascii_host = host.encode("idna").decode("ascii")
            port = f":{parts.port}" if parts.port is not None else ""
            text = parts._replace(netloc=ascii_host + port).geturl()
            text = quote(text, safe="%/:=&?~#+!$,;'@()*[]")
    except ValueError:
        return None
    return text


def link_at(row_at: RowAt, row: int, column: int) -> Link | None:
    picture = row_at(row)
    if picture is None or not 0 <= column < len(picture.pens):
        return None
    if picture.pens[column].link:
        return _marked(row_at, row, column)
    for link in _plain_links(row_at, row):
        if any(piece.row == row and piece.start <= column < piece.end for piece in link.pieces):
            return link
    return None


def links_in(row_at: RowAt, rows: Iterable[int]) -> list[Link]:
    """The links in these rows as one reads them, each text with each address once."""
    found: dict[tuple[str, str], Link] = {}
    for row in sorted(rows):
        picture = row_at(row)
        if picture is None:
            continue
        here = [link for start in picture.starts if (link := _marked(row_at, row, start))]
        here += [link for link in _plain_links(row_at, row) if not _is_marked(row_at, link)]
        for link in sorted(here, key=lambda one: one.pieces[0]):
            found.setdefault((link.text, link.address), link)
    return list(found.values())


def _marked(row_at: RowAt, row: int, column: int) -> Link | None:
    """The link that the child marks there, in full where its text runs over several rows."""
    picture = row_at(row)
    target = picture.pens[column].link if picture is not None else ""
    address = web_address(target)
    if picture is None or address is None:
        return None
    piece = _marked_piece(picture, row, column)
    pieces = [*_run_on(row_at, piece, -1), piece, *_run_on(row_at, piece, 1)]
    pieces.sort()
    text = ""
    for piece in pieces:
        shown = row_at(piece.row)
        assert shown is not None
        text += "".join(shown.characters[piece.start : piece.end]) + ("" if shown.wrapped else " ")
    return Link(address, " ".join(text.split()) or address, tuple(pieces))


def _marked_piece(picture: Picture, row: int, column: int) -> Piece:
    target, start, end = picture.pens[column].link, column, column + 1
    while start and picture.pens[start - 1].link == target:
        start -= 1
    while end < len(picture.pens) and picture.pens[end].link == target:
        end += 1
    return Piece(row, start, end)


def _run_on(row_at: RowAt, piece: Piece, step: int) -> list[Piece]:
    """The same link in the rows above (-1) or below (1): it ends one row's text and begins the next's."""
    pieces: list[Piece] = []
    while len(pieces) < _MOST_ROWS:
        picture, beside = row_at(piece.row), row_at(piece.row + step)
        if picture is None or beside is None or not _at_edge(picture, piece, step):
            break
        text = "".join(cell[:1] or " " for cell in beside.characters)
        columns = len(text.rstrip()) - 1 if step < 0 else len(text) - len(text.lstrip())
        if not text.strip() or beside.pens[columns].link != picture.pens[piece.start].link:
            break
        piece = _marked_piece(beside, piece.row + step, columns)
        pieces.append(piece)
    return pieces


def _at_edge(picture: Picture, piece: Piece, step: int) -> bool:
    """Whether only blanks are before (-1) or behind (1) the piece."""
    cells = picture.characters
    return not "".join(cells[: piece.start] if step < 0 else cells[piece.end :]).strip()


def _is_marked(row_at: RowAt, link: Link) -> bool:
    """Whether the child marks that text: then it leads where the child says, if anywhere."""
    piece = link.pieces[0]
    picture = row_at(piece.row)
    return picture is not None and bool(picture.pens[piece.start].link)


def _plain_links(row_at: RowAt, row: int) -> list[Link]:
    """Addresses that are plain text in the line that `row` belongs to, in full where the line is wrapped."""
    first, pictures = _line_of(row_at, row)
    text = "".join(picture.text for picture in pictures)
    if "://" not in text:
        return []
    lengths = [len(picture.text) for picture in pictures]
    links = []
    for match in _PLAIN.finditer(text):
        shown = _trimmed(match.group())
        address = web_address(shown)
        if address is not None:
            pieces = pieces_of(match.start(), match.start() + len(shown), lengths, first)
            cells = tuple(in_cells(piece, pictures[piece.row - first]) for piece in pieces)
            links.append(Link(address, shown, cells))
    return links


def _line_of(row_at: RowAt, row: int) -> tuple[int, list[Picture]]:
    first, last = row, row
    while row - first < _MOST_ROWS and (above := row_at(first - 1)) is not None and above.wrapped:
        first -= 1
    while last - row < _MOST_ROWS and (here := row_at(last)) is not None and here.wrapped:
        last += 1
    pictures = [picture for number in range(first, last + 1) if (picture := row_at(number)) is not None]
    return first, pictures


def _trimmed(text: str) -> str:
    """Without what ends the sentence rather than the address: points, and brackets that were not opened."""
    while text:
        last = text[-1]
        unopened = last in _CLOSING and text.count(last) > text.count(_CLOSING[last])
        if last not in ".,;:!?" and not unopened:
            break
        text = text[:-1]
    return text
