"""Bytes of a command to readable text: UTF-8 and escape sequences may be cut anywhere between two reads.

Everything that would drive a terminal goes: CSI, OSC and its relatives, other escapes, control characters.
A carriage return becomes the end of a line, so that each state of a progress bar is a line of its own.
"""

from __future__ import annotations

import codecs

import re2

_MOST_HELD = 4_096
"""An escape sequence that is longer than this is text."""
_SEQUENCES = re2.compile(
    r"(?:\x1b\[|\x{9b})[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x{90}\x{98}\x{9d}-\x{9f}])[^\n\x07\x1b\x{9c}]*(?:\x07|\x1b\\|\x{9c})"
    r"|\x1b[ -/]*[0-~]"
)
_UNFINISHED = re2.compile(
    r"(?:\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\n\x07\x1b\x{9c}]*\x1b?|[ -/]*)?"
    r"|\x{9b}[0-?]*[ -/]*|[\x{90}\x{98}\x{9d}-\x{9f}][^\n\x07\x1b\x{9c}]*\x1b?|\r)$"
)
_CONTROLS = re2.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x{9f}]")
_DROPPED = {code: None for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\t\n"}


class Cleaner:
    """One stream. What `feed` returned is final; `close` returns the rest."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = ""

    def feed(self, data: bytes, *, last: bool = False) -> str:
        """The clean text that `data` completes."""
        text = self._held + self._decoder.decode(data, last)
        self._held = ""
        if not last:
            unfinished = _unfinished_at(text)
            text, self._held = text[:unfinished], text[unfinished:]
        return clean(text)

    def close(self) -> str:
        """What is left."""
        return self.feed(b"", last=True)


def clean(text: str) -> str:
    """`text` without escape sequences and control characters; lines end in a newline only."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.isascii() and not _CONTROLS.search(text):
        # `translate` takes a hundred times longer for such text than for ASCII.
        return text
    if "\x1b" in text or not text.isascii():
        text = _SEQUENCES.sub("", text)
    return text.translate(_DROPPED)


def _unfinished_at(text: str) -> int:
    """Where a sequence begins that the end of `text` cuts; its length if none does."""
    start = max(0, len(text) - _MOST_HELD)
    found = _UNFINISHED.search(text[start:])
    return start + found.start() if found else len(text)
