"""`copilot profiles test`: which CLIs can be walked through here, and the walk of each."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from copilot.config.paths import state_folder
from copilot.config.profile_files import load_profile, profile_paths
from copilot.core.detection import Detection
from copilot.core.profile import Profile
from copilot.errors import EXIT_COMPLETED, EXIT_FAILED, InputError
from copilot.guard.text import safe_text
from copilot.lab.clis import RECIPES, WALKS
from copilot.lab.profiles.command import table
from copilot.lab.profiles.walker import Outing, Visit, walk_cli
from copilot.pty.programs import find_program, version_of
from copilot.recording.asciicast import OUTPUT, Cast, CastEvent, CastHeader
from copilot.recording.asciicast_writer import write_cast
from copilot.recording.still import still
from copilot.recording.stream_redactor import StreamRedactor
from copilot.recording.transcript import json_text
from copilot.redaction.known_values import secret_values
from copilot.redaction.redact import Redactor


@dataclass(frozen=True, slots=True)
class Candidate:
    """One CLI that is asked for. `skipped` says why it cannot be walked through; empty if it can."""

    name: str
    profile: Profile
    program: str = ""
    version: str = ""
    skipped: str = ""


def candidates(targets: tuple[str, ...]) -> list[Candidate]:
    """The CLIs named, each by its profile or by a profile file; without any, all that a profile knows.

    Raises InputError for a name that no profile has, and for a bad file.
    """
    names = targets or tuple(name for name in sorted(profile_paths()) if name in RECIPES or name in WALKS)
    return [_candidate(load_profile(name)) for name in names]


def _candidate(profile: Profile) -> Candidate:
    name = profile.name
    if name not in WALKS or name not in RECIPES:
        known = ", ".join(sorted(set(WALKS) & set(RECIPES)))
        return Candidate(name, profile, skipped=f"no walk through its dialogs is known (there are: {known})")
    program = next((found for one in profile.launch.names if (found := find_program(one))), None)
    if program is None:
        return Candidate(name, profile, skipped=f"{profile.launch.names[0]} is not on PATH")
    version = version_of(program, profile.launch.version_arguments) or ""
    return Candidate(name, profile, program, version)


def walk(candidate: Candidate) -> Outing:
    """Take one CLI through its walk. Raises InputError if it cannot be started."""
    if candidate.skipped:
        raise InputError(f"{candidate.name}: {candidate.skipped}")
    name = candidate.name
    return walk_cli(candidate.profile, candidate.version, Path(candidate.program), RECIPES[name], WALKS[name])


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


_HEADINGS = ("DIALOG", "ASPECT", "MEASURED", "NOW")


def run_tests(targets: tuple[str, ...], save_in: Path | None, as_json: bool) -> Iterator[str | int]:
    """Lines of the report as they come, then the exit code: 0 all as measured, 1 something changed.

    Raises InputError for a name that no profile has, and at the end if one that was named, or every one,
    could not be walked through: a test that tested nothing has not passed.
    """
    redactor = Redactor(secret_values(os.environ))
    changed = False
    chosen = candidates(targets)
    skipped = [candidate for candidate in chosen if candidate.skipped]
    for candidate in chosen:
        if candidate.skipped:
            if as_json or not targets:
                yield _skipped(candidate, as_json)
            continue
        outing = walk(candidate)
        changed |= bool(outing.differences)
        folder = (save_in or _default_folder()) / f"{candidate.name}-{candidate.version or 'unknown'}"
        save(outing, folder, redactor)
        if as_json:
            yield redactor.redact(json_text({**as_object(outing), "screens": str(folder)})).text
        else:
            yield from map(safe_text, _lines(outing, folder))
    if skipped and targets:
        named = ", ".join(f"{candidate.name} ({candidate.skipped})" for candidate in skipped)
        raise InputError(f"profiles test: not tested: {named}; install what is missing, or leave it out")
    if len(skipped) == len(chosen):
        raise InputError("profiles test: nothing was tested; install one of these CLIs")
    yield EXIT_FAILED if changed else EXIT_COMPLETED


def _default_folder() -> Path:
    return state_folder() / "drift" / datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")


def _skipped(candidate: Candidate, as_json: bool) -> str:
    if as_json:
        return json_text({"cli": candidate.name, "skipped": candidate.skipped})
    return safe_text(f"{candidate.name}: skipped: {candidate.skipped}")


def _lines(outing: Outing, folder: Path) -> Iterator[str]:
    measured = ", ".join(outing.profile.launch.verified_versions) or "nothing"
    count = len(outing.visits)
    name = f"{outing.profile.name} {outing.version or '(version unknown)'}"
    if not outing.differences:
        yield f"{name}: all {count} dialogs as measured on {measured}"
    else:
        changed = sum(bool(visit.differences) for visit in outing.visits)
        yield f"{name}: {changed} of {count} dialogs are not as measured on {measured}"
        rows = [(one.station, one.aspect, one.expected, one.found) for one in outing.differences]
        yield from table([_HEADINGS, *rows], "  ")
    yield f"  screens: {folder}"
