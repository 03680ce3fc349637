"""`Recorded`: what a replay opens, a run folder or any terminal recording, with its story."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from copilot.core.reply_request import ReplyRequest
from copilot.recording.asciicast import MARKER
from copilot.recording.cast_file import CastFile, open_cast
from copilot.recording.output_recorder import CAST_NAME
from copilot.recording.records import from_record
from copilot.recording.run_folder import PROMPTS_FOLDER
from copilot.recording.runs import RecordedRun, open_run
from copilot.replay.detect import Settled
from copilot.replay.story import Story
from copilot.replay.tell import story_of, story_of_readings


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recording that is reviewed. `run` is None for one that is no run folder of ours."""

    path: Path
    cast: CastFile
    run: RecordedRun | None
    story: Story

    @property
    def name(self) -> str:
        """What it is called in titles and lists."""
        return self.path.name

    def request(self, number: int) -> ReplyRequest | None:
        """The request of that number exactly as the model got it; None if none was kept."""
        folder = self._prompt_folder(number)
        if folder is None:
            return None
        try:
            return from_record(json.loads((folder / "request.json").read_text("utf-8")), ReplyRequest)
        except (OSError, ValueError):
            return None

    def answer(self, number: int) -> str:
        """The raw answer to that request; empty if there was none."""
        folder = self._prompt_folder(number)
        try:
            return (folder / "reply.txt").read_text("utf-8") if folder is not None else ""
        except (OSError, ValueError):
            return ""

    def _prompt_folder(self, number: int) -> Path | None:
        return self.path / PROMPTS_FOLDER / f"step-{number:02d}" if self.run is not None else None


def open_recorded(path: str | Path) -> Recorded:
    """Open a run folder, its manifest or its recording, or any other recording. Raises InputError."""
    place = Path(path)
    if place.name == "manifest.json" and place.is_file():
        place = place.parent
    if not place.is_dir():
        cast = open_cast(place)
        return Recorded(place, cast, None, readings_story(cast, ()))
    run = open_run(place)
    cast = open_cast(place / CAST_NAME)
    last = run.records[-1].at if run.records else 0.0
    steps = ((record.at, step) for record, step in run.steps())
    return Recorded(place, cast, run, story_of(steps, max(last, cast.duration)))


def readings_story(cast: CastFile, settled: Sequence[Settled]) -> Story:
    """The story of a recording that is nobody's run, as far as it has been looked at."""
    notes = [(event.at, event.data) for event in cast.others.values() if event.code == MARKER]
    return story_of_readings(settled, notes, cast.duration)
