"""Detections over a recording: what a live session would have seen and when."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from copilot.config.profile_files import list_profiles, load_profile, profile_for_command, profile_paths
from copilot.core.events import ScreenSettled
from copilot.core.profile import Profile
from copilot.core.snapshot import ScreenSnapshot
from copilot.detection.patterns import found
from copilot.plain_files import is_file, is_folder
from copilot.recording.artifacts import (
    CAST_NAME,
    MANIFEST_NAME,
)
from copilot.recording.asciicast import Cast, read_cast
from copilot.recording.manifest import read_manifest
from copilot.replay.driver import CastPlayer, pieces_of, watching
from copilot.screen import TerminalScreen

_BANNER_GAP_SECONDS = 0.1
"""How often the screen is searched for the words by which a CLI is known."""


def settled_of(cast: Cast, profile: Profile, version: str = "") -> Iterator[ScreenSettled]:
    """The settled detections over a recording of a CLI of that version."""
    return CastPlayer(cast, watching(cast, profile, version)).settled()


def detections_of(cast_path: str | Path, profile: Profile) -> Iterator[dict[str, Any]]:
    """One plain object per settled change, as `copilot detect CAST --json` prints them.

    Raises InputError if the recording cannot be read.
    """
    for settled in settled_of(read_cast(cast_path), profile, recorded_version(cast_path)):
        yield as_object(settled)


def as_object(settled: ScreenSettled) -> dict[str, Any]:
    """A settled detection as the public interface words it."""
    detection = settled.detection
    return {
        "t": round(settled.at, 3),
        "kind": detection.kind.value,
        "question": detection.question,
        "options": [
            {"key": option.key, "label": option.label, "selected": option.selected}
            for option in detection.options
        ],
        "rule": detection.rule,
        "evidence": list(detection.evidence),
    }


def screen_at(cast: Cast, at: float) -> ScreenSnapshot:
    """The screen at a moment of the recording."""
    screen = TerminalScreen(cast.header.columns, cast.header.lines)
    for piece in pieces_of(cast):
        if piece.at > at:
            break
        if piece.size is not None:
            screen.resize(*piece.size)
        elif piece.data:
            screen.feed(piece.data)
    return screen.snapshot()


OUR_TITLE = "copilot: "
"""How the title of a recording of ours begins; the profile's name follows."""


def cast_of(path: str | Path) -> Path:
    """The recording itself, or the one in this run folder."""
    place = Path(path)
    return place / CAST_NAME if is_folder(place) else place


def recorded_version(path: str | Path) -> str:
    """Which version of the CLI a run recorded, by the manifest in its folder; empty if it does not say.

    Raises InputError if there is a manifest that cannot be read.
    """
    place = cast_of(path)
    folder = place.parent
    if place.name != CAST_NAME or not is_file(folder / MANIFEST_NAME):
        return ""
    versions = read_manifest(folder).get("versions")
    child = versions.get("child") if isinstance(versions, dict) else None
    return child if isinstance(child, str) else ""


def choose_profile(cast: Cast, name: str | None) -> Profile:
    """The profile asked for, else by the recorded command, the recording's title, or what the CLI shows."""
    if name is not None:
        return load_profile(name)
    ours = cast.header.title.removeprefix(OUR_TITLE)
    if ours != cast.header.title and ours in profile_paths():
        return load_profile(ours)
    command = cast.header.command
    if command:
        try:
            argv = shlex.split(command)
        except ValueError:
            argv = command.split()
        profile = profile_for_command(argv)
        if profile.name != "generic":
            return profile
    return _recognised(cast) or load_profile("generic")


def _recognised(cast: Cast) -> Profile | None:
    """By the recording's title, else by what the CLI says of itself on the screen, sooner or later."""
    profiles = [profile for profile in list_profiles() if profile.launch.banner]
    for profile in profiles:
        if profile.title and f"{cast.header.title} ".startswith(f"{profile.title} "):
            return profile
    screen = TerminalScreen(cast.header.columns, cast.header.lines)
    looked_at = -_BANNER_GAP_SECONDS
    for piece in pieces_of(cast):
        if piece.size is not None:
            screen.resize(*piece.size)
        if not piece.data:
            continue
        screen.feed(piece.data)
        if piece.at - looked_at >= _BANNER_GAP_SECONDS:
            looked_at = piece.at
            known = _who(screen.snapshot(), profiles)
            if known is not None:
                return known
    return _who(screen.snapshot(), profiles)


def _who(snapshot: ScreenSnapshot, profiles: Sequence[Profile]) -> Profile | None:
    status = snapshot.program_status
    text = "\n".join(snapshot.lines)
    for profile in profiles:
        if status is not None and status.app and status.app in (profile.name, *profile.launch.names):
            return profile
        if found(profile.launch.banner, text):
            return profile
    return None
