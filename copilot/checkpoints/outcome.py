"""The state that an undo leads to: the target with the person's changes on top, and what has to stay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from copilot.checkpoints.entries import Entry, Kind, Snapshot, differing, is_uncovered, parents
from copilot.checkpoints.merge import Conflict, Merger

IN_THE_WAY = "something that stays is in its place, or in its folder"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a path stays as it is now, the version it would have got, and the person's; None is nothing."""

    why: str
    version: Entry | None
    persons: Entry | None = None


@dataclass(slots=True)
class Outcome:
    """`after` is a whole state: each path has its folders. `refused` paths are in it as they are now."""

    target: Snapshot
    now: Snapshot
    after: dict[str, Entry]
    refused: dict[str, Refusal] = field(default_factory=dict)

    def refuse(self, path: str, why: str, persons: Entry | None = None) -> None:
        """Leave a path as it is now."""
        if path not in self.refused:
            self.refused[path] = Refusal(why, self.after.get(path), persons)
        self.stay(path)

    def settle(self) -> None:
        """Make it whole: nothing below what is no folder, and hard links have one content."""
        while self._settle_once():
            pass
        _normalise_groups(self.after)

    def _settle_once(self) -> bool:
        """Mend one kind of fault everywhere; whether there was one."""
        faults = {
            parent: path
            for path in self.after
            for parent in parents(path)
            if (entry := self.after.get(parent)) is None or entry.kind is not Kind.FOLDER
        }
        for parent, path in faults.items():
            if parent not in self.after:
                self.after[parent] = self._folder(parent)
            elif _is_folder(self.now.get(parent)):
                self.refuse(parent, IN_THE_WAY)
            else:
                self.refuse(path, IN_THE_WAY)
        return bool(faults)

    def _folder(self, path: str) -> Entry:
        """The folder that has to be at a path, as it is now or was at the target."""
        for entry in (self.now.get(path), self.target.get(path)):
            if entry is not None and entry.kind is Kind.FOLDER:
                return entry
        return Entry(Kind.FOLDER, 0o700)

    def stay(self, path: str) -> None:
        """Have a path as it is now."""
        if (now := self.now.get(path)) is None:
            self.after.pop(path, None)
        else:
            self.after[path] = now


def find_outcome(
    target: Snapshot, now: Snapshot, persons: Iterable[tuple[Snapshot, Snapshot]], merger: Merger
) -> Outcome:
    """Where an undo from `now` to `target` leads; `persons`: the states around each change of the person."""
    outcome = Outcome(target, now, dict(target))
    for before, behind in persons:
        for path in differing(before, behind):
            if (refused := outcome.refused.get(path)) is not None:
                outcome.refused[path] = replace(refused, persons=behind.get(path))
            else:
                _replay(outcome, path, before, behind, merger)
    _leave_uncovered(outcome)
    outcome.settle()
    return outcome


def _replay(outcome: Outcome, path: str, before: Snapshot, behind: Snapshot, merger: Merger) -> None:
    ours, theirs = outcome.after.get(path), behind.get(path)
    try:
        if ours != theirs and (is_uncovered(before, path) or is_uncovered(behind, path)):
            raise Conflict("it was not covered for a while")
        merged = merger.merge(before.get(path), ours, theirs)
    except Conflict as conflict:
        outcome.refuse(path, str(conflict), theirs)
        return
    if merged is None:
        outcome.after.pop(path, None)
    else:
        outcome.after[path] = merged


def _leave_uncovered(outcome: Outcome) -> None:
    """What is not covered, now or at the target, stays as it is; a version that was kept is named."""
    target, now, after = outcome.target, outcome.now, outcome.after
    for path in differing(now, after):
        if is_uncovered(now, path) and path in target and not is_uncovered(target, path):
            outcome.refuse(path, f"is not covered now: {why_uncovered(now, path)}")
        elif is_uncovered(now, path) or is_uncovered(target, path):
            if (entry := now.get(path)) is None:
                after.pop(path, None)
            else:
                after[path] = entry


def why_uncovered(snapshot: Snapshot, path: str) -> str:
    """Why a path, or the folder above it, is not covered; "" if it is."""
    for one in (path, *parents(path)):
        if (entry := snapshot.get(one)) is not None and entry.kind is Kind.UNCOVERED:
            return entry.why
    return ""


def _is_folder(entry: Entry | None) -> bool:
    return entry is not None and entry.kind is Kind.FOLDER


def _normalise_groups(state: dict[str, Entry]) -> None:
    """Members of a group that differ, or have no other member left, are files of their own."""
    grouped = [(path, entry) for path, entry in state.items() if entry.group]
    sizes = Counter((entry.group, entry.blob, entry.mode) for _, entry in grouped)
    for path, entry in grouped:
        if sizes[entry.group, entry.blob, entry.mode] < 2:
            state[path] = replace(entry, group="")
