"""Durations as a person writes them: `45m`, `30s`, `1h30m`, `90` (seconds)."""

from __future__ import annotations

import re

_UNITS = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0}
_AMOUNT = r"(\d+(?:\.\d+)?)"
_DURATION = re.compile(rf"(?:{_AMOUNT}d)?(?:{_AMOUNT}h)?(?:{_AMOUNT}m)?(?:{_AMOUNT}s?)?", re.ASCII)
_LONGEST_SECONDS = 30 * 86400.0


def parse_duration(text: str) -> float:
    """Seconds in `text`; units fall from days to seconds, and a bare number is seconds.

    Raises ValueError, with the forms that are understood, for anything else, for zero, and for more than
    30 days (a slip of the unit more likely than a wish).
    """
    folded = "".join(text.split()).lower()
    match = _DURATION.fullmatch(folded)
    if not folded or match is None:
        raise ValueError(f"{text!r} is no duration; write it like 45m, 30s, 1h30m or 90 (seconds)")
    amounts = zip(_UNITS.values(), match.groups(), strict=True)
    seconds = sum(unit * float(amount) for unit, amount in amounts if amount)
    if not 0 < seconds <= _LONGEST_SECONDS:
        raise ValueError(f"{text!r} must be longer than zero and at most 30d")
    return seconds


def say_duration(seconds: float) -> str:
    """The same the other way round, without fractions of a second: `1h30m`, `45s`."""
    rest = max(0, round(seconds))
    parts = []
    for unit in ("h", "m"):
        amount, rest = divmod(rest, int(_UNITS[unit]))
        if amount:
            parts.append(f"{amount}{unit}")
    if rest or not parts:
        parts.append(f"{rest}s")
    return "".join(parts)
