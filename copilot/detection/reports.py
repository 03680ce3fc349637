"""What the CLI reports of itself: program status (OSC 7501) first, else the window title or progress."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from copilot.core.screen_rules import Evidence
from copilot.core.snapshot import ScreenSnapshot
from copilot.detection.patterns import found

WORDS = ("working", "blocked", "idle", "done", "error")


@dataclass(frozen=True, slots=True)
class Reported:
    """`says` is one of WORDS, `by` names the channel, `kind` refines blocked (permission, question)."""

    says: str
    by: str
    kind: str = ""
    message: str = ""


def withhold(snapshot: ScreenSnapshot, sources: Collection[str]) -> ScreenSnapshot:
    """The snapshot as it is without some of what the CLI reports: `status`, `title`, `progress`."""
    if not sources:
        return snapshot
    return replace(
        snapshot,
        program_status=None if "status" in sources else snapshot.program_status,
        title="" if "title" in sources else snapshot.title,
        progress=None if "progress" in sources else snapshot.progress,
    )


def reported(snapshot: ScreenSnapshot, evidence: Evidence) -> Reported | None:
    """The CLI's own word, or None if it says nothing that this profile believes."""
    status = snapshot.program_status
    if evidence.program_status and status is not None:
        if status.state in WORDS:
            return Reported(status.state, "program status", status.kind, status.message)
        return None
    for report in evidence.titles:
        if report.title and found(report.title, snapshot.title):
            return Reported(report.says, "window title")
        if report.progress is not None and report.progress == (snapshot.progress is not None):
            return Reported(report.says, "progress report")
    return None
