"""`copilot profiles test`: the walks of the CLIs asked for, and the report."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from copilot.config.paths import state_folder
from copilot.errors import EXIT_COMPLETED, EXIT_FAILED, InputError
from copilot.evaluation.drift.canary import Candidate, candidates, walk
from copilot.evaluation.drift.saved import as_object, save
from copilot.evaluation.drift.walker import Outing
from copilot.profile_tools.tables import table
from copilot.recording.json_text import json_text
from copilot.safety.known_values import secret_values
from copilot.safety.redact import Redactor
from copilot.safety.text import safe_text

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
