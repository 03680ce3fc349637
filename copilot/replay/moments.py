"""The labelled moments of a run, and what its manifest says of the program: profiles come of them."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

import re2

from copilot.core.screen_kinds import READY_KINDS, ScreenKind
from copilot.core.snapshot import ScreenSnapshot
from copilot.errors import InputError
from copilot.recording.artifacts import CAST_NAME
from copilot.recording.asciicast import INPUT, Cast, CastEvent, read_cast
from copilot.recording.manifest import read_manifest
from copilot.recording.transcript_reader import read_transcript
from copilot.recording.unknown_screens import Label, UnknownScreen, unknown_screens
from copilot.replay.learn import snapshot_of

_TYPED = frozenset({"event.PersonTyped", "effect.WriteKeys"})


@dataclass(frozen=True, slots=True)
class Moment:
    """A labelled screen: what it is called in notes, at which second of which recording it was seen."""

    name: str
    snapshot: ScreenSnapshot
    label: Label
    at: float
    recording: Cast

    @property
    def kind(self) -> ScreenKind:
        return self.label.kind

    @property
    def ready(self) -> bool:
        return self.kind in READY_KINDS


def moments_of(run: Path) -> list[Moment]:
    """The labelled screens of a run. Raises InputError for a bad one, or without a recording."""
    labelled = [screen for screen in unknown_screens(run) if screen.label is not None]
    if not os.path.lexists(run / CAST_NAME):
        raise InputError(f"{run}: has no {CAST_NAME}: a new profile is verified on the run's own recording")
    cast = _with_keys(read_cast(run / CAST_NAME), run)
    return [_moment(screen, cast) for screen in labelled]


def _with_keys(cast: Cast, run: Path) -> Cast:
    """The recording with the times of keys, which a run keeps in its transcript, and not what was typed."""
    typed = [record.at for record in read_transcript(run).records if record.type in _TYPED]
    events = [*cast.events, *(CastEvent(at, INPUT, "") for at in typed)]
    return replace(cast, events=tuple(sorted(events, key=lambda event: event.at)))


def _moment(screen: UnknownScreen, cast: Cast) -> Moment:
    assert screen.label is not None
    at = screen.evidence.get("at")
    if isinstance(at, bool) or not isinstance(at, int | float):
        raise InputError(f"{screen.path.with_suffix('.json')}: at: must be the second of the recording")
    return Moment(f"screen {screen.number}", snapshot_of(screen), screen.label, float(at), cast)


def names_of(run: Path) -> tuple[str, ...]:
    """The program that was run; nothing for an interpreter, whose other programs are no such CLI."""
    settings = read_manifest(run).get("settings")
    child = settings.get("child") if isinstance(settings, dict) else None
    program = Path(str(child[0])).name if isinstance(child, list) and child else ""
    return (program,) if program and not _INTERPRETER.fullmatch(program) else ()


_INTERPRETER = re2.compile(
    r"(python|node|bun|deno|ruby|perl|php|(ba|z|da|fi|k)?sh|npx|uv|uvx|env|java)[0-9.]*"
)
