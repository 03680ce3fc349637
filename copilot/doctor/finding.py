"""`Finding`: one line of the doctor's report."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Health(enum.StrEnum):
    """How a thing stands. Only `error` makes the doctor's exit code 1."""

    OK = "ok"
    INFO = "info"
    """A fact; nothing is wrong either way."""
    MISSING = "missing"
    """Not there, and needed only by some."""
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. `fix` says what to do, and is empty where nothing need be done."""

    area: str
    name: str
    health: Health
    detail: str
    fix: str = ""
