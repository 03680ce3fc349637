"""Texts that stand base64-encoded in a control string: a status message (OSC 7501), a clipboard (OSC 52).

Encoded, a sentence looks like a random token and a secret looks like nothing, so what they say is read.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator

import re2

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
