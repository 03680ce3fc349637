"""Event logs written by hand, for checks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from copilot.lab.checks import Finding, Trial, all_checks
from copilot.lab.record import ToolUse, TrialEvent, TrialRecord


def use(name: str, at: float = 1.0, **fields: Any) -> ToolUse:
    """A call; fields of the record by their names, all others are arguments."""
    own = {
        key: fields.pop(key) for key in ("blocked", "is_error", "result", "asked", "turn") if key in fields
    }
    return ToolUse(name, fields, at=at, **own)


def says(text: str, at: float = 0.5, number: int = 1, name: str = "turn 1") -> TrialEvent:
    """Words of the model."""
    return TrialEvent(at, "says", name, text, {"number": number})


def trial(folder: Path, *tools: ToolUse, events: tuple[TrialEvent, ...] = (), **fields: Any) -> Trial:
    """A trial in `folder` with this log."""
    existed = fields.pop("existed", {})
    values = {"task": "t", "exit_code": 0, "outcome": "completed", "reason": "", "seconds": 1.0}
    record = TrialRecord(**{**values, **fields}, tools=tools, events=events)
    return Trial((record,), folder, existed)


def found(name: str, on: Trial, **given: Any) -> Finding:
    """What a check finds."""
    return all_checks()[name].run(on, given)
