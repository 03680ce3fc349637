"""What a walk leaves behind: its recording, the screen of each dialog, and the outcome as JSON. Redacted."""

from __future__ import annotations

from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Any

from copilot.core.detection import Detection
from copilot.evaluation.drift.walker import Outing, Visit
from copilot.recording.asciicast import OUTPUT, Cast, CastEvent, CastHeader
from copilot.recording.asciicast_writer import write_cast
from copilot.recording.json_text import json_text
from copilot.recording.still import still
from copilot.recording.stream_redactor import StreamRedactor
from copilot.safety.redact import Redactor

RESULT = "result.json"
RECORDING = "walk.cast"


def save(outing: Outing, folder: Path, redactor: Redactor) -> None:
    """Write everything into `folder`, which is made. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    title = f"copilot: {outing.profile.name}"
    header = CastHeader(outing.columns, outing.lines, title=title, terminal_type="xterm-256color")
    events = redacted_events(outing.events, redactor)
    write_cast(folder / RECORDING, Cast(header, tuple(events)))
    for number, visit in enumerate(outing.visits, 1):
        name = f"{number:02d}-{visit.station.name.replace(' ', '-')}.cast"
        write_cast(folder / name, still(visit.snapshot, redactor.redact_lines, title=title))
    text = json_text(as_object(outing), indent=2) + "\n"
    (folder / RESULT).write_text(redactor.redact(text).text, "utf-8")


def redacted_events(events: tuple[CastEvent, ...], redactor: Redactor) -> list[CastEvent]:
    """The events of a finished recording without secrets, also those split over pieces of output."""
    stream = StreamRedactor(lambda text: redactor.redact(text).text)
    kept: list[CastEvent] = []
    for code, group in groupby(events, key=lambda event: event.code == OUTPUT):
        for event in group:
            if code:
                stream.add(event.at, event.data)
            else:
                kept.append(event._replace(data=redactor.redact(event.data).text))
    kept += [CastEvent(at, OUTPUT, text) for at, text in stream.take(final=True)]
    return sorted(kept, key=lambda event: event.at)


def as_object(outing: Outing) -> dict[str, Any]:
    """The outcome as `--json` prints it."""
    return {
        "cli": outing.profile.name,
        "version": outing.version,
        "changed": bool(outing.differences),
        "dialogs": [_visit(visit) for visit in outing.visits],
    }


def _visit(visit: Visit) -> dict[str, Any]:
    return {
        "dialog": visit.station.name,
        "at": round(visit.at, 3),
        "detection": _detection(visit.detection),
        "differences": [asdict(difference) for difference in visit.differences],
    }


def _detection(detection: Detection | None) -> dict[str, Any] | None:
    if detection is None:
        return None
    subject = detection.subject
    return {
        "kind": detection.kind.value,
        "question": detection.question,
        "options": [option.label for option in detection.options],
        "subject": f"{subject.action}: {subject.text}" if subject is not None else None,
        "rule": detection.rule,
        "source": detection.source.name.lower(),
        "note": detection.note,
    }
