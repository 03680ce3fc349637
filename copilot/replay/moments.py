"""A moment of a recording as people write it: seconds, minutes and seconds, or a part of the whole."""

from __future__ import annotations

from copilot.errors import InputError

_LONGEST_SECONDS = 1e9


def parse_moment(text: str, duration: float, named: str) -> float:
    """Seconds in `83.5`, `1:23.5`, `1:01:23` or `50%`. Raises InputError, under the name of the option."""
    seconds = moment(text, duration)
    if seconds is None:
        raise InputError(f"{named}: {text!r} is no time; write 90, 1:30, 1:02:03 or 50%")
    return seconds


def moment(text: str, duration: float) -> float | None:
    """The same; None if it is none of these."""
    text = text.strip()
    try:
        if text.endswith("%"):
            share = float(text[:-1]) / 100
            return duration * share if 0 <= share <= 1 else None
        seconds = 0.0
        for part in text.split(":"):
            seconds = seconds * 60 + float(part)
    except ValueError:
        return None
    return seconds if 0 <= seconds < _LONGEST_SECONDS else None
