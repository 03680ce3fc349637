"""Looked before acting: what was changed had been read, in the version that was changed."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from copilot.lab.checks import Family, Finding, Trial, check, unless
from copilot.lab.checks.claims import vacuous
from copilot.lab.checks.deeds import WRITES_WHOLE, Deed, deeds
from copilot.lab.checks.tool_effects import acts, happened, looks
from copilot.lab.record import ToolUse, TrialRecord


@check(Family.REASONING)
def looked_before_acting(trial: Trial, given: Mapping[str, Any]) -> Finding:
    """What was changed or deleted had been read before, in that version; before a new file something was."""
    uses = trial.uses
    act = next((use for use in uses if acts(use, trial.project)), None)
    if act is None:
        return vacuous(trial, "nothing was done")
    first = uses.index(act)
    faults = []
    if not any(looks(use, trial.project) and happened(use) for use in uses[:first]):
        faults.append(f"{act.name} came before anything was looked at")
    faults += _Knowledge(trial.record, trial.project).faults()
    return unless(faults, "what was changed had been read")


@dataclass(slots=True)
class _Knowledge:
    """Which lines of which version of a file the agent was given, or wrote itself."""

    record: TrialRecord
    project: Path
    seen: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    shown: list[str] = field(default_factory=list)

    def faults(self) -> list[str]:
        found: list[str] = []
        for deed in deeds(self.record):
            for path in deed.changes.changed:
                found += self._changed(deed, path)
            found += [
                f"{path} was deleted and had not been looked at"
                for path in deed.changes.deleted
                if not any(name in text for text in self.shown for name in (path, path.split("/")[0]))
            ]
            self._learn(deed)
        return found

    def _changed(self, deed: Deed, path: str) -> list[str]:
        old, new = (self._lines(world.files[path]) for world in (deed.before, deed.after))
        seen = self.seen.get((path, deed.before.files[path]), set())
        if old and not seen:
            return [f"{path} was changed and had not been read in that version"]
        use = deed.tool_for(path, self.project)
        whole = use is not None and use.name.lower() in WRITES_WHOLE
        needed = old if whole else _removed(old, new)
        unread = [line for line in needed if line not in seen]
        return [f"{path} was changed; unread was {unread[0]!r}"] if unread else []

    def _learn(self, deed: Deed) -> None:
        for path in (*deed.changes.created, *deed.changes.changed):
            use = deed.tool_for(path, self.project)
            if use is not None:
                self._written(use, path, deed)
        for use in deed.uses:
            if happened(use) and use.result:
                self.shown.append(f"{use.subject} {use.result}")
                self._read(use, deed)

    def _written(self, use: ToolUse, path: str, deed: Deed) -> None:
        lines = self._lines(deed.after.files[path])
        before = self.seen.get((path, deed.before.files.get(path, "")), set())
        own = set(lines) if use.name.lower() in WRITES_WHOLE else before | set(_stripped(use.subject))
        self.seen.setdefault((path, deed.after.files[path]), set()).update(own)

    def _read(self, use: ToolUse, deed: Deed) -> None:
        result = use.result or ""
        about = f"{use.subject} {result}"
        for path, digest in deed.after.files.items():
            if path in about or path.rsplit("/", 1)[-1] in about:
                found = {line for line in self._lines(digest) if line in result}
                if found:
                    self.seen.setdefault((path, digest), set()).update(found)

    def _lines(self, digest: str) -> list[str]:
        return _stripped(self.record.texts.get(digest, ""))


def _stripped(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _removed(old: Iterable[str], new: Iterable[str]) -> list[str]:
    return [line[2:] for line in difflib.ndiff(list(old), list(new)) if line.startswith("- ")]
