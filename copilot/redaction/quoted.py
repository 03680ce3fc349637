"""Secrets of several words: the quoted text after a name like `password`, or what prose says it is.

`redact_assigned` ends a value at the first blank. A quoted one ends with its quote, so it goes whole.
"""

from __future__ import annotations

from collections.abc import Iterator

import re2

from copilot.redaction.assigned import CLOSING, PLACEHOLDER, STRONG, is_plain_name, names_a_secret

_NAMED = rf"(?i){STRONG}[A-Za-z0-9_.\-]*"
_OPERATOR = r"\s{0,3}(?::=|=>|==?|:|\sis:?|\swas:?)\s{0,3}[bfru]?"
QUOTED_HINT = _NAMED + r"[\\\"'\]]*\s*(?:[:=]+>?|is:?|was:?)\s*[bfru]?\\?[\"']"
"""In every quoted value, and quick to look for."""
_QUOTED = re2.compile(
    rf"{_NAMED}({CLOSING}){_OPERATOR}"
    r"(?:\\\"([^\"\\\n]{5,})\\\"|\"((?:[^\"\\\n]|\\[^\n]){5,})\"|'((?:[^'\\\n]|\\[^\n]){5,})')"
)
_OPEN = re2.compile(rf"{_NAMED}{CLOSING}{_OPERATOR}\\?(?:\"[^\"\n]*|'[^'\n]*)$")
SAID_HINT = (
    r"(?i)\b(?:password|passphrase|passcode)[ \t]+(?:is|was)[ \t]*:[ \t]*"
    r"[\"'`]?([^\s\"'`,;:]{5,}?)[\"'`]?[.!]?[ \t│┃|]*(?:\n|\r|$)"
)
_SAID = re2.compile(SAID_HINT)
_NAME_BEFORE = re2.compile(r"[A-Za-z0-9_.\-]*$")
_NO_OPENING = tuple(" \t,;)]}+%.")
"""No value begins so, but the text between two quoted texts does."""
_MESSAGE = re2.compile(
    r"(?i)^(?:(?:must|should|cannot|can't|is|are|has to|needs? to|may not)\b"
    r"|(?:please|enter|choose|type|confirm|invalid|wrong|incorrect|missing|no|not|too|at least)\b[^0-9]*$)"
)
"""What a form or a fault says of a password: `"password": "must have 12 characters"`."""
_VERDICT = re2.compile(
    r"(?i)^(?:wrong|incorrect|correct|weak|strong|short|long|stored|hashed|encrypted|hidden|shown|secure|insecure"
    r"|unchanged|changed|mandatory|needed|reset|blank|disabled|enabled|unknown|known|accepted|rejected|compromised"
    r"|[a-z]+-?(?:protected|generated|based))$"
)
"""What prose says a password is, when it does not say which."""


def quoted_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where the quoted values of secret names lie that have more in them than one word."""
    opened = _Opened(text)
    for match in _QUOTED.finditer(text):
        group = next(number for number in (2, 3, 4) if match.group(number) is not None)
        begin, end = match.span(group)
        quote = text[end : end + 1] if group > 2 else '"'
        if opened.at(match.start(), quote) and not match.group(1):
            # The quote ends a text that began before the name: `print("password: ", word, "!")`.
            continue
        name = (
            _NAME_BEFORE.search(text[max(0, match.start() - 60) : match.start()]).group()
            + text[match.start() : match.start(1)]
        )
        value, sure = text[begin:end], bool(match.group(1))
        if (sure or not value.startswith(_NO_OPENING)) and not is_plain_name(name) and _is_phrase(value):
            yield begin, end


class _Opened:
    """Which quotes are open in a row. Asked from left to right, so that a long row is read once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._read_to = 0
        self._counts = {'"': 0, "'": 0}

    def at(self, place: int, quote: str) -> bool:
        """Whether the row has an odd number of this quote before a place."""
        row = self._text.rfind("\n", self._read_to, place) + 1
        if row:
            self._counts = dict.fromkeys(self._counts, 0)
        start = row or self._read_to
        for one in self._counts:
            self._counts[one] += self._text.count(one, start, place)
        self._read_to = place
        return self._counts[quote] % 2 == 1


def said_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where a sentence ends with the password that it names: `the password is: swordfish`.

    With the colon only: without it, what follows says mostly how a password is.
    """
    for match in _SAID.finditer(text):
        if _is_value(match.group(1)) and not _VERDICT.search(match.group(1)):
            yield match.span(1)


def open_quote(text: str) -> int:
    """Where a name begins whose quoted value is still open at the end of `text`; -1 if there is none."""
    match = _OPEN.search(text, text.rfind("\n") + 1)
    return match.start() if match else -1


def _is_value(value: str) -> bool:
    return len(set(value)) >= 3 and not PLACEHOLDER.search(value)


def _is_phrase(value: str) -> bool:
    if not _is_value(value):
        return False
    if not any(char in " \t,;'\"`\\" for char in value):
        # One word: `redact_assigned` has judged it.
        return False
    digit = any(char.isdigit() for char in value)
    return not _MESSAGE.search(value) and (digit or not names_a_secret(value))
