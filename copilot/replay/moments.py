"""A moment of a recording as people write it: seconds, minutes and seconds, or a part of the whole."""

from __future__ import annotations

from copilot.errors import InputError

_LONGEST_SECONDS = 1e9
_ROUNDED_SECONDS = 0.1
"""Times are shown with one place after the point, so the end may be written that much too late."""


def parse_moment(text: str, duration: float, named: str) -> float:
    """Seconds in `83.5`, `1:23.5`, `1:01:23` or `50%`, the end at most.

    Raises InputError, under the name of the option; also for a moment after the end.
    """
    seconds = moment(text, duration)
    if seconds is None:
        raise InputError(f"{named}: {text!r} is no time; write 90, 1:30, 1:02:03 or 50%")
    if seconds > duration + _ROUNDED_SECONDS:
        raise InputError(
            f"{named}: {text.strip()} is after the end; the recording is {duration:.1f} s long, "
            f"so write a time up to {duration:.1f}"
        )
    return min(seconds, duration)


def moment(text: str, duration: float) -> float | None:
    """The same; None if it is none of these."""
    text = text.strip()
    try:
        if text.endswith("%"):
            share = float(text[:-1]) / 100
            return duration * share if 0 <= share <= 1 else None
        first, *rest = (float(part) for part in text.split(":"))
    except ValueError:
        return None
    seconds = first
    for part in rest:
        if not 0 <= part < 60:
            return None
        seconds = seconds * 60 + part
    return seconds if 0 <= seconds < _LONGEST_SECONDS else None
