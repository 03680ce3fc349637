"""Walks one installed CLI through its dialogs and compares what it sees at each."""

from __future__ import annotations

import asyncio
import os
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

from copilot.core.profile import Profile
from copilot.lab.clis.base import Recipe, RecipeMaker, Walk
from copilot.lab.model_server import ModelServer
from copilot.lab.profiles.comparison import Difference
from copilot.lab.profiles.failures import failure_of
from copilot.lab.profiles.stations import Visit, Walker
from copilot.lab.profiles.terminal import CliTerminal
from copilot.lab.workspace import write_files
from copilot.pty.programs import version_of
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


_FIRST_START_SECONDS = 60.0
"""Some CLIs unpack themselves when they start in a HOME that they have never seen."""


def make_project(folder: Path) -> Path:
    """The project, at `project` in `folder`, which may not exist yet."""
    project = folder / "project"
    write_files(project, PROJECT_FILES)
    environment = {"PATH": os.environ["PATH"], "HOME": str(project), "GIT_CONFIG_NOSYSTEM": "1"}
    for arguments in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "Start"]):
        subprocess.run([*_GIT, *arguments], cwd=project, env=environment, check=True, timeout=30)
    return project


@dataclass(frozen=True, slots=True)
class WalkResult:
    """A whole walk. `events` are its recording.

    `failure` says what of ours did not work on this version, with what the CLI printed: the dialogs behind
    that were not reached, and nothing is known of them. `absent` names dialogs that this version does not
    have, each with the reason.
    """

    profile: Profile
    version: str
    columns: int
    lines: int
    visits: tuple[Visit, ...]
    events: tuple[CastEvent, ...] = field(repr=False)
    failure: str = ""
    absent: Mapping[str, str] = field(default_factory=dict)
    not_reached: tuple[str, ...] = ()

    @property
    def differences(self) -> tuple[Difference, ...]:
        return tuple(difference for visit in self.visits for difference in visit.differences)


def walk_cli(
    profile: Profile, program: Path, recipe: RecipeMaker, walk: Walk, *, columns: int = 120, lines: int = 40
) -> WalkResult:
    """Start the CLI offline in a HOME of its own and take it through the walk. Raises InputError."""
    with tempfile.TemporaryDirectory(prefix="copilot-drift-") as name:
        folder = Path(name)
        project = make_project(folder)
        with ModelServer(walk.playbook, cwd=project, check_at_exit=False) as model:
            ready = recipe(folder, project, program.parent, model.url, walk.asks)
            version = _version(program, profile, ready)
            terminal = CliTerminal(folder / "run")
            walker = Walker(profile, terminal, model, project / PROTECTED)
            output = asyncio.run(_walk(walker, terminal, ready, version, (columns, lines), walk))
            failure = failure_of(walker.visits, terminal.snapshot, terminal.exit_status, model, ready)
    visits = _before(failure, walker.visits)
    marks = [
        CastEvent(one.at, MARKER, f"{one.station.name}: {one.detection.kind.value}")
        for one in visits
        if one.detection
    ]
    events = tuple(sorted([*output, *marks], key=lambda event: event.at))
    met = {one.station.name for one in visits} | set(walker.absent)
    rest = tuple(one.name for one in walk.stations if one.name not in met)
    return WalkResult(profile, version, columns, lines, tuple(visits), events, failure, walker.absent, rest)


def _before(failure: str, visits: list[Visit]) -> list[Visit]:
    """What was met before anything of ours failed: from there on a difference says nothing of the CLI."""
    if not failure:
        return visits
    return list(
        takewhile(lambda one: all(difference.aspect != "kind" for difference in one.differences), visits)
    )


def _version(program: Path, profile: Profile, recipe: Recipe) -> str:
    """What it says of itself where it walks: elsewhere another version may be installed for the same name."""
    found = version_of(
        str(program),
        profile.launch.version_arguments,
        environment=recipe.environment,
        folder=recipe.project,
        seconds=_FIRST_START_SECONDS,
    )
    return found or ""


async def _walk(
    walker: Walker,
    terminal: CliTerminal,
    recipe: Recipe,
    version: str,
    size: tuple[int, int],
    walk: Walk,
) -> tuple[CastEvent, ...]:
    """The output; what was met is with the walker."""
    await terminal.start(recipe, walker.profile, version, *size)
    try:
        await walker.go(walk.stations)
    finally:
        output = await terminal.end()
    return output
