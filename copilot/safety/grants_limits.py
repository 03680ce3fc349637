"""The limits of a grant: `times=2`, `for=30m`, `until=2026-11-21T18:00`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import re2

from copilot.errors import InputError

_SECONDS = {"s": 1, "m": 60, "h": 3600}
_LASTS = re2.compile(r"([0-9]{1,6})(s|m|h)")
MAX_TIMES = 1000


@dataclass(frozen=True, slots=True)
class Limits:
    """How often, how long from when it is given (seconds), and until when (seconds since the epoch)."""

    times: int | None = None
    lasts_seconds: float | None = None
    until: float | None = None


def read_limits(text: str, rule: str) -> Limits:
    """What stands between the brackets of a grant. Raises InputError that names the rule and the fix."""
    found: dict[str, str] = {}
    for item in text.split(","):
        key, equals, value = (part.strip() for part in item.partition("="))
        if not equals or key not in ("times", "for", "until") or key in found:
            raise InputError(
                f"--allow {rule!r}: {item.strip()!r}: write times=N, for=30m or until=TIME, each once"
            )
        found[key] = value
    return Limits(
        times=_times(found["times"], rule) if "times" in found else None,
        lasts_seconds=_lasts(found["for"], rule) if "for" in found else None,
        until=_until(found["until"], rule) if "until" in found else None,
    )


def _times(value: str, rule: str) -> int:
    if not value.isascii() or not value.isdigit() or not 1 <= int(value[:6]) <= MAX_TIMES or len(value) > 6:
        raise InputError(f"--allow {rule!r}: times={value}: write a whole number from 1 to {MAX_TIMES}")
    return int(value)


def _lasts(value: str, rule: str) -> float:
    match = _LASTS.fullmatch(value)
    if not match or int(match.group(1)) == 0:
        raise InputError(f"--allow {rule!r}: for={value}: write a time such as 90s, 30m or 2h")
    return float(int(match.group(1)) * _SECONDS[match.group(2)])


def _until(value: str, rule: str) -> float:
    """A date and time; without a zone it is local time."""
    try:
        return datetime.fromisoformat(value).timestamp()
    except (ValueError, OverflowError, OSError) as error:
        raise InputError(
            f"--allow {rule!r}: until={value}: write a date and time such as 2026-11-21T18:00 (or …T17:00Z)"
        ) from error
