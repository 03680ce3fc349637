"""What each turn of the model really did: its calls, and the project before and after them."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from pathlib import Path

from copilot.lab.checks.tool_effects import happened, paths
from copilot.lab.record import ToolUse, TrialRecord
from copilot.lab.workspace import FileChanges
from copilot.lab.worlds import World, changes_between

WRITES_WHOLE = frozenset({"write", "write_file", "create", "create_file"})


@dataclass(frozen=True, slots=True)
class Deed:
    """One turn: the calls that it made, and what changed until the next."""

    uses: tuple[ToolUse, ...]
    changes: FileChanges
    before: World
    after: World

    def tool_for(self, path: str, project: Path) -> ToolUse | None:
        """The call that names the path as its own and was carried out."""
        for use in self.uses:
            if happened(use) and path in {inside(one, project) for one in paths(use)}:
                return use
        return None


def deeds(record: TrialRecord) -> list[Deed]:
    """The turns in their order; empty where no pictures were taken (scenarios of commands)."""
    found = []
    for number, before in enumerate(record.worlds[:-1]):
        after = record.worlds[number + 1]
        last = number == len(record.worlds) - 2
        uses = tuple(use for use in record.tools if before.at <= use.at and (last or use.at < after.at))
        found.append(Deed(uses, changes_between(before, after), before, after))
    return found


def inside(path: str, project: Path) -> str:
    """The path relative to the project, by its shortest form."""
    whole = posixpath.normpath(posixpath.join(str(project), path))
    return whole.removeprefix(f"{project}/")
