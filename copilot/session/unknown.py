"""Screens that were not understood: when to keep one, and the evidence that is kept with it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from copilot.core.detection import Detection
from copilot.core.screen_kinds import ScreenKind
from copilot.detection import Examination
from copilot.recording.unknown_screens import shape_of

PERSISTS_SECONDS = 0.9
"""An unknown screen is kept once it is unchanged for so long."""


class UnknownWatch:
    """Finds screens that settled as unknown and do not change. Time comes in as data."""

    def __init__(self) -> None:
        self._shape: tuple[str, ...] = ()
        self._since = 0.0
        self._reported = False

    def persists(self, examination: Examination, settled: Detection | None, at: float) -> bool:
        """Whether what is seen now is unknown, has settled so, and has been the same for a while.

        True once for each such screen.
        """
        if examination.detection.kind is not ScreenKind.UNKNOWN:
            self._shape = ()
            return False
        shape = shape_of(examination.regions.snapshot)
        if shape != self._shape:
            self._shape, self._since, self._reported = shape, at, False
        unknown = settled is not None and settled.kind is ScreenKind.UNKNOWN
        if self._reported or not unknown or at - self._since < PERSISTS_SECONDS:
            return False
        self._reported = True
        return True


def evidence_of(examination: Examination, profile: str) -> dict[str, Any]:
    """The reading with its note, what the child reports, what the kernel knows, and every rule's reason."""
    detection, snapshot = examination.detection, examination.regions.snapshot
    report = examination.report
    return {
        "profile": profile,
        "rule": detection.rule,
        "note": detection.note,
        "columns": snapshot.columns,
        "lines": len(snapshot.lines),
        "report": {"says": report.says, "by": report.by, "kind": report.kind} if report is not None else None,
        "tty": asdict(examination.facts),
        "rules": [
            {"rule": verdict.rule.id, "kind": verdict.rule.kind, "why_not": verdict.why_not}
            for verdict in examination.verdicts()
        ],
    }
