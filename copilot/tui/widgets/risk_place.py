"""Where the part of a command that decided its risk stands on the screen, cell by cell, over wrapped rows.

A dialog breaks a command where its box is full and frames it, so the text is compared without blanks and
without the edges of boxes. What is not found for certain is not marked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from copilot.core.detection import Detection
from copilot.core.risk import Risk, RiskLevel
from copilot.tui.widgets.logical_lines import Piece

_EDGES = frozenset("│┃║▌▏▎▕")
LEAST_MARKED = RiskLevel.MEDIUM
"""Below this nothing needs to be pointed out in the terminal."""

_Place = tuple[int, int, str]
"""Row, column, and a character that stands there."""


def risk_places(detection: Detection, risk: Risk, cells: Callable[[int], Sequence[str]]) -> tuple[Piece, ...]:
    """The cells of the deciding part of `risk`; empty if it is not plain where they are.

    `cells` gives the cells of a row of the screen, "" for the second half of a wide character.
    """
    if not risk.part.strip() or not detection.asks or risk.level < LEAST_MARKED:
        return ()
    subject = detection.subject
    rows = subject.rows if subject is not None and subject.rows else detection.evidence
    stream = _stream(sorted(set(rows)), cells)
    begin, end = _found(stream, subject.text if subject is not None else detection.question or "", risk)
    return tuple(_pieces(stream[begin:end], cells))


def _stream(rows: Iterable[int], cells: Callable[[int], Sequence[str]]) -> list[_Place]:
    return [
        (row, column, character)
        for row in rows
        for column, cell in enumerate(cells(row))
        for character in _bare(cell)
    ]


def _bare(text: str) -> str:
    """Without blanks and edges, letters in lower case where that keeps them one character."""
    kept = (character for character in text if not character.isspace() and character not in _EDGES)
    return "".join(low if len(low := character.lower()) == 1 else character for character in kept)


def _found(stream: list[_Place], whole: str, risk: Risk) -> tuple[int, int]:
    """Begin and end of the part in the stream; both 0 if it is not found, or found in several places."""
    shown, text, part = "".join(place[2] for place in stream), _bare(whole), _bare(risk.part)
    base = _only(shown, text)
    if base is not None and risk.start is not None:
        begin = base + len(_bare(whole[: risk.start]))
        return (begin, begin + len(part)) if shown[begin : begin + len(part)] == part else (0, 0)
    inside = _only(text, part) if base is not None else None
    begin_ = base + inside if base is not None and inside is not None else _only(shown, part)
    return (0, 0) if begin_ is None else (begin_, begin_ + len(part))


def _only(text: str, wanted: str) -> int | None:
    """Where `wanted` stands in `text`, if it stands there exactly once."""
    first = text.find(wanted) if wanted else -1
    return None if first < 0 or text.find(wanted, first + 1) >= 0 else first


def _pieces(places: Sequence[_Place], cells: Callable[[int], Sequence[str]]) -> Iterable[Piece]:
    """The places as one piece for each row, from the first to the last column."""
    for row in dict.fromkeys(place[0] for place in places):
        columns = [place[1] for place in places if place[0] == row]
        end, line = columns[-1] + 1, cells(row)
        while end < len(line) and line[end] == "":
            end += 1
        yield Piece(row, columns[0], end)
