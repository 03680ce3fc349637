"""Deleting old runs: only folders that are plainly runs, directly in the place for them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from copilot.errors import InputError
from copilot.recording.entries import MANIFEST_NAME, is_entry
from copilot.recording.manifest import read_manifest
from copilot.recording.run_lock import RunLock
from copilot.recording.runs import RUNNING, RunSummary


@dataclass(frozen=True, slots=True)
class Selection:
    """Which runs are meant; None means any. `since` and `before` are moments in UTC."""

    outcome: str | None = None
    profile: str | None = None
    since: datetime | None = None
    before: datetime | None = None

    def takes(self, run: RunSummary) -> bool:
        """Whether this run is meant. One without a readable beginning is in no time."""
        if self.outcome is not None and run.outcome != self.outcome:
            return False
        if self.profile is not None and run.profile != self.profile:
            return False
        if self.since is None and self.before is None:
            return True
        started = _moment(run.started_at)
        if started is None:
            return False
        return (self.since is None or started >= self.since) and (
            self.before is None or started < self.before
        )


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def why_kept(run: RunSummary, place: Path) -> str:
    """Why this folder is not deleted whatever is asked for; empty if it may be."""
    path = run.path
    if path.is_symlink() or path.parent.resolve() != place.resolve():
        return "is not directly in the place where runs are kept"
    if run.outcome == RUNNING:
        return "still goes on"
    try:
        manifest = read_manifest(path)
    except InputError:
        return "has no readable manifest"
    if manifest.get("run_id") != path.name:
        return f"bears another name than its {MANIFEST_NAME}"
    strange = sorted(entry.name for entry in os.scandir(path) if not is_entry(entry.name))
    return f"holds what is not ours: {strange[0]}" if strange else ""


def remove(runs: Sequence[RunSummary], place: Path) -> list[tuple[RunSummary, str]]:
    """Delete these runs; for each why it was kept, or an empty text. Looks again right before."""
    results = []
    for run in runs:
        reason = why_kept(run, place)
        if not reason:
            try:
                lock = RunLock(run.path)
                try:
                    shutil.rmtree(run.path)
                finally:
                    lock.release()
            except InputError:
                reason = "still goes on"
            except OSError as error:
                reason = f"cannot be deleted: {error.strerror}"
        results.append((run, reason))
    return results
