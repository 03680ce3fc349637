"""Which cells a text takes: grapheme clusters and their widths, equal to Rich's.

The widget draws with Rich, so the model must count as Rich counts or rows would shear. Characters
that are invisible and join nothing (bidi controls, zero width spaces, tags outside a flag) are
dropped: they could only hide text.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from rich.cells import cell_len

from copilot.sure_widths import NARROW, WIDE

JOINER = "\u200d"
EMOJI_VARIATION = "\ufe0f"
LONGEST_CLUSTER = 32
"""Code points in one cell; more are dropped."""
MOST_KNOWN = 4096

narrow = re.compile(f"[{NARROW}]*+").fullmatch
"""Matches a text of which each character takes one cell (not every such text)."""

_SURE = f"[{NARROW}{WIDE}]"
_ODD = f"[^{NARROW}{WIDE}]"
_PARTS = re.compile(
    f"([{NARROW}]+(?={_SURE}|\\Z))|([{WIDE}]+(?={_SURE}|\\Z))|([\\s\\S]{_ODD}*+(?:{_SURE}{_ODD}++)*{_SURE}?)"
).findall
"""Runs of narrow characters, runs of wide ones, and the rest, which takes a closer look."""


KNOWN: set[str] = set()
"""Short texts that were found to be narrow (a set, because asking it is faster than a call)."""


def is_narrow(text: str) -> bool:
    """Whether each character of a text takes one cell and joins nothing; False if it takes a closer look."""
    if not narrow(text):
        return False
    if len(text) <= LONGEST_CLUSTER:
        if len(KNOWN) >= MOST_KNOWN:
            KNOWN.clear()
        KNOWN.add(text)
    return True


@lru_cache(maxsize=4096)
def width(character: str) -> int:
    """Cells that a character takes: 0, 1 or 2."""
    return cell_len(character)


def extend(cluster: str, character: str) -> str:
    """`cluster` with a character that takes no cell of its own, or unchanged if that one is dropped."""
    if len(cluster) >= LONGEST_CLUSTER:
        return cluster
    if character == JOINER:
        return cluster if cluster[-1] == JOINER else cluster + character
    if character == "\u200c":
        return cluster + character
    if "\U000e0020" <= character <= "\U000e007f":
        return cluster + character if cluster.startswith("\U0001f3f4") else cluster
    if unicodedata.category(character) in ("Cf", "Cc", "Zl", "Zp", "Cn"):
        return cluster
    return cluster + character


def layout(text: str) -> tuple[list[str], bool]:
    """The cells of a text that starts a new cluster, and whether all are narrow single characters.

    A wide cluster is followed by `""`. The text holds no control characters.
    """
    if text.isascii() or narrow(text):
        return list(text), True
    cells: list[str] = []
    for single, double, other in _PARTS(text):
        if single:
            cells += single
        elif double:
            pairs = [""] * (2 * len(double))
            pairs[::2] = double
            cells += pairs
        else:
            cells += _known_clusters(other) if len(other) <= LONGEST_CLUSTER else _clusters(other)
    return cells, len(cells) == len(text) and "" not in cells


def _clusters(text: str) -> tuple[str, ...]:
    """The cells of any text, one character at a time."""
    cells: list[str] = []
    for character in text:
        size = width(character)
        if cells:
            last = -1 if cells[-1] else -2
            cluster = cells[last]
            if size == 0 or cluster[-1] == JOINER:
                cells[last] = extended = extend(cluster, character)
                if last == -1 and extended != cluster and widens(extended):
                    cells.append("")
                continue
        if size:
            cells.append(character)
            if size == 2:
                cells.append("")
    return tuple(cells)


_known_clusters = lru_cache(maxsize=4096)(_clusters)


def widens(cluster: str) -> bool:
    """Whether a cluster of one cell takes two, now that its last character has come."""
    return cluster[-1] == EMOJI_VARIATION and cell_len(cluster) == 2
