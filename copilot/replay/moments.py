"""A moment of a recording as people write it: seconds, minutes and seconds, or a part of the whole."""

from __future__ import annotations

from copilot.errors import InputError

_LONGEST_SECONDS = 1e9


def parse_moment(text: str, duration: float, named: str) -> float:
    """Seconds in `83.5`, `1:23.5`, `1:01:23` or `50%`. Raises InputError, under the name of the option."""
    written = text.strip()
    try:
        if written.endswith("%"):
            seconds = duration * float(written[:-1]) / 100
        else:
            seconds = 0.0
            for part in written.split(":"):
                seconds = seconds * 60 + float(part)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < _LONGEST_SECONDS:
        raise InputError(f"{named}: {text!r} is no time; write 90, 1:30, 1:02:03 or 50%")
    return seconds
