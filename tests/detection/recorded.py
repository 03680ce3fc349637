"""What is read in a recording just before each labelled permission is answered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from copilot.config.profile_files import load_profile
from copilot.core.detection import Detection
from copilot.core.screen_kinds import ScreenKind
from copilot.detection import Examiner
from copilot.recording.asciicast import read_cast
from copilot.screen import TerminalScreen

CORPUS = Path(__file__).parents[1] / "corpus"
JUST_BEFORE_SECONDS = 0.01


def permissions_of(name: str) -> list[Detection]:
    """One detection for each labelled permission of the recording `CLI/NAME`."""
    labels = json.loads((CORPUS / f"{name}.json").read_text("utf-8"))
    examiner = Examiner(load_profile(name.partition("/")[0]))
    screen = TerminalScreen(labels["cols"], labels["rows"])
    events = iter(read_cast(CORPUS / f"{name}.cast").events)
    event = next(events, None)
    seen = []
    for label in labels["labels"]:
        while event is not None and event.at <= label["t_end"] - JUST_BEFORE_SECONDS:
            if event.code == "o":
                screen.feed(event.data.encode("utf-8", "surrogatepass"))
            event = next(events, None)
        if label["state"] == ScreenKind.PERMISSION:
            seen.append(examiner.examine(screen.snapshot()).detection)
    return seen


def recordings_with_permissions(cli: str) -> Iterator[str]:
    """The recordings of a CLI that have a labelled permission, as `CLI/NAME`."""
    for path in sorted((CORPUS / cli).glob("*.json")):
        labels = json.loads(path.read_text("utf-8"))["labels"]
        if any(label["state"] == ScreenKind.PERMISSION for label in labels):
            yield f"{cli}/{path.stem}"


def subject_of(detection: Detection) -> str:
    """`action: text`, marked where it is cut; `none` if nothing was read."""
    subject = detection.subject
    if subject is None:
        return "none"
    return f"{subject.action}: {subject.text}" + (" (cut)" if subject.cut else "")
