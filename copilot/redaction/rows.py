"""Secrets that a program broke over rows by itself, with an indent or a box between the parts.

The terminal knows nothing of such a break. A part by itself often matches no rule, so the last word of a row
and the first of the next are read as one, by the rules that are sure of their format and by known values.
"""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Iterator
from typing import Any

from copilot.redaction.joined import Joined, continues, joined, unescaped
from copilot.redaction.public import in_region
from copilot.redaction.rules import IN_TOKEN, Span, look, random_tokens, rule_spans, vendor_spans

# Not RE2, which cannot look around. Time is linear: what repeats is bounded, and begins behind a token only.
_BREAK = re.compile(rf"(?<={IN_TOKEN})[ \t│┃|]{{0,4}}(?:\r++\n?|\n)[ \t│┃|]{{0,60}}(?={IN_TOKEN})")
_ROW_END = re.compile(r"\r++\n?|\n")
_BLANK = "\t│┃|"
_BETWEEN = "\n \t\r│┃|"
_LONGEST_PART = 256
_MOST_ROWS = 8
_MOST_CHAINS = 1_000
_SHORTEST_VENDOR = 20
_WHOLE = frozenset({"known", "seed-phrase", "private-key", "putty-key", "ansible-vault"})
"""What goes over rows by its nature."""
_CLOSING = frozenset("\"'`,;)]}>")

Part = tuple[int, int]


def joined_spans(plain: str, found: list[Span], known: Any, calm: bool) -> list[Span]:
    """`found` with what the rules see once rows are joined, and without what is public then."""
    rows = joined(plain, calm)
    return found if rows is None else _read(plain, rows, found, known)


def unescaped_spans(plain: str, found: list[Span]) -> list[Span]:
    """`found` with what the rules see in JSON that has such text in it, and in its rows."""
    rows = unescaped(plain) if "\\" in plain else None
    if rows is None:
        return found
    return _read(plain, rows, found, None)


def _read(plain: str, rows: Joined, found: list[Span], known: Any) -> list[Span]:
    """`found` with what the rules see in another reading of the text."""
    seen = look(rows.text)
    spans = [(*match.span(), "known") for match in known.finditer(rows.text)] if known is not None else []
    spans += rule_spans(rows.text, seen)
    public: list[Part] = []
    for start, end, is_public in random_tokens(rows.text) if seen.random else ():
        parts = rows.parts(start, end)
        certain = all(rows.sure[number] for _, _, number in parts[1:])
        if is_public and certain:
            public += [(first, last) for first, last, _ in parts]
        elif certain and not is_public and len(parts) > 1:
            spans.append((start, end, "random"))
    public.sort()
    kept = [span for span in found if span[2] != "random" or not in_region(public, span[0])]
    ends = {end for _, end, _ in kept}
    return kept + [span for one in spans for span in _in_rows(plain, rows, one, ends)]


def _in_rows(plain: str, rows: Joined, span: Span, ends: set[int]) -> Iterator[Span]:
    """The parts of a span of joined rows, as far as it is likely that they belong together."""
    start, end, kind = span
    parts = rows.parts(start, end)
    taken = parts[:1]
    for part in parts[1:]:
        if kind not in _WHOLE and not rows.sure[part[2]] and not continues(plain, part[:2]):
            break
        taken.append(part)
    if len(taken) == 1 and len(parts) > 1 and taken[0][1] not in ends:
        return
    yield from ((first, last, kind) for first, last, _ in taken)


def broken_spans(plain: str, known: Any) -> Iterator[Span]:
    """The parts of secrets that go over a row's end, each a span of its own. `known` is a pattern or None."""
    whole = _without_row_ends(plain)
    kinds = _kinds_in(whole)
    if not kinds and (known is None or known.search(whole) is None):
        return
    breaks = [match.span() for match in _BREAK.finditer(plain)]
    # From every break, and to every break: words before and after the secret may fill their rows as well.
    chains = list(_chains(plain, breaks))
    words = [list(itertools.accumulate([plain[start:end] for start, end in parts]))[1:] for parts in chains]
    held = _that_hold(["\n".join(begun) for begun in words], known, kinds)
    if len(held) > _MOST_CHAINS:
        # So many can only be meant to take time.
        yield from ((*part, "broken") for number in held for part in chains[number])
        return
    for number in held:
        parts = chains[number]
        for count, word in enumerate(words[number], 2):
            sizes = [end - start for start, end in parts[:count]]
            for start, end, kind in _found(word, known, kinds, sizes):
                yield from ((*part, kind) for part in _mapped(parts, start, end))


def _kinds_in(text: str) -> set[str]:
    """The kinds of secrets of a sure format in a text: one look at all of it."""
    return {kind for _, _, kind in vendor_spans(text)}


def _that_hold(texts: list[str], known: Any, kinds: set[str]) -> list[int]:
    """The numbers of the texts in which there may be one: one look at all of them."""
    whole = "\n".join(texts)
    places = [start for start, _, _ in vendor_spans(whole, kinds)]
    places += [match.start() for match in known.finditer(whole)] if known is not None else []
    starts = list(itertools.accumulate((len(text) + 1 for text in texts), initial=0))
    return sorted({bisect.bisect_right(starts, place) - 1 for place in places})


def _without_row_ends(plain: str) -> str:
    """A text that has all words of `broken_spans`, with an edge where they have one.

    Most texts hold nothing of the kind, and to look at each row by itself costs microseconds.

    All rows are joined; and those that are a single word, with one more around, in every way once more, since
    in what was joined the ends of such a row are lost.
    """
    for char in _BLANK:
        plain = plain.replace(char, " ") if char in plain else plain
    plain = plain.replace("\r\n", "\n")
    texts = _ROW_END.split(plain) if "\r" in plain else plain.split("\n")
    rows = [row.strip(" ") for row in texts]
    joined = ["".join([row or "\n" for row in rows])]
    words = [bool(row) and " " not in row for row in rows]
    for number in [number for number, word in enumerate(words) if word]:
        if number and rows[number - 1] and not words[number - 1]:
            joined += _begun(rows, words, number - 1)
        joined += _begun(rows, words, number)
    return "\n".join(joined)


def _begun(rows: list[str], words: list[bool], first: int) -> Iterator[str]:
    """The words that begin in row `first`, up to each row that one of them may end in."""
    last = first + 1
    while last < len(rows) and last < first + _MOST_ROWS and rows[last]:
        before = rows[first][-_LONGEST_PART:]
        yield "".join([before, *rows[first + 1 : last], rows[last][:_LONGEST_PART]])
        if not words[last]:
            break
        last += 1


def _chains(plain: str, breaks: list[Part]) -> Iterator[list[Part]]:
    """For each break the word before it, and the words after it as long as each fills its row."""
    between = [char for char in _BETWEEN if char in plain]
    after = [(begin, _word_end(plain, begin, between)) for _, begin in breaks]
    for number, (end, _) in enumerate(breaks):
        lowest = max(0, end - _LONGEST_PART)
        begin = max([lowest - 1, *[plain.rfind(char, lowest, end) for char in between]]) + 1
        last = number + 1
        while last < min(number + _MOST_ROWS - 1, len(breaks)) and breaks[last][0] == after[last - 1][1]:
            last += 1
        yield [(begin, end), *after[number:last]]


def _word_end(plain: str, begin: int, between: list[str]) -> int:
    end = min(begin + _LONGEST_PART, len(plain))
    for char in between:
        found = plain.find(char, begin, end)
        end = found if found >= 0 else end
    return end


def _found(joined: str, known: Any, kinds: set[str], sizes: list[int]) -> Iterator[Span]:
    """The secrets that are only there, or only whole, when the parts are joined."""
    if known is not None:
        yield from ((*match.span(), "known") for match in known.finditer(joined))
    if len(joined) < _SHORTEST_VENDOR:
        return
    edges = list(itertools.accumulate(sizes))
    for start, end, kind in vendor_spans(joined, kinds):
        for edge in [edge for edge in reversed(edges) if start < edge < end]:
            whole = any(one[0] == start for one in vendor_spans(joined[:edge], kinds))
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
