"""The dresses in which a text comes: bare, in a terminal's rows, in a box, wrapped, in a diff, escaped, painted."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from .made_up import Sample

# Each character with the number of the secret it belongs to.
_Cells = list[tuple[str, int | None]]


@dataclass(frozen=True, slots=True)
class Dressed:
    """A text to be redacted, and the pieces of secrets in it: one list for each secret."""

    kind: str
    form: str
    text: str
    secrets: tuple[str, ...]
    pieces: tuple[str, ...]


def _cells(sample: Sample) -> _Cells:
    cells: _Cells = [(character, None) for character in sample.text]
    for number, (begin, end) in enumerate(sample.secrets):
        for place in range(begin, end):
            cells[place] = (sample.text[place], number)
    return cells


def _rows(cells: _Cells) -> list[_Cells]:
    rows: list[_Cells] = [[]]
    for cell in cells:
        if cell[0] == "\n":
            rows.append([])
        else:
            rows[-1].append(cell)
    return rows


def _plain(text: str) -> _Cells:
    return [(character, None) for character in text]


def _joined(rows: list[_Cells]) -> _Cells:
    cells: _Cells = []
    for row in rows:
        cells += [*row, ("\n", None)]
    return cells[:-1]


def _wrapped(cells: _Cells, width: int) -> list[_Cells]:
    rows = []
    for row in _rows(cells):
        rows += [row[at : at + width] for at in range(0, max(1, len(row)), width)]
    return rows


def _words_wrapped(cells: _Cells, width: int) -> list[_Cells]:
    """As a program wraps prose: between words, and inside of one that is longer than a row."""
    rows: list[_Cells] = []
    for row in _rows(cells):
        left = row
        while len(left) > width:
            cut = max((at for at in range(1, width + 1) if left[at][0] == " "), default=width)
            rows.append(left[:cut])
            left = left[cut + 1 :] if left[cut][0] == " " else left[cut:]
        rows.append(left)
    return rows


def _boxed(rows: list[_Cells], width: int) -> _Cells:
    edge = "─" * (width + 2)
    inside = [[*_plain("│ "), *row, *_plain(" " * (width - len(row)) + " │")] for row in rows]
    return _joined([_plain(f"╭{edge}╮"), *inside, _plain(f"╰{edge}╯")])


def _indented(rows: list[_Cells]) -> _Cells:
    return _joined([[*_plain("     " if number else "  ⎿  "), *row] for number, row in enumerate(rows)])


def _in_diff(cells: _Cells) -> _Cells:
    head = "diff --git a/conf b/conf\nindex 83db48f..bf269f4 100644\n--- a/conf\n+++ b/conf\n@@ -1,2 +1,9 @@\n old\n"
    return [*_plain(head), *_joined([[*_plain("+"), *row] for row in _rows(cells)])]


def _escaped(cells: _Cells) -> _Cells:
    text: _Cells = _plain('{"type": "tool_result", "content": "')
    for character, number in cells:
        escaped = json.dumps(character, ensure_ascii=False)[1:-1]
        text += [(part, number if escaped == character else None) for part in escaped]
    return text + _plain('", "is_error": false}')


def _painted(cells: _Cells) -> _Cells:
    """Colours at every third word and in the middle of every secret."""
    out: _Cells = []
    for place, (character, number) in enumerate(cells):
        before = cells[place - 1] if place else ("\n", None)
        if number != before[1] or before[0] in " =:\n":
            out += _plain("\x1b[32m" if place % 2 else "\x1b[0;1m")
        elif number is not None and place % 11 == 0:
            out += _plain("\x1b[1;31m")
        out.append((character, number))
    return out + _plain("\x1b[0m")


def _in_rows(cells: _Cells) -> _Cells:
    prompt = "ada@host:~/proj$ "
    return [*_plain(f"{prompt}cat notes\n"), *cells, *_plain(f"\n{prompt}")]


def _pane(cells: _Cells) -> int:
    """A width at which the first long secret is cut in the middle."""
    for row in _rows(cells):
        marked = [place for place, (_, number) in enumerate(row) if number is not None]
        if len(marked) >= 8:
            return max(16, marked[0] + len(marked) // 2)
    return 60


FORMS: dict[str, Callable[[_Cells], _Cells]] = {
    "plain": lambda cells: cells,
    "rows": _in_rows,
    "box": lambda cells: _boxed(_wrapped(cells, 110), 110),
    "wrap80": lambda cells: _joined(_wrapped(cells, 80)),
    "wrap40": lambda cells: _joined(_wrapped(cells, 40)),
    "pane": lambda cells: _joined(_wrapped(cells, _pane(cells))),
    "box80": lambda cells: _boxed(_wrapped(cells, 76), 76),
    "box40": lambda cells: _boxed(_wrapped(cells, 36), 36),
    "boxpane": lambda cells: _boxed(_wrapped(cells, _pane(cells)), _pane(cells)),
    "indent": lambda cells: _indented(_wrapped(cells, 60)),
    "indentpane": lambda cells: _indented(_wrapped(cells, _pane(cells))),
    "words40": lambda cells: _joined(_words_wrapped(cells, 40)),
    "wordsbox": lambda cells: _boxed(_words_wrapped(cells, 50), 50),
    "diff": _in_diff,
    "json": _escaped,
    "colour": _painted,
}


def dressed(sample: Sample, form: str) -> Dressed:
    """The sample in that form."""
    cells = FORMS[form](_cells(sample))
    text = "".join(character for character, _ in cells)
    wholes = tuple(sample.text[begin:end] for begin, end in sample.secrets)
    pieces, piece, last = [], "", None
    for character, number in [*cells, ("", None)]:
        if number != last or number is None:
            pieces.append(piece)
            piece = ""
        if number is not None:
            piece += character
        last = number
    return Dressed(sample.kind, form, text, wholes, tuple(filter(None, pieces)))


def chunks(text: str, seed: str) -> list[str]:
    """The text in pieces as a pipe gives them."""
    source, cut, out = random.Random(seed), 0, []
    while cut < len(text):
        size = source.choice((1, 2, 7, 40, 300))
        out.append(text[cut : cut + size])
        cut += size
    return out


_INVISIBLE = re.compile(r"\x1b\[[0-9;]*m|\[secret:[^\]]*\]|[\s│╭╮╰╯─⎿]")


def leaks(case: Dressed, redacted: str) -> bool:
    """Whether eight characters of a secret in a row are left, or a piece of five on a row of its own.

    Of a seed phrase: whether three of its words are left.
    """
    if case.kind == "seed-phrase":
        words = {word for secret in case.secrets for word in secret.split()}
        return len(words & set(re.findall(r"[a-z]+", redacted))) > 2
    left = _INVISIBLE.sub("", redacted)
    for secret in case.secrets:
        value = re.sub(r"\s", "", secret)
        size = min(8, len(value))
        if any(value[at : at + size] in left for at in range(len(value) - size + 1)):
            return True
    return any(len(piece) >= 5 and piece in redacted for piece in case.pieces)
