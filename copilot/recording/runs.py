"""Reading runs: the list of them, and one run whole, also of runs that were killed or still go on."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from copilot.core.effects import Effect
from copilot.core.events import Event
from copilot.engine.totals import Totals
from copilot.errors import InputError
from copilot.plain_files import is_folder, not_read
from copilot.recording.artifacts import CAST_NAME, MANIFEST_NAME, TRANSCRIPT_NAME, is_entry
from copilot.recording.asciicast import Cast, read_cast
from copilot.recording.manifest import read_manifest
from copilot.recording.run_place import RunLock, is_locked
from copilot.recording.transcript_reader import Problem, Record, Transcript, read_transcript

if TYPE_CHECKING:
    from copilot.engine.review import RunReview
    from copilot.engine.timeline import Timeline

RUNNING = "running"
INTERRUPTED = "interrupted"
"""The outcome of a run whose copilot was killed, or lost its disk, before it could say."""
UNREADABLE = "unreadable"
OUTCOMES = ("completed", "failed", "held", "stopped", "crashed", "aborted")
"""How a run can end by its own word."""
STATES = (*OUTCOMES, RUNNING, INTERRUPTED, UNREADABLE)
"""All words that the list has for a run."""


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One line of the list. `started_at` is ISO 8601 in UTC, `cost_usd` None if a price was unknown.

    `files` counts those that the program made, changed or removed, None if there were no checkpoints.
    """

    run_id: str
    path: Path
    started_at: str
    profile: str
    outcome: str
    steps: int
    held: int
    cost_usd: float | None
    seconds: float
    bytes: int
    problem: str = ""
    files: int | None = None


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """One run, read. `problems` are what is wrong with its transcript; the rest is still good."""

    path: Path
    manifest: dict[str, Any]
    transcript: Transcript
    running: bool

    @property
    def records(self) -> tuple[Record, ...]:
        """All records, in order."""
        return self.transcript.records

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with the transcript."""
        return self.transcript.problems

    @property
    def settings(self) -> dict[str, Any]:
        """What the run was started with, as the manifest has it; empty if it has nothing that can be read."""
        settings = self.manifest.get("settings")
        return settings if isinstance(settings, dict) else {}

    @property
    def child_version(self) -> str:
        """Which version of the CLI ran; empty if the manifest does not say."""
        versions = self.manifest.get("versions")
        version = versions.get("child") if isinstance(versions, dict) else None
        return version if isinstance(version, str) else ""

    def steps(self) -> Iterator[tuple[Record, Event | Effect]]:
        """Events and effects in order, with their records. Raises InputError for one that does not fit."""
        for record in self.records:
            try:
                step = record.step()
            except ValueError as error:
                where = f"{self.path}: record {record.sequence}"
                raise InputError(f"{where}: is of another version of copilot: {error}") from None
            if step is not None:
                yield record, step

    def timeline(self) -> Timeline:
        """What happened, as far as it is on record. Raises InputError as `steps` does."""
        from copilot.engine.timeline import timeline_of

        return timeline_of((record.at, step) for record, step in self.steps())

    def review(self, duration: float = 0.0) -> RunReview:
        """The whole run, or more of it if it was recorded for so many seconds. Raises InputError."""
        last = self.records[-1].at if self.records else 0.0
        return self.timeline().review(max(last, duration))

    def cast(self) -> Cast:
        """The recording of the terminal. Raises InputError if there is none that can be read."""
        return read_cast(self.path / CAST_NAME)


def open_run(path: str | Path) -> RecordedRun:
    """The run in this folder, or the one that this manifest belongs to. Raises InputError if it is none."""
    folder = Path(path)
    if folder.name == MANIFEST_NAME and not is_folder(folder):
        folder = folder.parent
    try:
        if not stat.S_ISDIR(folder.stat().st_mode):
            raise InputError(f"{path}: no such run; `copilot runs` lists them")
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise InputError(f"{path}: no such run; `copilot runs` lists them") from None
    except OSError as error:
        raise not_read(path, error) from None
    manifest, transcript = read_manifest(folder), read_transcript(folder)
    if transcript.of_newer:
        raise InputError(f"{folder / TRANSCRIPT_NAME}: is of a newer copilot; update copilot to read it")
    return RecordedRun(folder, manifest, transcript, is_locked(folder))


def list_runs(folder: str | Path) -> list[RunSummary]:
    """The runs kept in `folder`, newest first; folders that are no runs are left out.

    There are none in a folder that does not exist. Raises InputError if it cannot be read.
    """
    try:
        candidates = [path for path in Path(folder).iterdir() if _may_be_run(path)]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InputError(f"{folder}: cannot be read: {error.strerror}") from None
    return sorted(map(summarise, candidates), key=lambda run: (run.started_at, run.run_id), reverse=True)


def _may_be_run(path: Path) -> bool:
    """Whether it has a manifest, as far as one may look."""
    try:
        return (path / MANIFEST_NAME).is_file()
    except PermissionError:
        return True
    except OSError:
        return False


def summarise(path: Path) -> RunSummary:
    """One run in a line. Never raises: a run that cannot be read says why in `problem`."""
    try:
        manifest = read_manifest(path)
    except InputError as error:
        return RunSummary(path.name, path, "", "", UNREADABLE, 0, 0, None, 0.0, size_of(path), str(error))
    outcome, counted, problem = manifest.get("outcome"), manifest.get("summary"), ""
    word = str(outcome.get("word", "")) if isinstance(outcome, dict) else ""
    if not word or not isinstance(counted, dict):
        counted, problem = _counted(path)
        word = word or (RUNNING if is_locked(path) else INTERRUPTED)
    cost, profile = counted.get("cost_usd"), manifest.get("profile")
    files = counted.get("files")
    return RunSummary(
        run_id=str(manifest.get("run_id", path.name)),
        path=path,
        started_at=str(manifest.get("started_at", "")),
        profile=str(profile.get("name", "")) if isinstance(profile, dict) else "",
        outcome=word,
        steps=_number(counted.get("steps")),
        held=_number(counted.get("held")),
        cost_usd=float(cost) if isinstance(cost, int | float) else None,
        seconds=float(_number(counted.get("seconds"))),
        bytes=size_of(path),
        problem=problem or str(manifest.get("recording_failed", "")),
        files=files if isinstance(files, int) else None,
    )


def size_of(folder: Path) -> int:
    """Bytes of all files below a folder."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += (Path(place) / name).lstat().st_size
    return total


def _counted(path: Path) -> tuple[dict[str, Any], str]:
    """The numbers of a run that did not get to write them, and what is wrong with its transcript."""
    try:
        transcript = read_transcript(path)
    except InputError as error:
        return {}, str(error)
    totals = Totals()
    problems = list(map(str, transcript.problems))
    for record in transcript.records:
        try:
            step = record.step()
        except ValueError as error:
            problems.append(str(error))
            continue
        if step is not None:
            totals.receive(record.at, step)
    return totals.as_object(), problems[0] if problems else ""


def _number(value: object) -> Any:
    return value if isinstance(value, int | float) else 0


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

    `failed` is True for what could not be deleted, False for what is kept by rule.
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
    # A folder that cannot leave its place stays whole, since half a run is of no use.
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
