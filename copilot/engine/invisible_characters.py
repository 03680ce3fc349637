"""Counts the characters without a shape that the child sends: the screen drops them, a note warns of them.

A name with one of them in it is another name than the one that is shown. Alone among blanks they name
nothing: some coding CLIs draw their cursor with a zero-width blank.
"""

from __future__ import annotations

import codecs

import re2

from copilot.core.risk import Risk, RiskLevel


def raised_for_unseen(risk: Risk, hidden: int) -> Risk:
    """`risk`, and at least high if so many characters of the prompt cannot be seen."""
    if not hidden or risk.level >= RiskLevel.HIGH:
        return risk
    what = "character" if hidden == 1 else "characters"
    return Risk(
        RiskLevel.HIGH,
        (f"{hidden} invisible {what} in the prompt",),
        "prompt.unseen",
    )


_SHAPELESS = re2.compile(
    "[\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u061c\u180e\U000e0000-\U000e01ef]+"
)
"""Zero-width blanks, bidi controls, line separators, word joiners, byte order marks, tags and selectors."""
_BIDI = re2.compile("[\u202a-\u202e\u2066-\u2069]")
"""These reorder what follows, so they count wherever they are."""
_SGR = re2.compile("\x1b\\[[0-9;:]*m")
_UNFINISHED_SGR = re2.compile("\x1b(?:\\[[0-9;:]*)?$")
_LONGEST_SGR = 64
_MOST_WAITING = 64
"""Characters without a shape that wait for what follows them; more are counted at once."""
_ZERO_WIDTH = "\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"


class InvisibleCharacters:
    """Counts over chunks that may be cut anywhere. `taken` gives the number since it was last called."""

    def __init__(self) -> None:
        self.since_answer = 0
        """How many since something was typed into the child."""
        self._count = 0
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._last = " "
        self._rest = ""

    def saw(self, data: bytes) -> None:
        """Output of the child."""
        text = self._rest + self._decode(data)
        begin = max(0, len(text) - _LONGEST_SGR)
        unfinished = _UNFINISHED_SGR.search(text[begin:])
        end = begin + unfinished.start() if unfinished is not None else len(text)
        rest, text = text[end:], text[:end]
        text = _SGR.sub("", text[begin:] if text.isascii() else text)
        drawn = text.rstrip(_ZERO_WIDTH)
        waiting = text[len(drawn) :]
        if len(waiting) > _MOST_WAITING:
            self._add(len(waiting))
            waiting = ""
        self._rest = waiting + rest
        self._count_in(drawn)
        self._last = drawn[-1:] or self._last

    def _count_in(self, text: str) -> None:
        for match in _SHAPELESS.finditer(text) if not text.isascii() else ():
            before = text[match.start() - 1] if match.start() else self._last
            if _BIDI.search(match.group()) or _is_ink(before) or _is_ink(text[match.end() : match.end() + 1]):
                self._add(len(match.group()))

    def _add(self, number: int) -> None:
        self._count += number
        self.since_answer += number

    def taken(self) -> int:
        """How many since the last call."""
        count, self._count = self._count, 0
        return count


def _is_ink(character: str) -> bool:
    return character > " " and character != "\x7f"
