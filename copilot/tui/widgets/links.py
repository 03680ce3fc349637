"""Web addresses on the screen: those that the child marks (OSC 8), and those that stand there as text.

They are shown, and opened only once a person has seen the address and said so. Nothing but http and https
counts, and an address with anything hidden in it does not count either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

import re2

from copilot.safety.text import safe_text
from copilot.screen.rows import Picture
from copilot.tui.widgets.logical_lines import Piece, in_cells, pieces_of

MOST_CHARACTERS = 2083
_MOST_ROWS = 30
"""Rows that one address in plain text may run over."""
_PLAIN = re2.compile(r"""(?i)https?://[^\s<>"'`{}|\\^]+""")
_CLOSING = {")": "(", "]": "["}

RowAt = Callable[[int], Picture | None]
"""The picture of a row, None where there is none."""


@dataclass(frozen=True, slots=True)
class Link:
    """An address and the cells that show it."""

    address: str
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
    """The link under a cell."""
    picture = row_at(row)
    if picture is None or not 0 <= column < len(picture.pens):
        return None
    if picture.pens[column].link:
        return _marked(picture, row, column)
    for link in _plain_links(row_at, row):
        if any(piece.row == row and piece.start <= column < piece.end for piece in link.pieces):
            return link
    return None


def links_in(row_at: RowAt, rows: Iterable[int]) -> list[str]:
    """The addresses in these rows, from the last one up, each once."""
    found: dict[str, None] = {}
    for row in sorted(rows, reverse=True):
        picture = row_at(row)
        if picture is None:
            continue
        for start in reversed(picture.starts):
            if picture.pens[start].link and (link := _marked(picture, row, start)):
                found.setdefault(link.address)
        for link in reversed(_plain_links(row_at, row)):
            found.setdefault(link.address)
    return list(found)


def _marked(picture: Picture, row: int, column: int) -> Link | None:
    target = picture.pens[column].link
    address = web_address(target)
    if address is None:
        return None
    start, end = column, column + 1
    while start and picture.pens[start - 1].link == target:
        start -= 1
    while end < len(picture.pens) and picture.pens[end].link == target:
        end += 1
    return Link(address, (Piece(row, start, end),))


def _plain_links(row_at: RowAt, row: int) -> list[Link]:
    """Addresses that stand as text in the line that `row` belongs to, in full where the line is wrapped."""
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
            links.append(Link(address, cells))
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
