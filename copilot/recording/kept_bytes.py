"""Terminal output as text without losing a byte: what is no UTF-8 becomes characters that stand for bytes.

The redactor needs text that is valid Unicode, the raw log needs the very bytes. So each undecodable byte B is
decoded as U+10FF00 + B, in the last private-use plane, and encoded back to that byte.
"""

from __future__ import annotations

import codecs

_BASE = 0x10FF00
_HANDLER = "copilot-kept-bytes"
_TO_SURROGATE = {_BASE + byte: 0xDC00 + byte for byte in range(0x80, 0x100)}
_TO_REPLACEMENT = {_BASE + byte: 0xFFFD for byte in range(0x80, 0x100)}


def _keep(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return "".join(chr(_BASE + byte) for byte in error.object[error.start : error.end]), error.end


codecs.register_error(_HANDLER, _keep)


def kept_bytes_decoder() -> codecs.IncrementalDecoder:
    """A decoder of UTF-8 that loses nothing and waits for split characters."""
    return codecs.getincrementaldecoder("utf-8")(_HANDLER)


def to_bytes(text: str) -> bytes:
    """The bytes that the decoder made `text` of."""
    if _has_kept(text):
        text = text.translate(_TO_SURROGATE)
    return text.encode("utf-8", "surrogateescape")


def to_text(text: str) -> str:
    """`text` for people: bytes that are no text as replacement characters."""
    return text.translate(_TO_REPLACEMENT) if _has_kept(text) else text


def _has_kept(text: str) -> bool:
    return bool(text) and max(text) >= chr(_BASE)
