"""Walks one installed CLI through its dialogs and compares what it sees at each."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from copilot.core.detection import Detection
from copilot.core.profile import Profile, ReplyKeys
from copilot.core.reply import Reply
from copilot.core.reply_keys import CannotType, matches_any, plan_keys, widens
from copilot.core.screen_kinds import ScreenKind
from copilot.core.snapshot import ScreenSnapshot
from copilot.lab.clis.base import Answer, Choose, Expected, Press, Recipe, RecipeMaker, Say, Station, Walk
from copilot.lab.model_server import ModelServer
from copilot.lab.profiles.terminal import CliTerminal
from copilot.lab.workspace import write_files
from copilot.recording.asciicast import MARKER, CastEvent

_TESTS = """\
import unittest

from app import add


class TestAdd(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(2, 2), 4)
"""
PROJECT_FILES = {
    "README.md": "# Demo\n",
    "app.py": "def add(a, b):\n    return a + b\n",
    "test_app.py": _TESTS,
    ".gitignore": "build/\n__pycache__/\n",
    "build/output.bin": "hours of work\n",
}
PROTECTED = "build/output.bin"
_GIT = ("git", "-c", "user.name=Test", "-c", "user.email=test@example.invalid", "-c", "commit.gpgsign=false")


def make_project(folder: Path) -> Path:
    """The project, at `project` in `folder`, which may not exist yet."""
    project = folder / "project"
    write_files(project, PROJECT_FILES)
    environment = {"PATH": os.environ["PATH"], "HOME": str(project), "GIT_CONFIG_NOSYSTEM": "1"}
    for arguments in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "Start"]):
        subprocess.run([*_GIT, *arguments], cwd=project, env=environment, check=True, timeout=30)
    return project


@dataclass(frozen=True, slots=True)
class Difference:
    """One aspect of one dialog that is not as it was measured."""

    station: str
    aspect: str
    expected: str
    found: str


def fits(text: str, wanted: str) -> bool:
    """Whether a text is as wanted; `*` matches any text, and blanks are folded."""
    pattern = ".*".join(re.escape(part) for part in wanted.split("*"))
    return re.fullmatch(pattern, " ".join(text.split()), re.DOTALL) is not None


def compare(station: str, expected: Expected, found: Detection, keys: ReplyKeys) -> Iterator[Difference]:
    """The differences. Where the kind itself differs, nothing else is compared."""
    if found.kind.value != expected.kind:
        said = f"{found.kind.value} by {found.rule}" + (f" ({found.note})" if found.note else "")
        yield Difference(station, "kind", expected.kind, said)
        return
    if bool(found.question) != expected.question:
        yield Difference(
            station, "question", "one" if expected.question else "none", found.question or "none"
        )
    labels = tuple(option.label for option in found.options)
    if not _all_fit(labels, expected.options):
        yield Difference(station, "options", _listed(expected.options), _listed(labels))
    subject = f"{found.subject.action}: {found.subject.text}" if found.subject is not None else ""
    if not fits(subject, expected.subject):
        yield Difference(station, "subject", expected.subject or "none", subject or "none")
    widening = tuple(
        option.label
        for option in found.options
        if widens(option, keys)
        or (found.kind is ScreenKind.TRUST and matches_any(option.label, keys.trust_options))
    )
    if not _all_fit(widening, expected.widening):
        yield Difference(station, "widening", _listed(expected.widening), _listed(widening))


def _all_fit(found: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    return len(found) == len(wanted) and all(map(fits, found, wanted))


def _listed(labels: tuple[str, ...]) -> str:
    return " / ".join(labels) or "none"


PATIENCE_SECONDS = 6.0
"""A prompt of another kind than expected counts once it is open for so long."""
LIMIT_SECONDS = 60.0
START_SECONDS = 120.0
"""Some CLIs take half a minute to start in a HOME that they have never seen."""
_KEY_GAP_SECONDS = 0.35
"""Between two keys: no CLI swallows the second (measured: 0.1 s is too short for one)."""
_LOST = 2
"""After so many dialogs in a row that never came the walk is given up."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One dialog as it was met; `detection` is None if it never came."""

    station: Station
    detection: Detection | None
    snapshot: ScreenSnapshot
    at: float
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class WalkResult:
    """A whole walk. `events` are its recording."""

    profile: Profile
    version: str
    columns: int
    lines: int
    visits: tuple[Visit, ...]
    events: tuple[CastEvent, ...] = field(repr=False)

    @property
    def differences(self) -> tuple[Difference, ...]:
        return tuple(difference for visit in self.visits for difference in visit.differences)


def walk_cli(
    profile: Profile,
    version: str,
    program: Path,
    recipe: RecipeMaker,
    walk: Walk,
    *,
    columns: int = 120,
    lines: int = 40,
) -> WalkResult:
    """Start the CLI offline in a HOME of its own and take it through the walk. Raises InputError."""
    with tempfile.TemporaryDirectory(prefix="copilot-drift-") as name:
        folder = Path(name)
        project = make_project(folder)
        with ModelServer(walk.playbook, cwd=project, check_at_exit=False) as model:
            ready = recipe(folder, project, program.parent, model.url, walk.asks)
            terminal = CliTerminal(folder / "run")
            visits, output = asyncio.run(_walk(terminal, profile, version, (columns, lines), ready, walk))
    marks = [
        CastEvent(one.at, MARKER, f"{one.station.name}: {one.detection.kind.value}")
        for one in visits
        if one.detection
    ]
    events = sorted([*output, *marks], key=lambda event: event.at)
    return WalkResult(profile, version, columns, lines, tuple(visits), tuple(events))


async def _walk(
    terminal: CliTerminal, profile: Profile, version: str, size: tuple[int, int], recipe: Recipe, walk: Walk
) -> tuple[list[Visit], tuple[CastEvent, ...]]:
    """The visits, and the output."""
    walker = _Walker(profile, terminal)
    visits: list[Visit] = []
    lost = 0
    await terminal.start(recipe, profile, version, *size)
    try:
        for station in walk.stations:
            visit = await walker.visit(station)
            visits.append(visit)
            lost = lost + 1 if visit.detection is None else 0
            if lost >= _LOST or terminal.exit_status is not None:
                break
            terminal.answering()
            for answer in station.answers:
                await walker.answer(visit.detection, answer)
    finally:
        output = await terminal.end()
    visits += [walker.never(station) for station in walk.stations[len(visits) :]]
    return visits, output


class _Walker:
    def __init__(self, profile: Profile, terminal: CliTerminal) -> None:
        self._keys = profile.reply_keys
        self._terminal = terminal

    async def visit(self, station: Station) -> Visit:
        terminal = self._terminal
        limit = LIMIT_SECONDS if terminal.typed else START_SECONDS
        found = await terminal.wait_for(station.expected.kind, patience=PATIENCE_SECONDS, limit=limit)
        if found is None:
            return self.never(station)
        differences = tuple(compare(station.name, station.expected, found, self._keys))
        return Visit(station, found, terminal.snapshot, terminal.clock(), differences)

    def never(self, station: Station) -> Visit:
        """The visit of a dialog that did not come."""
        terminal, ended = self._terminal, self._terminal.exit_status
        why = f"the CLI ended with status {ended}" if ended is not None else "it never came up"
        difference = Difference(station.name, "kind", station.expected.kind, why)
        return Visit(station, None, terminal.snapshot, terminal.clock(), (difference,))

    async def answer(self, found: Detection | None, answer: Answer) -> None:
        await asyncio.sleep(_KEY_GAP_SECONDS)
        match answer:
            case Say():
                self._terminal.type(answer.text, paste=self._keys.paste == "bracketed")
                await asyncio.sleep(_KEY_GAP_SECONDS)
                self._terminal.press(("Enter",))
            case Press():
                await self._press([(key,) for key in answer.keys])
            case Choose():
                await self._press(self._writes(found, answer))

    async def _press(self, writes: list[tuple[str, ...]]) -> None:
        for keys in writes:
            self._terminal.press(keys)
            await asyncio.sleep(_KEY_GAP_SECONDS)

    def _writes(self, found: Detection | None, answer: Choose) -> list[tuple[str, ...]]:
        """The profile's own keys for the option where it is seen, else those of the walk."""
        options = found.options if found is not None and found.kind is not ScreenKind.UNKNOWN else ()
        option = next((option for option in options if fits(option.label, answer.label)), None)
        if found is not None and option is not None:
            with suppress(CannotType):
                plan = plan_keys(found, Reply(choice=option.label), self._keys)
                return [write.keys for write in plan.writes]
        return [(key,) for key in answer.keys]
