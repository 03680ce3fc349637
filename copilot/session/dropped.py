"""Counts the characters without a shape that the child sends: the screen drops them, the person is told."""

from __future__ import annotations

import re

_SHAPELESS = re.compile(
    b"\xe2\x80[\x8b\x8e\x8f\xa8-\xae]|\xe2\x81[\xa0-\xaf]|\xef\xbb\xbf|\xd8\x9c|\xe1\xa0\x8e|\xf3\xa0[\x80\x81]."
)
"""Zero-width blanks, bidi controls, line separators, word joiners, byte order marks and tags, in UTF-8."""
_LONGEST = 4


class DroppedCharacters:
    """Counts over chunks that may be cut anywhere. `taken` gives the number since it was last called."""

    def __init__(self) -> None:
        self._count = 0
        self._tail = b""

    def saw(self, data: bytes) -> None:
        """Output of the child."""
        text = self._tail + data
        last = 0
        for match in _SHAPELESS.finditer(text):
            self._count += 1
            last = match.end()
        self._tail = text[max(last, len(text) - _LONGEST + 1) :]

    def taken(self) -> int:
        """How many since the last call."""
        count, self._count = self._count, 0
        return count
