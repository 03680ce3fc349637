"""Secrets that a program broke over rows by itself, with an indent or a box between the parts.

The terminal knows nothing of such a break. A part by itself often matches no rule, so the last word of a row
and the first of the next are read as one, by the rules that are sure of their format and by known values.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import re2

from copilot.safety.redact_rules import IN_TOKEN, Span, vendor_spans

_BREAK = re2.compile(IN_TOKEN + r"([ \t│┃|]{0,4}(?:\r+\n?|\n)[ \t│┃|]{0,60})" + IN_TOKEN)
_BLANK = " \t│┃|"
_BETWEEN = "\n \t\r│┃|"
_NO_TOKEN = frozenset(" \t\n\f\r│┃|,;:(){}[]\"'`<>")
_ENDS_NO_WORD = _NO_TOKEN - frozenset(_BLANK)
_MOST_BEFORE, _MOST_AFTER = 4, 60
_LONGEST_PART = 256
_MOST_ROWS = 8
_SHORTEST_VENDOR = 20
_CLOSING = frozenset("\"'`,;)]}>")

Part = tuple[int, int]


def broken_spans(plain: str, known: Any, shortest: int = 0) -> Iterator[Span]:
    """The parts of secrets that go over a row's end, each a span of its own.

    `known` is a pattern or None, and `shortest` the length of the shortest text that it matches.
    """
    breaks = row_breaks(plain)
    least = _SHORTEST_VENDOR if known is None else min(shortest, _SHORTEST_VENDOR)
    between = [char for char in _BETWEEN if char in plain]
    words: list[tuple[str, list[Part]]] = []
    number = 0
    while number < len(breaks):
        if _is_short(plain, breaks, number, least):
            number += 1
            continue
        parts = _parts(plain, breaks, number, between)
        joined = "".join([plain[start:end] for start, end in parts])
        if len(joined) >= least:
            words.append((joined, parts))
        number += len(parts) - 1
    # One look at all of them: most texts have none, and the rules are too dear for every row.
    together = "\n".join([joined for joined, _ in words])
    if not words or not (any(vendor_spans(together)) or (known is not None and known.search(together))):
        return
    for joined, parts in words:
        for start, end, kind in _found(joined, known, [end - start for start, end in parts]):
            yield from ((*part, kind) for part in _mapped(parts, start, end))


def row_breaks(plain: str) -> list[Part]:
    """Where a row ends in a word and the next begins with one: from the one word to the other."""
    lone = "\r" in plain and plain.count("\r") != plain.count("\r\n")
    if lone:
        return [match.span(1) for match in _BREAK.finditer(plain)]
    # The same without the pattern, which costs microseconds for each row.
    breaks: list[Part] = []
    begin = used = 0
    for whole, below in itertools.pairwise(plain.split("\n")):
        start, begin = begin, begin + len(whole) + 1
        row = whole.removesuffix("\r")
        if not row or row[-1] in _ENDS_NO_WORD or not below or below[0] in _ENDS_NO_WORD:
            continue
        left, right = len(row.rstrip(_BLANK)), len(below) - len(below.lstrip(_BLANK))
        if left < len(row) - _MOST_BEFORE or right > _MOST_AFTER or not left or right == len(below):
            continue
        last = start + left - 1
        if row[left - 1] in _NO_TOKEN or below[right] in _NO_TOKEN or last < used:
            continue
        breaks.append((last + 1, begin + right))
        used = begin + right + 1
    return breaks


def _is_short(plain: str, breaks: list[Part], number: int, least: int) -> bool:
    """Whether the words around a break are too short for a secret, as far as a quick look tells."""
    end, begin = breaks[number]
    before = plain.rfind(" ", max(0, end - least), end)
    after = plain.find(" ", begin, begin + least)
    if before < 0 or after < 0 or (end - before - 1) + (after - begin) >= least:
        return False
    return number + 1 == len(breaks) or breaks[number + 1][0] > after


def _parts(plain: str, breaks: list[Part], number: int, between: list[str]) -> list[Part]:
    """The word before a break, and the words after it as long as each fills its row."""
    end = breaks[number][0]
    lowest = max(0, end - _LONGEST_PART)
    begin = max([lowest - 1, *[plain.rfind(char, lowest, end) for char in between]]) + 1
    parts = [(begin, end)]
    while len(parts) < _MOST_ROWS:
        begin = breaks[number][1]
        end = min(begin + _LONGEST_PART, len(plain))
        for char in between:
            found = plain.find(char, begin, end)
            end = found if found >= 0 else end
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
