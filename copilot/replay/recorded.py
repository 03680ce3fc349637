"""`Recorded`: what a replay opens, a run folder or any terminal recording, with its review."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.detection import Detection
from copilot.core.reply import Autonomy, ReplyRequest
from copilot.core.screen_kinds import (
    READY_KINDS,
    ScreenKind,
)
from copilot.core.states import RunState
from copilot.documents import read_json
from copilot.engine.review import Mark, RunReview, Sort
from copilot.engine.timeline import Timeline
from copilot.errors import InputError
from copilot.plain_files import MIB, is_folder, read_text
from copilot.recording.artifacts import (
    CAST_NAME,
    MANIFEST_NAME,
    PROMPTS_FOLDER,
)
from copilot.recording.asciicast import MARKER
from copilot.recording.cast_file import CastFile, open_cast
from copilot.recording.records import from_record
from copilot.recording.runs import RecordedRun, open_run

_LONGEST_SECONDS = 1e9
_MOST_BYTES = 16 * MIB
"""Of a request or an answer of a model."""
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


_UNCLEAR_KINDS = frozenset({ScreenKind.UNKNOWN, ScreenKind.ERROR})


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recording that is reviewed. `run` is None for one that is no run folder of ours."""

    path: Path
    cast: CastFile
    run: RecordedRun | None
    review: RunReview

    @property
    def name(self) -> str:
        """What it is called in titles and lists."""
        return self.path.name

    @property
    def begun_at_level(self) -> Autonomy | None:
        """The level at which the run began; None if this is no run, or it does not say."""
        try:
            return Autonomy(self.run.settings.get("autonomy", "")) if self.run is not None else None
        except ValueError:
            return None

    def request(self, number: int) -> ReplyRequest | None:
        """The request of that number exactly as the model got it; None if none was kept."""
        folder = self._prompt_folder(number)
        if folder is None:
            return None
        try:
            return from_record(read_json(folder / "request.json", _MOST_BYTES), ReplyRequest)
        except (InputError, ValueError):
            return None

    def answer(self, number: int) -> str:
        """The raw answer to that request; empty if there was none."""
        folder = self._prompt_folder(number)
        try:
            return read_text(folder / "reply.txt", _MOST_BYTES) if folder is not None else ""
        except InputError:
            return ""

    def _prompt_folder(self, number: int) -> Path | None:
        return self.path / PROMPTS_FOLDER / f"step-{number:02d}" if self.run is not None else None


def open_recorded(path: str | Path) -> Recorded:
    """Open a run folder, its manifest or its recording, or any other recording. Raises InputError."""
    place = Path(path)
    if place.name == MANIFEST_NAME and not is_folder(place):
        place = place.parent
    if not is_folder(place):
        cast = open_cast(place)
        return Recorded(place, cast, None, readings_review(cast, ()))
    run = open_run(place)
    cast = open_cast(place / CAST_NAME)
    return Recorded(place, cast, run, run.review(cast.duration))


def readings_review(cast: CastFile, settled: Sequence[ev.ScreenSettled]) -> RunReview:
    """The review of a recording that is no run of ours, as far as it has been read; markers are kept."""
    timeline = Timeline()
    for one in settled:
        event = ev.ScreenSettled(at=one.at, detection=one.detection, first_seen_at=one.first_seen_at)
        timeline.receive(one.at, event)
        timeline.receive(one.at, fx.EnterState(_state_of(one.detection), one.detection.kind.value))
    notes = (event for event in cast.others.values() if event.code == MARKER)
    timeline.marks += [Mark(event.at, Sort.NOTE, event.data) for event in notes]
    return timeline.review(cast.duration)


def _state_of(detection: Detection) -> RunState:
    if detection.asks:
        return RunState.ASKING_QUESTION
    if detection.kind in READY_KINDS:
        return RunState.AWAITING_INPUT
    return RunState.HELD if detection.kind in _UNCLEAR_KINDS else RunState.RUNNING
