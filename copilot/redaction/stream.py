"""`RedactingStream`: redaction of text that comes in pieces.

A secret may be cut anywhere between two pieces, so the open tail is held back: the line that has not ended,
a key block that has not ended, a netrc entry whose next line may be its password, a row that fills its place
and may go on in the next. What was given out is remembered for a while, since a heading or a name in it says
what comes. At most 4 KiB are held; beyond that the text goes out redacted, and the rest of a secret that
reached the cut is swallowed.
"""

from __future__ import annotations

import re2

from copilot.redaction.joined import open_rows
from copilot.redaction.phrases import phrase_rows
from copilot.redaction.public import public_regions
from copilot.redaction.quoted import open_quote
from copilot.redaction.redact import Redactor, encodable, without_escapes
from copilot.redaction.rules import may_begin_secret

HOLD_CHARACTERS = 4_096
_KEY_BEGIN = re2.compile(r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-[23]:")
_KEY_WORDS = ("PRIVATE KEY", "PuTTY-User-Key-File-")
"""No beginning of a key is without one of these; looking for them is cheaper than the pattern."""
_KEY_END = re2.compile(r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|Private-MAC: [0-9a-f]+")
_KEY_LINE = re2.compile(r"^(?:[\s\"'>|+,]*[A-Za-z0-9+/=]{5,}[\s\"'+,\\rn]*|[A-Z][A-Za-z\-]+: [^\n]*|\s*)$")
_KEY_PIECE = re2.compile(r"^[\s\"'>|+,]*[A-Za-z0-9+/=]*[\s\"'+,\\rn]*$")
_OPEN_ENTRY = re2.compile(
    r"(?i)(?:^|\n)[^\n]*\b(?:machine\s+\S+|login\s+\S+|default)\s*\n(?:\s*login\s+\S+\s*\n)?[^\n]*$"
)
_ENTRY_LINES = 6
"""An entry that is open has no more lines with words: its blanks may be line ends, two lines each."""
_REMEMBERED_CHARACTERS = 512
_ROWS_SEEN = 12
_LAST_WORD = re2.compile(r"\S*$")


class RedactingStream:
    """Feeds text through a `Redactor`. What `feed` returned is final; `close` returns the rest."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._held = ""
        self._swallow_word = False
        self._swallow_key = False
        self._before = ""
        self.count = 0

    def feed(self, text: str) -> str:
        """The part of all text so far that can be given out now."""
        fresh = self._after_swallowing(text)
        self._held += fresh
        if not self._held or self._swallow_key:
            return ""
        ready = self._ready()
        if len(self._held) - ready > HOLD_CHARACTERS:
            return self._forced()
        out, self._held = self._held[:ready], self._held[ready:]
        return self._redacted(out)

    def close(self) -> str:
        """The rest, redacted. An unfinished key block counts as one."""
        out, self._held = "" if self._swallow_key else self._held, ""
        return self._redacted(out)

    def _ready(self) -> int:
        """How many characters at the front cannot become part of a secret by what comes next."""
        held = self._held
        ready = held.rfind("\n") + 1
        if ready:
            ready -= self._continued(held[:ready])
        may_begin = any(word in held for word in _KEY_WORDS)
        held = encodable(held) if may_begin else held
        begin = next(reversed(list(_KEY_BEGIN.finditer(held))), None) if may_begin else None
        end = _KEY_END.search(held[begin.end() :]) if begin is not None else None
        if begin is not None and (end is None or begin.end() + end.end() > ready):
            lines = held[begin.end() : ready].split("\n")[1:-1]
            if all(_KEY_LINE.search(line) for line in lines):
                ready = min(ready, held.rfind("\n", 0, begin.start()) + 1)
        last = _last_lines(held, _ENTRY_LINES)
        entry = _OPEN_ENTRY.search(encodable(held[last:]))
        return min(ready, last + entry.start()) if entry else ready

    def _continued(self, lines: str) -> int:
        """How many characters at the end of whole lines are rows that the next one may continue."""
        rows = lines[:-1].split("\n")[-_ROWS_SEEN:]
        plain = [without_escapes(row) for row in rows]
        around = [*self._before.split("\n")[-_ROWS_SEEN:-1], *plain]
        count = open_rows("\n".join(around))
        boxed = bool(count) and around[-1].rstrip(" \r").endswith(("│", "┃"))
        if count and not boxed and not may_begin_secret("".join(row.strip(" \r") for row in around[-count:])):
            count = 0
        count = min(max(count, phrase_rows(around)), len(rows))
        return sum(len(row) + 1 for row in rows[len(rows) - count :])

    def _forced(self) -> str:
        """More is held than may be: give out what can be, and remember what must be swallowed."""
        held = encodable(self._held)
        begin = _KEY_BEGIN.search(held)
        if begin is not None and not _KEY_END.search(held[begin.end() :]):
            self._swallow_key = True
            out, self._held = self._held, ""
            return self._redacted(out)
        opened = open_quote(held)
        cut = opened if opened > 0 else _LAST_WORD.search(held).start()
        if cut > 0 and len(self._held) - cut <= HOLD_CHARACTERS:
            out, self._held = self._held[:cut], self._held[cut:]
            return self._redacted(out)
        spans = self._redactor.spans(self._held)
        self._swallow_word = bool(spans) and spans[-1][1] >= len(self._held) - 1
        out, self._held = self._held, ""
        return self._redacted(out)

    def _after_swallowing(self, text: str) -> str:
        if self._swallow_key:
            self._held += text
            text, self._held = self._held, ""
            end = _KEY_END.search(encodable(text))
            if end is None:
                lines = text.split("\n")
                ends = next(
                    (i for i, line in enumerate(lines[:-1]) if not _KEY_PIECE.search(encodable(line))), None
                )
                if ends is None:
                    self._held = lines[-1]
                    return ""
                text = "\n".join(lines[ends:])
            else:
                text = text[end.end() :]
            self._swallow_key = False
        if self._swallow_word:
            kept = text.lstrip("".join(sorted({char for char in text if not char.isspace()})))
            self._swallow_word = not kept
            text = kept
        return text

    def _redacted(self, text: str) -> str:
        if not text:
            return ""
        result = self._redactor.redact(text, self._before)
        self.count += result.count
        self._remember(text)
        return result.text

    def _remember(self, text: str) -> None:
        """Keep the last rows; of an open block of a certificate or the like also how it begins."""
        whole = self._before + without_escapes(text)
        cut = max(0, len(whole) - _REMEMBERED_CHARACTERS)
        # Of a row that is longer its end only: else all of it would be read again with each piece.
        cut = whole.find("\n", cut) + 1 or cut if cut else 0
        begin = whole.rfind("-----BEGIN ", 0, cut)
        opened = begin >= 0 and any(
            not start and end >= len(whole.rstrip()) - begin for start, end in public_regions(whole[begin:])
        )
        head = whole[begin : whole.find("\n", begin) + 1] if opened else ""
        self._before = head + whole[cut:]


def _last_lines(text: str, count: int) -> int:
    """Where the last `count` lines of `text` begin that have more than blanks."""
    begin = end = len(text)
    while count and end >= 0:
        begin = text.rfind("\n", 0, end) + 1
        count -= not text[begin:end].isspace() and begin < end
        end = begin - 1
    return begin
