"""Secrets that are a list: the words of a wallet's seed phrase, the recovery codes of an account.

`bip39.txt` is the English list of BIP-39, a row for each letter.
"""

from __future__ import annotations

import functools
import re
import string
from collections.abc import Iterator, Sequence
from pathlib import Path

import re2

_LEAST_WORDS = 12
"""A phrase has 12, 15, 18, 21 or 24 words of BIP-39."""
_LEAST_HELD_WORDS = 3
_SIGNS = "\"'`,.;:()[]{}|*?\\\r" + string.digits
_FLAT = str.maketrans(
    dict(zip(string.ascii_uppercase, string.ascii_lowercase, strict=True)) | dict.fromkeys(_SIGNS, " ")
)
"""Only words are left, each where it was: numbers, commas and borders stand between those of a phrase."""
_WORD = re.compile(r"\S++")
_PHRASE = re.compile(f"1{{{_LEAST_WORDS},}}")
CODES_HINT = (
    r"(?i)\b(?:recovery|backup|scratch|emergency|rescue|one[- ]time|2fa|mfa)"
    r"[ \-](?:login[ \-])?(?:pass)?codes?\b"
)
"""In every list of recovery codes: its heading."""
_HEADING = re2.compile(CODES_HINT)
_LINE_END = re.compile(r"\r?\n|\\r?\\n|\\n")
_BULLET = re2.compile(r"^[\s│┃|+>*•\-\"']*(?:[0-9]{1,2}[.)]\s+)?")
_CODES = re2.compile(
    r"^(?:[A-Za-z0-9]{4,12}(?:[\- ][A-Za-z0-9]{4,12}){1,5}|[a-z0-9]{6,16}|[A-Z0-9]{6,16})"
    r"(?:[\s,│|]+(?:[0-9]{1,2}[.)]\s+)?(?:[A-Za-z0-9]{4,12}(?:-[A-Za-z0-9]{4,12}){1,5}|[a-z0-9]{6,16}|[A-Z0-9]{6,16}))*$"
)
_MOST_LINES = 30
_MOST_BETWEEN = 3
_LONGEST_LINE = 300
_TRAILING = " \t\r│┃|\"',"


def seed_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where seed phrases lie, row by row."""
    words, flat = _words(), _flat(text)
    known = "".join(["1" if word in words else "0" for word in flat.split()])
    phrases = list(_PHRASE.finditer(known))
    places = [match.span() for match in _WORD.finditer(flat)] if phrases else []
    for phrase in phrases:
        yield from _rows(text, places[phrase.start() : phrase.end()])


def phrase_rows(rows: Sequence[str]) -> int:
    """How many rows at the end are words of such a phrase only: it may go on."""
    words = 0
    for count, row in enumerate(reversed(rows)):
        here = _flat(row).split()
        if not here or not _words().issuperset(here):
            return count if words >= _LEAST_HELD_WORDS else 0
        words += len(here)
    return len(rows) if words >= _LEAST_HELD_WORDS else 0


def ends_in_phrase(row: str) -> bool:
    """Whether the last words of a row may be those of a phrase, the very last one cut."""
    words = _flat(row).split()[-_LEAST_HELD_WORDS - 2 : -1]
    return len(words) > _LEAST_HELD_WORDS and _words().issuperset(words)


def _flat(text: str) -> str:
    plain = text if text.isascii() else text.encode("ascii", "replace").decode("ascii")
    flat = (plain.replace("\\n", "  ") if "\\n" in plain else plain).translate(_FLAT)
    return flat.replace(" - ", "   ")


def _rows(text: str, run: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """What the words of a run cover in each row."""
    if len({text[start:end] for start, end in run}) < _LEAST_WORDS * 3 / 4:
        return
    begin, last = run[0]
    for start, end in run[1:]:
        if "\n" in text[last:start]:
            yield begin, last
            begin = start
        last = end
    yield begin, last


@functools.cache
def _words() -> frozenset[str]:
    return frozenset((Path(__file__).parent / "bip39.txt").read_text(encoding="ascii").split())


def code_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where the codes below a heading such as `Recovery codes:` lie, and the one behind it."""
    done = 0
    for match in _HEADING.finditer(text):
        if match.start() < done:
            continue
        for start, end in _codes_below(text, match.end()):
            yield start, end
            done = end


def _codes_below(text: str, heading: int) -> Iterator[tuple[int, int]]:
    """The codes from the end of the heading's words on."""
    between = 0
    found = False
    for number, (begin, stop) in enumerate(_lines(text, heading)):
        if not number:
            # Of the heading's own line what follows the colon.
            colon = text.rfind(":", begin, stop)
            begin = colon + 1 if colon >= 0 else stop
        start = begin + _BULLET.search(text[begin:stop]).end()
        codes = text[start:stop].rstrip(_TRAILING)
        if _CODES.search(codes) and any(char.isdigit() for char in codes):
            found = True
            yield start, start + len(codes)
        elif codes and number:
            between += 1
            if found or between > _MOST_BETWEEN:
                return


def _lines(text: str, begin: int) -> Iterator[tuple[int, int]]:
    """Where the next lines begin and end, also those that JSON has as one."""
    for _ in range(_MOST_LINES):
        match = _LINE_END.search(text, begin, begin + _LONGEST_LINE)
        yield begin, match.start() if match else min(len(text), begin + _LONGEST_LINE)
        if not match:
            return
        begin = match.end()
