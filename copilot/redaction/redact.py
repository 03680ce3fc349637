"""`Redactor`: takes secrets out of text before it leaves, and keeps what kind they were.

Order: escapes aside, registered values, vendor formats, contexts, random-looking tokens. A secret becomes
`[secret:github:3f2a]`: the kind, and a short hash keyed per process, so that equal secrets stay visibly
equal, and guesses cannot be tested against a file. Redact before cutting text to a budget: half a secret
matches no rule.
"""

from __future__ import annotations

import base64
import binascii
import functools
import hashlib
import re
import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import re2

from copilot.redaction.known_values import MIN_LENGTH, is_typed_secret, spelled
from copilot.redaction.rows import broken_spans, joined_spans, unescaped_spans
from copilot.redaction.rules import Seen, Span, look, random_spans, rule_spans

# Texts that are base64-encoded in a control string: a status message (OSC 7501), a clipboard (OSC 52).
#
# Encoded, a sentence looks like a random token and a secret looks like nothing, so what they say is read.


_STATUS = re2.compile(r"(?:^7501;|:)msg=([A-Za-z0-9+/]+={0,2})(?:$|:)")
_CLIPBOARD = re2.compile(r"^52;[^;]*;([A-Za-z0-9+/]+={0,2})$")


def encoded_texts(body: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and meaning of each encoded text in the body of a control string.

    Only what decodes to readable text counts; anything else may be a secret itself.
    """
    pattern = _STATUS if body.startswith("7501;") else _CLIPBOARD if body.startswith("52;") else None
    for match in pattern.finditer(body) if pattern is not None else ():
        text = _decoded(match.group(1))
        if text:
            yield (*match.span(1), text)


def encoded(text: str) -> str:
    """The text as such a control string has it."""
    return base64.b64encode(text.encode("utf-8", "replace")).decode("ascii")


def _decoded(data: str) -> str:
    """What it says; empty if that is no text."""
    try:
        text = base64.b64decode(data + "=" * (-len(data) % 4), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return ""
    return text if all(char.isprintable() or char in "\t\r\n" for char in text) else ""


# CSI, OSC/DCS/APC/PM/SOS strings, other escapes, and control characters that print nothing. Not RE2, whose
# way through Python costs more than the match; nothing is tried twice here (`*+`), so time is linear as well.
_ESCAPES = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x9b](?:"
    r"(?<=\x1b)(?:\[[0-?]*+[ -/]*+[@-~]|[\]PX^_][^\x07\x1b]*+(?:\x07|\x1b\\)|[ -/]*+[0-~])"
    r"|(?<=\x9b)[0-?]*+[ -/]*+[@-~]|(?<!\x9b))"
)
_STRINGS = re2.compile(r"\x1b[\]PX^_]([^\x07\x1b]*)")
_MARK = re2.compile(r"\[secret:[a-z0-9\-]+:[0-9a-f]{4}\]")
_WORD = re.compile(r"[0-9A-Za-z_]")
_LEAST_SCRAP = 6


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without its secrets, how many were taken out, and of which kinds (sorted)."""

    text: str
    count: int = 0
    kinds: tuple[str, ...] = ()


class Redactor:
    """Redacts with a set of registered values and the rules. `known_values` are values by name.

    `key` makes the hashes; one redactor per run keeps them equal over all exits of the run.
    """

    def __init__(self, known_values: Mapping[str, str] | None = None, *, key: bytes | None = None) -> None:
        self._key = key if key is not None else _process_key()
        self._forms = {form for value in (known_values or {}).values() for form in spelled(value)}
        self._known = _any_of(self._forms)

    def learn(self, value: str) -> None:
        """From now on `value` is secret wherever it shows: the person typed it where it was hidden.

        Safe while another thread redacts. What is too short or too common to be one is left alone.
        """
        if is_typed_secret(value):
            self._forms = self._forms | {value} | spelled(value)
            self._known = _any_of(self._forms)

    def redact(self, text: str, before: str = "") -> Redacted:
        """`text` with every secret replaced; colour codes inside a secret go with it.

        `before` is what was given out before it: it may say what comes now, and is not in the result. Titles,
        links and other control strings are looked into first, for they show or go on elsewhere.
        """
        inside, kinds = self._redacted_strings(text) if "\x1b" in text else (text, [])
        outside, more = self._replaced(inside, before)
        kinds += more
        return Redacted(outside, len(kinds), tuple(sorted(set(kinds)))) if kinds else Redacted(text)

    def without_secrets(self, text: str) -> str:
        """`text` with every secret replaced."""
        return self.redact(text).text

    def _redacted_strings(self, text: str) -> tuple[str, list[str]]:
        """`text` with the secrets inside its control strings replaced, and their kinds."""
        pieces: list[str] = []
        kinds: list[str] = []
        done = 0
        for match in _STRINGS.finditer(encodable(text)):
            start, end = match.span(1)
            redacted, found = self._redacted_string(text[start:end])
            pieces += [text[done:start], redacted]
            kinds += found
            done = end
        return "".join([*pieces, text[done:]]), kinds

    def _redacted_string(self, body: str) -> tuple[str, list[str]]:
        """The body of a control string, with the texts encoded in it decoded, redacted and encoded again."""
        pieces: list[str] = []
        kinds: list[str] = []
        done = 0
        for start, end, meant in encoded_texts(body):
            if any(kind != "random" for _, _, kind in self.spans(body[start:end])):
                continue
            before, found = self._replaced(body[done:start])
            redacted, more = self._replaced(meant)
            pieces += [before, encoded(redacted) if more else body[start:end]]
            kinds += found + more
            done = end
        rest, found = self._replaced(body[done:])
        return "".join([*pieces, rest]), kinds + found

    def _replaced(self, text: str, before: str = "") -> tuple[str, list[str]]:
        """`text` with the secrets outside of its escape sequences replaced, and their kinds."""
        plain = safe = encodable(text)
        positions: Sequence[int] = range(len(safe))
        seen = look(before + safe)
        if controls := seen.controls:
            plain = _ESCAPES.sub("", safe)
            seen = look(before + plain)
        spans = self.spans(before + plain, seen)
        if before:
            known = len(before)
            spans = [
                (max(start, known) - known, end - known, kind) for start, end, kind in spans if end > known
            ]
        if not spans:
            return text, []
        if controls:
            positions = _positions(safe)
        pieces: list[str] = []
        done = 0
        for start, end, kind in spans:
            pieces += [text[done : positions[start]], self._replacement(plain[start:end], kind)]
            done = positions[end - 1] + 1
        return "".join([*pieces, text[done:]]), [kind for _, _, kind in spans]

    def redact_lines(self, lines: Sequence[str], wrapped: Sequence[bool]) -> list[str]:
        """The rows of a screen without their secrets; `wrapped[i]` means that row i continues in row i + 1.

        As many rows come back as went in: a secret over several rows is replaced where it begins, and its
        rest is removed from the rows below.
        """
        joined, starts = [], []
        length = 0
        for index, line in enumerate(lines):
            goes_on = index < len(wrapped) and wrapped[index] and index + 1 < len(lines)
            piece = line if goes_on else line + "\n"
            starts.append(length)
            joined.append(piece)
            length += len(piece)
        text = "".join(joined)
        rows = [list(line) for line in lines]
        for start, end, kind in reversed(self.spans(_one_to_one(text))):
            replacement = self._replacement(text[start:end], kind)
            for index in range(len(lines) - 1, -1, -1):
                first, last = max(start, starts[index]), min(end, starts[index] + len(lines[index]))
                if first < last:
                    here = replacement if first == start else ""
                    rows[index][first - starts[index] : last - starts[index]] = [here]
        return ["".join(row) for row in rows]

    def spans(self, plain: str, seen: Seen | None = None) -> list[Span]:
        """Where the secrets of a text without escapes are: sorted, merged, the surest kind first.

        `seen` is what a look at this very text found, if there was one already.
        """
        if seen is None:
            plain = encodable(plain)
            seen = look(plain)
        found: list[Span] = []
        if self._known is not None:
            found += [(*match.span(), "known") for match in self._known.finditer(plain)]
        found += rule_spans(plain, seen)
        found += random_spans(plain) if seen.random else ()
        found = unescaped_spans(plain, found)
        if seen.breaks:
            found = joined_spans(plain, found, self._known, seen.calm)
            found += broken_spans(plain, self._known)
        found = list(_outside_marks(found, plain))
        order = {span: number for number, span in reversed(list(enumerate(found)))}
        merged: list[Span] = []
        for span in sorted(order, key=lambda item: (item[0], -item[1])):
            if merged and span[0] < merged[-1][1]:
                last = merged[-1]
                best = min(last, span, key=lambda item: order.get(item, 0))
                merged[-1] = (last[0], max(last[1], span[1]), best[2])
                order[merged[-1]] = min(order.get(last, 0), order[span])
            elif span[0] < span[1]:
                merged.append(span)
        return merged

    def _replacement(self, secret: str, kind: str) -> str:
        data = secret.encode("utf-8", "surrogatepass")
        return f"[secret:{kind}:{hashlib.blake2b(data, key=self._key, digest_size=2).hexdigest()}]"


def _any_of(forms: Collection[str]) -> Any:
    """A pattern of registered values, the longest first; a short one only as a whole word. None for none."""
    options = re2.Options()
    options.longest_match = True
    return re2.compile("|".join(map(_form, sorted(forms))), options) if forms else None


def _form(form: str) -> str:
    if len(form) >= MIN_LENGTH:
        return str(re2.escape(form))
    before, after = (r"\b" if _WORD.match(edge) else "" for edge in (form[0], form[-1]))
    return f"{before}{re2.escape(form)}{after}"


def _outside_marks(spans: list[Span], plain: str) -> Iterator[Span]:
    """The spans without what an earlier redaction put there; what begins inside of that is no secret."""
    marks = [match.span() for match in _MARK.finditer(plain)] if spans and "[secret:" in plain else []
    for start, end, kind in spans:
        inside = [mark for mark in marks if mark[0] < end and start < mark[1]]
        if any(mark[0] < start for mark in inside):
            continue
        if not inside:
            yield start, end, kind
            continue
        edges = [start, *(edge for mark in inside for edge in mark), end]
        for left, right in zip(edges[::2], edges[1::2], strict=True):
            if right - left >= _LEAST_SCRAP:
                yield left, right, kind


def redact(text: str) -> str:
    """`text` redacted by the rules alone, where no values are registered (crash reports)."""
    return _plain_redactor().without_secrets(text)


@functools.cache
def _plain_redactor() -> Redactor:
    return Redactor()


@functools.cache
def _process_key() -> bytes:
    return secrets.token_bytes(16)


def without_escapes(text: str) -> str:
    """`text` as the rules read it."""
    return _ESCAPES.sub("", encodable(text))


def encodable(text: str) -> str:
    """`text` with lone surrogates (undecodable bytes) replaced one to one: RE2 takes UTF-8 only."""
    if text.isascii():
        return text
    try:
        # Much quicker than a look at each character.
        text.encode("utf-8")
    except UnicodeEncodeError:
        pass
    else:
        return text
    return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)


def _positions(text: str) -> Sequence[int]:
    """For each character that is left of `text` without escape sequences, its position in `text`."""
    positions: list[int] = []
    done = 0
    for match in _ESCAPES.finditer(text):
        positions += range(done, match.start())
        done = match.end()
    return [*positions, *range(done, len(text))]


def _one_to_one(text: str) -> str:
    """`text` with control characters other than newline and tab blanked, one to one."""
    return "".join(char if char.isprintable() or char in "\n\t" else " " for char in text)
