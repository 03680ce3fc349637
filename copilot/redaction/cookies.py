"""The cookies of a header that can be secrets: not its attributes, and not the choice of a language."""

from __future__ import annotations

from collections.abc import Iterator

import re2

from copilot.redaction.assigned import PLACEHOLDER

COOKIE_HINT = r"(?i)\b(?:set-)?cookie\\?[\"']?\s*[:=]"
_HEADER = re2.compile(r"(?i)\b(?:set-)?cookie\\?[\"']?\s*[:=]\s*\\?[\"']?([A-Za-z0-9_.\-]+=[^\r\n\"'│┃]*)")
_PAIR = re2.compile(r"([A-Za-z0-9_.\-]+)=([^;\s\\]*)")
_ATTRIBUTE = re2.compile(r"(?i)^(?:path|domain|expires|max-age|samesite|priority|version|comment)$")
_CHOICE = re2.compile(
    r"(?i)^(?:[a-z]{1,12}|[0-9]{1,4}|[a-z]{2}[-_][a-z]{2}|[a-z_]+/[a-z_]+|true|false|<[^>]*>|\[[^\]]*\]|\*+|\.{3})$"
)
_SECRET_NAME = re2.compile(
    r"(?i)sess|sid$|^sid|auth|token|jwt|csrf|xsrf|secret|pass|remember|login|credential"
)


def cookie_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where the values of such cookies lie."""
    for header in _HEADER.finditer(text):
        for pair in _PAIR.finditer(header.group(1)):
            name, value = pair.group(1), pair.group(2)
            if _ATTRIBUTE.search(name) or len(value) < 4 or PLACEHOLDER.search(value):
                continue
            if _CHOICE.search(value) and not (
                _SECRET_NAME.search(name) and len(value) >= 6 and value[0] not in "<["
            ):
                continue
            yield header.start(1) + pair.start(2), header.start(1) + pair.end(2)
