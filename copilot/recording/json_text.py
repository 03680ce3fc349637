"""JSON as the run folder writes it: one line, compact, readable, and harmless when shown with `cat`.

Letters of every script stay readable. What could act on a terminal or break a line is escaped: C0 (by JSON
itself), DEL, C1, line and paragraph separators, bidi controls, and lone surrogates, which UTF-8 cannot hold.
"""

from __future__ import annotations

import json
from typing import Any

_ACTING = (*range(0x7F, 0xA0), 0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A), 0xFEFF)
_ESCAPES = {code: f"\\u{code:04x}" for code in (*_ACTING, *range(0xD800, 0xE000))}


def json_text(value: Any, *, indent: int | None = None) -> str:
    """`value` as JSON. Raises ValueError for numbers that JSON has no word for (NaN, infinity)."""
    separators = (",", ":") if indent is None else None
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=separators, indent=indent)
    if text.isprintable():
        return text
    return text.translate(_ESCAPES)


def json_line(value: Any) -> bytes:
    """`value` as one line of UTF-8 JSON with its newline."""
    return json_text(value).encode() + b"\n"


def without_surrogates(text: str) -> str:
    """`text` with each lone surrogate, which no UTF-8 can hold, as a replacement character."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
