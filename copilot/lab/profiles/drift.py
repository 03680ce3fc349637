"""`copilot profiles test`: which CLIs can be walked through here, the walk of each, and its report."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from copilot.config.profile_files import load_profile, profile_paths
from copilot.core.detection import Detection
from copilot.core.profile import Profile
from copilot.errors import EXIT_COMPLETED, EXIT_FAILED, InputError
from copilot.guard.text import safe_text
from copilot.lab.clis import RECIPES, WALKS
from copilot.lab.profiles.command import table
from copilot.lab.profiles.stations import Visit
from copilot.lab.profiles.walker import WalkResult, walk_cli
from copilot.pty.programs import find_program
from copilot.recording.asciicast import OUTPUT, Cast, CastEvent, CastHeader
from copilot.recording.asciicast_writer import write_cast
from copilot.recording.still import still
from copilot.recording.stream_redactor import StreamRedactor
from copilot.recording.transcript import json_text
from copilot.redaction.known_values import secret_values
from copilot.redaction.redact import Redactor
from copilot.resources import state_folder

RESULT = "result.json"
RECORDING = "walk.cast"
_MEND = "mend its module in copilot/lab/clis; this says nothing of the dialogs that were not reached"
_HEADINGS = ("DIALOG", "ASPECT", "MEASURED", "NOW")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One CLI that is asked for. `skipped` says why it cannot be walked through; empty if it can."""

    profile: Profile
    program: str = ""
    skipped: str = ""

    @property
    def name(self) -> str:
        return self.profile.name


def candidates(targets: tuple[str, ...]) -> list[Candidate]:
    """The CLIs named, each by its profile or by a profile file; without any, all that a profile knows.

    Raises InputError for a name that no profile has, and for a bad file.
    """
    names = targets or tuple(name for name in sorted(profile_paths()) if name in RECIPES)
    return [_candidate(load_profile(name)) for name in names]


def _candidate(profile: Profile) -> Candidate:
    if profile.name not in WALKS:
        known = ", ".join(sorted(WALKS))
        return Candidate(profile, skipped=f"no walk through its dialogs is known (there are: {known})")
    program = next((found for one in profile.launch.names if (found := find_program(one))), None)
    if program is None:
        return Candidate(profile, skipped=f"{profile.launch.names[0]} is not on PATH")
    return Candidate(profile, program)


def run_tests(
    targets: tuple[str, ...], save_in: Path | None, as_json: bool, echo: Callable[[str], None]
) -> int:
    """Print the report as it comes; the exit code: 0 all as measured, 1 something changed.

    Raises InputError for a name that no profile has, and at the end if one that was named, or every one,
    could not be walked through: a test that tested nothing has not passed.
    """
    redactor = Redactor(secret_values(os.environ))
    changed = False
    failed: dict[str, str] = {}
    chosen = candidates(targets)
    skipped = {candidate.name: candidate.skipped for candidate in chosen if candidate.skipped}
    for candidate in chosen:
        if not candidate.skipped:
            result, folder = _walked(candidate, save_in, redactor)
            changed |= bool(result.differences)
            if result.failure:
                failed[candidate.name] = result.failure
            for line in _report(result, folder, redactor, as_json):
                echo(line)
        elif as_json:
            echo(json_text({"cli": candidate.name, "skipped": candidate.skipped}))
        elif not targets:
            echo(safe_text(f"{candidate.name}: skipped: {candidate.skipped}"))
    if failed:
        named = ", ".join(f"{name} ({why})" for name, why in failed.items())
        raise InputError(
            f"profiles test: our recipe failed: {safe_text(redactor.redact(named).text)}; {_MEND}"
        )
    if skipped and targets:
        named = ", ".join(f"{name} ({why})" for name, why in skipped.items())
        raise InputError(f"profiles test: not tested: {named}; install what is missing, or leave it out")
    if len(skipped) == len(chosen):
        raise InputError("profiles test: nothing was tested; install one of these CLIs")
    return EXIT_FAILED if changed else EXIT_COMPLETED


def _walked(candidate: Candidate, save_in: Path | None, redactor: Redactor) -> tuple[WalkResult, Path]:
    """The walk, and the folder where it is saved. Raises InputError if the CLI cannot be started."""
    name, program = candidate.name, Path(candidate.program)
    result = walk_cli(candidate.profile, program, RECIPES[name], WALKS[name])
    above = save_in or state_folder() / "drift" / datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    folder = above / f"{name}-{result.version or 'unknown'}"
    save(result, folder, redactor)
    return result, folder


def save(result: WalkResult, folder: Path, redactor: Redactor) -> None:
    """Write everything into `folder`, which is made. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    title = f"copilot: {result.profile.name}"
    header = CastHeader(result.columns, result.lines, title=title, terminal_type="xterm-256color")
    write_cast(folder / RECORDING, Cast(header, tuple(_redacted(result.events, redactor))))
    for number, visit in enumerate(result.visits, 1):
        name = f"{number:02d}-{visit.station.name.replace(' ', '-')}.cast"
        write_cast(folder / name, still(visit.snapshot, redactor.redact_lines, title=title))
    text = json_text(_as_object(result), indent=2) + "\n"
    (folder / RESULT).write_text(redactor.redact(text).text, "utf-8")


def _redacted(events: tuple[CastEvent, ...], redactor: Redactor) -> list[CastEvent]:
    """The events of a finished recording without secrets, also those split over pieces of output."""
    stream = StreamRedactor(lambda text: redactor.redact(text).text)
    kept: list[CastEvent] = []
    for is_output, group in groupby(events, key=lambda event: event.code == OUTPUT):
        for event in group:
            if is_output:
                stream.add(event.at, event.data)
            else:
                kept.append(event._replace(data=redactor.redact(event.data).text))
    kept += [CastEvent(at, OUTPUT, text) for at, text in stream.take(final=True)]
    return sorted(kept, key=lambda event: event.at)


def _as_object(result: WalkResult) -> dict[str, Any]:
    return {
        "cli": result.profile.name,
        "version": result.version,
        "changed": bool(result.differences),
        "failure": result.failure,
        "absent": dict(result.absent),
        "not_reached": list(result.not_reached),
        "dialogs": [_visit(visit) for visit in result.visits],
    }


def _visit(visit: Visit) -> dict[str, Any]:
    return {
        "dialog": visit.station.name,
        "at": round(visit.at, 3),
        "detection": _detection(visit.detection) if visit.detection is not None else None,
        "differences": [asdict(difference) for difference in visit.differences],
    }


def _detection(detection: Detection) -> dict[str, Any]:
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


def _report(result: WalkResult, folder: Path, redactor: Redactor, as_json: bool) -> Iterator[str]:
    if as_json:
        yield redactor.redact(json_text({**_as_object(result), "screens": str(folder)})).text
        return
    launch = result.profile.launch
    measured = ", ".join(launch.verified_versions) or "nothing"
    name = f"{result.profile.name} {result.version or '(version unknown)'}"
    changed = sum(bool(visit.differences) for visit in result.visits)
    count = len(result.visits)
    if result.differences:
        yield safe_text(f"{name}: {changed} of {count} dialogs are not as measured on {measured}")
        rows = [(one.station, one.aspect, one.expected, one.found) for one in result.differences]
        yield from table([_HEADINGS, *rows], "  ")
    elif count:
        all_of = "all " if not result.not_reached else ""
        yield safe_text(f"{name}: {all_of}{count} dialogs as measured on {measured}")
    else:
        yield safe_text(f"{name}: not walked")
    if result.failure:
        yield safe_text(f"  our recipe failed: {redactor.redact(result.failure).text}")
    for dialog, why in result.absent.items():
        yield safe_text(f"  {dialog}: not there: {why}")
    if result.not_reached:
        yield safe_text(f"  not reached: {', '.join(result.not_reached)}")
    if result.version and result.version not in launch.verified_versions:
        yield safe_text(f"  {result.version} is not among the profile's verified versions")
    yield safe_text(f"  screens: {folder}")
