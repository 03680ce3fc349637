"""Detections over a recording, on the recording's clock: what a live session would have seen and when.

Timers are simulated, so a silent prompt settles when it is due and not when the next output comes.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from copilot.config.profile_files import list_profiles, load_profile, profile_for_command, profile_paths
from copilot.core.events import ScreenSettled
from copilot.core.profile import Profile
from copilot.core.reply import Autonomy
from copilot.core.run import Run
from copilot.core.snapshot import ScreenSnapshot
from copilot.detection import Examiner
from copilot.detection.patterns import found
from copilot.engine.engine import Engine, Output
from copilot.engine.inputs import ChildGone, ChildStarted, ChildWrote, Resized, Tick
from copilot.engine.judge import Judge
from copilot.engine.reader import ScreenReader
from copilot.guard.scope import ProjectScope
from copilot.recording.asciicast import OUTPUT, RESIZE, Cast, CastEvent, read_cast
from copilot.recording.manifest import read_manifest
from copilot.recording.run_place import CAST_NAME, MANIFEST_NAME
from copilot.screen import TerminalScreen

_BANNER_GAP_SECONDS = 0.1
"""How often the screen is searched for the words by which a CLI is known."""


class Piece(NamedTuple):
    """What reaches the screen at one moment: bytes, or with `size` a resize. Neither: only time passes."""

    at: float
    data: bytes = b""
    size: tuple[int, int] | None = None


def pieces_of(cast: Cast) -> list[Piece]:
    """The events of a recording as they were read: a piece each."""
    return [_piece(event) for event in cast.events]


def _piece(event: CastEvent) -> Piece:
    if event.code == OUTPUT:
        return Piece(event.at, event.data.encode("utf-8", "surrogatepass"))
    return Piece(event.at, size=event.size if event.code == RESIZE else None)


class CastPlayer:
    """Drives the engine over a recording, on the recording's clock. Nothing is asked of a model.

    `pieces` stand in for the recording's own events, where the same output is to arrive otherwise.
    `version` is the recorded CLI's (`recorded_version`); if it is empty, the rules of all versions count.
    `withheld` are reports of the CLI that the reader does not get.
    """

    def __init__(
        self,
        cast: Cast,
        profile: Profile,
        pieces: Sequence[Piece] | None = None,
        version: str = "",
        withheld: Collection[str] = (),
    ) -> None:
        self.cast = cast
        self.screen = TerminalScreen(cast.header.columns, cast.header.lines)
        self.reader = ScreenReader(self.screen, Examiner(profile, version), withheld)
        run = Run(profile=profile, autonomy=Autonomy.WATCH)
        self.engine = Engine(run, self.reader, Judge(ProjectScope("", "")))
        self._pieces = pieces_of(cast) if pieces is None else pieces

    def settled(self, until: float | None = None) -> Iterator[ScreenSettled]:
        """Everything that settles up to a moment, or to the end of the recording."""
        for output in self.outputs(until):
            if isinstance(output, ScreenSettled):
                yield output

    def outputs(self, until: float | None = None) -> Iterator[Output]:
        """All that comes out of the engine up to a moment, or to the end of the recording."""
        yield from self.engine.receive(ChildStarted(at=0.0, epoch=0.0))
        for piece in self._pieces:
            if until is not None and piece.at > until:
                break
            yield from self._ticks(piece.at)
            yield from self._take(piece)
        end = until if until is not None else (self._pieces[-1].at if self._pieces else 0.0)
        yield from self._ticks(end)
        if until is None:
            yield from self._end(end)

    def _take(self, piece: Piece) -> Iterator[Output]:
        if piece.size is not None:
            yield from self.engine.receive(Resized(piece.at, *piece.size))
        elif piece.data:
            yield from self.engine.receive(ChildWrote(piece.at, piece.data))

    def _ticks(self, until: float) -> Iterator[Output]:
        while (due := self.engine.next_tick_at) is not None and due <= until:
            yield from self.engine.receive(Tick(at=due, epoch=due))
            if self.engine.next_tick_at == due:
                return

    def _end(self, at: float) -> Iterator[Output]:
        if self.cast.exit_status is None:
            yield from self.engine.receive(Tick(at=at, epoch=at))
        else:
            yield from self.engine.receive(ChildGone(at=at, epoch=at, status=self.cast.exit_status))


def settled_of(cast: Cast, profile: Profile, version: str = "") -> Iterator[ScreenSettled]:
    """The settled detections over a recording of a CLI of that version."""
    return CastPlayer(cast, profile, version=version).settled()


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
    return place / CAST_NAME if place.is_dir() else place


def recorded_version(path: str | Path) -> str:
    """Which version of the CLI a run recorded, by the manifest in its folder; empty if it does not say.

    Raises InputError if there is a manifest that cannot be read.
    """
    place = cast_of(path)
    folder = place.parent
    if place.name != CAST_NAME or not (folder / MANIFEST_NAME).is_file():
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
