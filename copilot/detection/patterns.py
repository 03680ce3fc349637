"""Regular expressions of profiles: always RE2, so that a hostile screen cannot stall us."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import re2

_OPTIONS = re2.Options()
_OPTIONS.log_errors = False
_OPTIONS.max_mem = 16 << 20

Pattern = Any
"""A compiled RE2 pattern; google-re2 has no types."""


class BadPattern(ValueError):
    """A regular expression that RE2 does not take; the message says what and where."""


@lru_cache(maxsize=4096)
def compiled(pattern: str) -> Pattern:
    """The compiled form. Raises BadPattern with the position of the fault."""
    try:
        return re2.compile(pattern, _OPTIONS)
    except re2.error as error:
        raise BadPattern(_explained(pattern, error)) from None


def _explained(pattern: str, error: Exception) -> str:
    reason = error.args[0] if error.args else str(error)
    text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
    what, _, part = text.partition(": ")
    if part == pattern or not part:
        return f"{what} at position {_position(pattern, what)}: {pattern!r}"
    return f"{what} at position {max(pattern.find(part), 0)}: {part!r}"


def _position(pattern: str, what: str) -> int:
    """Where the fault is when RE2 only quotes the whole pattern: behind the longest prefix that it takes."""
    if "missing )" in what:
        return pattern.rfind("(")
    for end in range(len(pattern) - 1, 0, -1):
        try:
            re2.compile(pattern[:end], _OPTIONS)
        except re2.error:
            continue
        return end
    return 0


def found(pattern: str, text: str) -> bool:
    """Whether the pattern is found; an empty pattern is found nowhere."""
    return bool(pattern) and compiled(pattern).search(text) is not None
