"""What the person types where the terminal hides it: from Enter on it is a known secret of the run.

A program may print later what it was given. The kernel tells that nothing is echoed while whole lines are
read (getpass, sudo, ssh, git); programs that draw their own dots are told by their prompt.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable

_SEQUENCES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|.)?")
_ENTER = "\r\n"
_ERASE = "\x7f\x08"
_ANEW = "\x03\x04\x15\x17"
"""Ctrl-C, Ctrl-D, Ctrl-U and Ctrl-W: what was typed is gone, or its last word."""
_LONGEST = 1024


class TypedSecret:
    """Gathers hidden keys; gives each line to `learn` before its Enter goes to the child."""

    def __init__(self, learn: Callable[[str], None]) -> None:
        self._learn = learn
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._line = ""

    def typed(self, data: bytes, hidden: bool) -> None:
        """Bytes of the person, in order; `hidden` tells whether what they mean is not shown."""
        text = self._decoder.decode(data)
        if not hidden:
            self._line = ""
            return
        for char in _SEQUENCES.sub("", text):
            self._take(char)

    def _take(self, char: str) -> None:
        if char in _ENTER:
            self._learn(self._line)
            self._line = ""
        elif char in _ERASE:
            self._line = self._line[:-1]
        elif char in _ANEW:
            self._line = ""
        elif char.isprintable() and len(self._line) < _LONGEST:
            self._line += char
