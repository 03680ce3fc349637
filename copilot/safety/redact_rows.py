"""Secrets that a program broke over rows by itself, with an indent or a box between the parts.

The terminal knows nothing of such a break. A part by itself often matches no rule, so the last word of a row
and the first of the next are read as one, by the rules that are sure of their format and by known values.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import re2

from copilot.safety.redact_rules import Span, vendor_spans

_IN_TOKEN = r"[^\s│┃|,;:(){}\[\]\"'`<>]"
_BREAK = re2.compile(_IN_TOKEN + r"([ \t│┃|]{0,4}(?:\r+\n?|\n)[ \t│┃|]{0,60})" + _IN_TOKEN)
_BETWEEN = frozenset(" \t\r\n│┃|")
_LONGEST_PART = 256
_MOST_ROWS = 8
_SHORTEST_KNOWN = 8
_SHORTEST_VENDOR = 20
_CLOSING = frozenset("\"'`,;)]}>")

Part = tuple[int, int]


def broken_spans(plain: str, known: Any) -> Iterator[Span]:
    """The parts of secrets that go over a row's end, each a span of its own. `known` is a pattern or None."""
    breaks = [match.span(1) for match in _BREAK.finditer(plain)] if "\n" in plain or "\r" in plain else []
    words: list[tuple[str, list[Part]]] = []
    number = 0
    while number < len(breaks):
        parts = _parts(plain, breaks, number)
        joined = "".join([plain[start:end] for start, end in parts])
        if len(joined) >= _SHORTEST_KNOWN:
            words.append((joined, parts))
        number += len(parts) - 1
    # One look at all of them: most texts have none, and the rules are too dear for every row.
    together = "\n".join([joined for joined, _ in words])
    if not words or not (any(vendor_spans(together)) or (known is not None and known.search(together))):
        return
    for joined, parts in words:
        for start, end, kind in _found(joined, known, [end - start for start, end in parts]):
            yield from ((*part, kind) for part in _mapped(parts, start, end))


def _parts(plain: str, breaks: list[Part], number: int) -> list[Part]:
    """The word before a break, and the words after it as long as each fills its row."""
    begin = end = breaks[number][0]
    while begin > 0 and end - begin < _LONGEST_PART and plain[begin - 1] not in _BETWEEN:
        begin -= 1
    parts = [(begin, end)]
    while len(parts) < _MOST_ROWS:
        begin = end = breaks[number][1]
        while end < len(plain) and end - begin < _LONGEST_PART and plain[end] not in _BETWEEN:
            end += 1
        parts.append((begin, end))
        number += 1
        if number == len(breaks) or breaks[number][0] != end:
            break
    return parts


def _found(joined: str, known: Any, sizes: list[int]) -> Iterator[Span]:
    """The secrets that are only there, or only whole, when the parts are joined."""
    if known is not None:
        yield from ((*match.span(), "known") for match in known.finditer(joined))
    if len(joined) < _SHORTEST_VENDOR:
        return
    edges = list(itertools.accumulate(sizes))
    for start, end, kind in vendor_spans(joined):
        for edge in [edge for edge in reversed(edges) if start < edge < end]:
            whole = any(one[0] == start for one in vendor_spans(joined[:edge]))
            if whole and not _goes_on(joined, edge, end, end in edges):
                end = edge
        yield start, end, kind


def _goes_on(joined: str, edge: int, end: int, word_ends: bool) -> bool:
    """Whether a secret that could end with its row goes on in the next: what follows is no word or name."""
    rest = joined[edge:end]
    mixed = any(char.isdigit() for char in rest) and any(char.isalpha() for char in rest)
    return mixed and (word_ends or joined[end] in _CLOSING)


def _mapped(parts: list[Part], start: int, end: int) -> list[Part]:
    """Where a span of the joined text lies; nothing if it is in one part."""
    found: list[Part] = []
    offset = 0
    for begin, stop in parts:
        first, last = max(start - offset, 0), min(end - offset, stop - begin)
        if first < last:
            found.append((begin + first, begin + last))
        offset += stop - begin
    return found if len(found) > 1 else []
