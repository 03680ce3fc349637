"""Which cells a text takes: grapheme clusters and their widths, equal to Rich's.

The widget draws with Rich, so the model must count as Rich counts or rows would shear. Characters
that nobody can see and that join nothing (bidi controls, zero width spaces, tags outside a flag) are
dropped: they could only hide text.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from rich.cells import cell_len

# Characters of which everybody counts the same cells: Rich, the model of the screen, and any terminal.
#
# The first frame asks only whether it has others. How those are counted is in `widths.py`, which is
# loaded when one is met, or with the first screen: its patterns of these sets take a while to compile.


NARROW = (
    " -~\xa0-\u02ff\u0370-\u0482\u048a-\u0590\u1e00-\u200a\u2010-\u2027\u202f-\u205f\u2070-\u20cf"
    "\u20f1-\u2319\u231c-\u2328\u232b-\u23e8\u23f4-\u25fc\u25ff-\u2613\u2616-\u262f\u2638-\u2647"
    "\u2654-\u267e\u2690-\u2692\u2694-\u26a0\u26a2-\u26a9\u26f6-\u26f9\u2706-\u2709\u270c-\u2727"
    "\u2729-\u274b\u2758-\u2794\u2798-\u27af\u27b1-\u27be\u27c0-\u2b1a\ue000-\uf8ff\ufffd"
)
WIDE = (
    "\u26a1\u2705\u2728\u274c\u2b50\u3000-\u3029\u3041-\u3096\u309b-\u30ff\u3250-\ua48c\uac00-\ud7a3"
    "\uff01-\uff60\U0001f300-\U0001f320\U0001f337-\U0001f37c\U0001f400-\U0001f43e\U0001f442-\U0001f4fc"
    "\U0001f550-\U0001f567\U0001f5fb-\U0001f64f\U0001f680-\U0001f6c5\U0001f90c-\U0001f93a"
    "\U0001f947-\U0001f9ff"
)

undisputed = re.compile(f"[\\x00-\\x1f\\x7f{NARROW}{WIDE}]*+").fullmatch
"""Matches a text without any character of which terminals disagree how wide it, or what it joins, is.

To search for one would take three times as long to compile."""


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
    """Whether a cluster that stood in one cell takes two, now that its last character has come."""
    return cluster[-1] == EMOJI_VARIATION and cell_len(cluster) == 2
