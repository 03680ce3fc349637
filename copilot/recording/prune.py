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
from copilot.recording.runs import RUNNING, RunSummary, size_of


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


@dataclass(frozen=True, slots=True)
class Removal:
    """What became of one run: why it was kept (empty if it is gone), and the bytes that are free now.

    `failed` tells what was to be deleted and could not be from what is kept by rule.
    """

    run: RunSummary
    why_kept: str = ""
    freed: int = 0
    failed: bool = False


def remove(runs: Sequence[RunSummary], place: Path) -> list[Removal]:
    """Delete these runs. Looks again right before each."""
    return [_removed(run, why_kept(run, place)) for run in runs]


def _removed(run: RunSummary, reason: str) -> Removal:
    if reason:
        return Removal(run, reason)
    # A folder that cannot leave its place stays whole: half a run helps nobody.
    if not os.access(run.path.parent, os.W_OK | os.X_OK):
        return Removal(run, f"cannot be deleted: no write permission for {run.path.parent}", failed=True)
    try:
        lock = RunLock(run.path)
        try:
            shutil.rmtree(run.path)
        finally:
            lock.release()
    except InputError:
        return Removal(run, "still goes on")
    except OSError as error:
        said = (error.strerror or "error").lower()
        return Removal(run, f"cannot be deleted: {said}", max(0, run.bytes - size_of(run.path)), failed=True)
    return Removal(run, freed=run.bytes)
