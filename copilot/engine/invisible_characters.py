"""Counts the invisible characters that the child sends. The screen drops them.

The reason of a prompt's risk and the model's prompt warn of them. An invisible character in a name makes a
different name that looks the same. Alone among blanks they name nothing: some coding CLIs draw their cursor
with a zero-width blank.
"""

from __future__ import annotations

import codecs
import re

import re2

from copilot.core.risk import Risk, RiskLevel


def risk_with_invisible(risk: Risk, count: int) -> Risk:
    """`risk`, and at least high if the prompt has invisible characters; `count` is how many."""
    if not count or risk.level >= RiskLevel.HIGH:
        return risk
    what = "character" if count == 1 else "characters"
    return Risk(
        RiskLevel.HIGH,
        (f"{count} invisible {what} in the prompt",),
        "prompt.unseen",
    )


_INVISIBLE = re2.compile(
    "[\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u061c\u180e\U000e0000-\U000e01ef]+"
)
"""Zero-width blanks, bidi controls, line separators, word joiners, byte order marks, tags and selectors."""
_BIDI = re2.compile("[\u202a-\u202e\u2066-\u2069]")
"""These reorder what follows, so they count wherever they are."""
_SGR = re.compile("\x1b\\[[0-9;:]*+m")
"""Possessive, so that it is linear; all output goes through it, and `re2` copies each piece to and fro."""
_UNFINISHED_SGR = re.compile("\x1b(?:\\[[0-9;:]*+)?\\Z")
_LONGEST_SGR = 64
_MAX_WAITING = 64
"""Trailing invisible characters held until the next chunk; above this they are counted at once."""
_TRAILING = "\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"


class InvisibleCharacters:
    """Counts over chunks that may be cut anywhere. `take_count` gives the number since it was last called."""

    def __init__(self) -> None:
        self.since_answer = 0
        """How many since something was typed into the child."""
        self._count = 0
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._last = " "
        self._rest = ""

    def feed(self, data: bytes) -> None:
        """Output of the child."""
        text = self._rest + self._decode(data)
        begin = max(0, len(text) - _LONGEST_SGR)
        unfinished = _UNFINISHED_SGR.search(text[begin:])
        end = begin + unfinished.start() if unfinished is not None else len(text)
        rest, text = text[end:], text[:end]
        # ASCII: only the tail can matter.
        text = _SGR.sub("", text[begin:] if text.isascii() else text)
        drawn = text.rstrip(_TRAILING)
        waiting = text[len(drawn) :]
        if len(waiting) > _MAX_WAITING:
            self._add(len(waiting))
            waiting = ""
        self._rest = waiting + rest
        self._scan(drawn)
        self._last = drawn[-1:] or self._last

    def _scan(self, text: str) -> None:
        for match in _INVISIBLE.finditer(text) if not text.isascii() else ():
            before = text[match.start() - 1] if match.start() else self._last
            if _BIDI.search(match.group()) or _is_ink(before) or _is_ink(text[match.end() : match.end() + 1]):
                self._add(len(match.group()))

    def _add(self, number: int) -> None:
        self._count += number
        self.since_answer += number

    def take_count(self) -> int:
        """How many since the last call."""
        count, self._count = self._count, 0
        return count


def _is_ink(character: str) -> bool:
    return character > " " and character != "\x7f"
