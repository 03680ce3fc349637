"""Read and judge a run again: from its manifest and today's files to a `Redetection`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from copilot.config.detector_overrides import with_overrides
from copilot.config.profile_files import load_profile
from copilot.config.user_rules import rules_for
from copilot.core.reply import Autonomy, Proposal
from copilot.core.settings import RunSettings
from copilot.errors import CopilotError, InputError
from copilot.guard.grants import Grant
from copilot.plain_files import is_file, is_folder
from copilot.providers.create import create_provider
from copilot.providers.permissions import permissions_of
from copilot.recording.asciicast import read_cast
from copilot.recording.looks_files import looks_of
from copilot.recording.records import from_record
from copilot.recording.runs import RecordedRun
from copilot.replay.recorded import Recorded
from copilot.replay.redetect import Judging, Redetection, readings_today, redetect


@dataclass(frozen=True, slots=True)
class Redone:
    """What is otherwise today, and what a reader should know of how it was found out."""

    found: Redetection
    notes: tuple[str, ...]


def redo(
    recorded: Recorded,
    *,
    profile: str | None,
    autonomy: str | None,
    provider: str | None,
    playbook: str | None = None,
    model: str | None = None,
    base_url: str | None = None,
    environment: Mapping[str, str],
) -> Redone:
    """Read and judge a run by today's detectors and policy. None means what the run had.

    Raises InputError for a recording that is no run, or for settings that name nothing.
    """
    if recorded.run is None:
        raise InputError(f"{recorded.path}: is no run folder; --redetect compares a run with what it decided")
    settings = settings_of(recorded.run)
    notes: list[str] = []
    judging = _judging(recorded.run, settings, profile, autonomy, notes)
    today = readings_today(read_cast(recorded.cast.path), judging)
    proposals = None
    if provider is not None:
        asked = _asking(settings, provider, playbook, model, base_url)
        proposals = asyncio.run(_written_today(recorded, asked, environment, notes))

    def level_at(at: float) -> Autonomy:
        return recorded.review.level_at(at, settings.autonomy)

    return Redone(redetect(recorded.review, today, judging, level_at, proposals), tuple(notes))


def settings_of(run: RecordedRun) -> RunSettings:
    """The settings of a run, from its manifest. Raises InputError."""
    limits = run.manifest.get("limits")
    given: dict[str, Any] = {**(limits if isinstance(limits, dict) else {}), **run.settings}
    try:
        return from_record(given, RunSettings)
    except ValueError as error:
        raise InputError(f"{run.path}/manifest.json: settings: {error}") from None


def _judging(
    run: RecordedRun,
    settings: RunSettings,
    profile: str | None,
    autonomy: str | None,
    notes: list[str],
) -> Judging:
    chosen = load_profile(profile or settings.profile)
    if settings.detectors is not None:
        if is_file(settings.detectors):
            chosen = with_overrides(chosen, settings.detectors, notes.append)
        else:
            notes.append(f"the run's --detectors {settings.detectors} is not there any more")
    grants = []
    for rule in settings.allow:
        try:
            grants.append(Grant.parse(rule))
        except InputError as problem:
            notes.append(f"--allow is left out: {problem}")
    looks = looks_of(run, settings.cwd, str(Path.home()))
    if not is_folder(settings.cwd):
        notes.append(f"{settings.cwd} is not there any more, so rules of the project do not count")
    book, rule_notes = rules_for(Path(settings.cwd))
    notes += rule_notes
    return Judging(
        profile=chosen,
        autonomy=_level(autonomy) if autonomy is not None else None,
        headless=settings.headless,
        trust=settings.trust,
        dry_run=settings.dry_run,
        folders=looks.folders,
        looks=looks,
        grants=tuple(grants),
        book=book,
        version=run.child_version,
        permissions=permissions_of(settings.governing_prompt),
    )


def _level(word: str) -> Autonomy:
    try:
        return Autonomy(word)
    except ValueError:
        raise InputError(f"--autonomy {word!r} is unknown; known are {', '.join(Autonomy)}") from None


def _asking(
    settings: RunSettings, provider: str, playbook: str | None, model: str | None, base_url: str | None
) -> RunSettings:
    return replace(
        settings,
        provider=provider,
        playbook=playbook,
        model=model or "",
        base_url=base_url,
        cwd=str(Path.cwd()),
    )


async def _written_today(
    recorded: Recorded, settings: RunSettings, environment: Mapping[str, str], notes: list[str]
) -> dict[int, Proposal]:
    """A reply for each recorded request, by the prompt's number."""
    provider = create_provider(settings, environment, notes.append)
    written: dict[int, Proposal] = {}
    try:
        for prompt in recorded.review.prompts:
            request = recorded.request(prompt.requests[0]) if prompt.requests else None
            if request is None:
                if prompt.detection.asks:
                    notes.append(f"prompt {prompt.number}: no request is on record, so none is answered")
                continue
            try:
                written[prompt.number] = await provider.propose(request, lambda text: None)
            except CopilotError as problem:
                notes.append(f"prompt {prompt.number}: no reply: {problem}")
    finally:
        await provider.close()
    return written
