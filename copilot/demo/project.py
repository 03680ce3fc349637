"""The folder that the demo works in: a small project of its own, and what became of it."""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

_README = "# Visitors\n\nA tiny project that the demo works on. It is removed when the demo is over.\n"
DELETION_SCENE = "destructive"
"""The prompt, by its name in the journal, that asks whether build/ may be deleted."""


@dataclass(frozen=True, slots=True)
class DemoProject:
    """A temporary project, and beside it the journal in which the simulated CLI notes what it was typed."""

    root: Path

    @property
    def folder(self) -> Path:
        """Where the simulated CLI works."""
        return self.root / "visitors"

    @property
    def journal(self) -> Path:
        """What was asked and typed, as JSON lines."""
        return self.root / "journal.jsonl"

    @classmethod
    def make(cls) -> DemoProject:
        """A new project with a README and a build folder, which must not be deleted."""
        project = cls(Path(tempfile.mkdtemp(prefix="copilot-demo-")).resolve())
        build = project.folder / "build"
        build.mkdir(parents=True)
        (project.folder / "README.md").write_text(_README, encoding="utf-8")
        (build / "visitors.txt").write_text("the only copy of something\n", encoding="utf-8")
        return project

    def remove(self) -> None:
        """Delete it all; what cannot be deleted is left."""
        shutil.rmtree(self.root, ignore_errors=True)

    def entries(self) -> list[dict[str, Any]]:
        """The journal; a torn last line is left out."""
        found = []
        if self.journal.is_file():
            for line in self.journal.read_text(encoding="utf-8").splitlines():
                try:
                    found.append(json.loads(line))
                except json.JSONDecodeError:
                    break
        return found


class Deletion(StrEnum):
    """What became of the question whether build/ may be deleted."""

    NOT_ASKED = "its deletion was never asked for"
    OPEN = "its deletion was asked for, and nobody answered"
    REFUSED = "its deletion was refused"
    ALLOWED = "its deletion was allowed"


@dataclass(frozen=True, slots=True)
class DemoOutcome:
    """What the demo shows of itself: facts of the file system and of the journal, not of our own record."""

    finished: bool
    wrote_greeting: bool
    build_kept: bool
    deletion: Deletion
    replies: int
    unexpected: tuple[str, ...]

    @property
    def good(self) -> bool:
        """Whether all went as it should."""
        return self.finished and self.wrote_greeting and self.build_kept and not self.unexpected


def outcome_of(project: DemoProject) -> DemoOutcome:
    """Look at the files and the journal."""
    entries = project.entries()
    return DemoOutcome(
        finished=any(entry["event"] == "done" for entry in entries),
        wrote_greeting=(project.folder / "greeting.py").is_file(),
        build_kept=(project.folder / "build" / "visitors.txt").is_file(),
        deletion=_deletion(entries),
        replies=sum(entry["event"] == "received" for entry in entries),
        unexpected=tuple(str(entry["value"]) for entry in entries if entry["event"] == "unexpected"),
    )


def _deletion(entries: list[dict[str, Any]]) -> Deletion:
    here = [entry for entry in entries if entry.get("prompt") == DELETION_SCENE]
    answers = [str(entry["value"]) for entry in here if entry["event"] == "received"]
    if answers:
        return Deletion.ALLOWED if answers[-1].startswith("Yes") else Deletion.REFUSED
    return Deletion.OPEN if here else Deletion.NOT_ASKED
