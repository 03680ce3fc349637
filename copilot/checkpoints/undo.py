"""Going back to a checkpoint: the plan, file by file, and carrying it out.

The result is the target's state with everything the person changed after it merged on top, path by path. What
cannot be merged is refused: that file stays as it is now, and the version it would have got is kept beside
the checkpoints.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from copilot.checkpoints.apply_steps import apply_steps, opened_folders
from copilot.checkpoints.checkpoint import Checkpoint, CheckpointError, Moment
from copilot.checkpoints.entries import ROOT, Entry, Snapshot, differing, parents, shown_path
from copilot.checkpoints.journal import Journal, Step, write_journal
from copilot.checkpoints.kept_versions import KeptVersions
from copilot.checkpoints.merge import Merger
from copilot.checkpoints.outcome import Outcome, find_outcome, why_uncovered
from copilot.checkpoints.project_writer import ProjectWriter
from copilot.checkpoints.states import Contents, diff_hunks, line_counts
from copilot.checkpoints.store import CheckpointStore
from copilot.core.checkpoints import Author

_CHANGED_SINCE = "it changed after the plan was made"


@dataclass(frozen=True, slots=True)
class FileUndo:
    """What undo does with one path. `added` and `removed` count lines from now to after; 0 for binary files.

    `action` is one of `restore` (as at the target), `remove` (it was made since), `merge` (the person's
    changes on top of the target's version), `refuse` (stays as it is now, `why` says the reason), `keep`
    (stays, no conflict: the person's, or not covered; `why` says which).
    """

    path: str
    action: str
    why: str = ""
    added: int = 0
    removed: int = 0


@dataclass(frozen=True, slots=True)
class UndoPlan:
    """What going back to `target` does; `before` is the project as it is now. Files are sorted by path."""

    target: Checkpoint
    before: Checkpoint
    files: tuple[FileUndo, ...]
    store: CheckpointStore = field(repr=False, compare=False)
    outcome: Outcome = field(repr=False, compare=False)
    after_commit: str = field(repr=False, compare=False)

    def diff(self, path: str) -> str:
        """The change from now to after as a unified diff, one line for a binary file, "" if there is none.

        Not safe to show before it went through `guard.text.safe_text`. Raises CheckpointError.
        """
        bare = ROOT if path == "./" else path.removesuffix("/")
        now, after = self.outcome.now.get(bare), self.outcome.after.get(bare)
        if now == after:
            return ""
        lines = [f"--- {path}" if now else "--- /dev/null", f"+++ {path}" if after else "+++ /dev/null"]
        if now and after and now.kind is after.kind and now.mode != after.mode:
            lines.append(f"mode {now.mode:04o} to {after.mode:04o}")
        hunks = diff_hunks(self.store.repository, self.before.commit, self.after_commit, bare)
        lines.append("binary: no lines to show" if hunks is None else hunks)
        return "\n".join(lines).rstrip("\n") + "\n"


@dataclass(frozen=True, slots=True)
class UndoResult:
    """What was done. `refused` holds path, why, and where the other version is ("" if there is none).

    If the project does not hold the person's own version any more, that one is kept too: `NAME.yours`.
    """

    restored: tuple[str, ...]
    removed: tuple[str, ...]
    merged: tuple[str, ...]
    refused: tuple[tuple[str, str, str], ...]
    checkpoint: Checkpoint


def author_since(store: CheckpointStore) -> Author:
    """Who made the changes since the last checkpoint: the program if it was set to work then."""
    taken = store.checkpoints()
    return Author.PROGRAM if taken and taken[-1].moment.what in ("start", "reply") else Author.PERSON


def plan_undo(
    store: CheckpointStore, target: Checkpoint, *, author: Author | None = None, at: float = 0.0
) -> UndoPlan:
    """What undo would do. Takes a checkpoint of now first; nothing in the project changes.

    `author` made the changes since the last checkpoint: by default the program if that was the start or a
    reply (it was at work since), else the person. `at` is that checkpoint's second of the run. Raises
    CheckpointError.
    """
    with store.writing() as lock:
        text = f"before going back to checkpoint {target.number}"
        author = author or author_since(store)
        moment = Moment("undo", at, _next_decision(store.checkpoints(), author), text)
        before = store.keep_now(author, moment, lock)
        taken = store.checkpoints()
        if target.number >= len(taken) or taken[target.number].commit != target.commit:
            raise CheckpointError(f"checkpoint {target.number} is none of this run; list them first")
        now = store.state(before.commit)
        with Contents(store.repository) as contents:
            merger = Merger(store.repository, store.folder, contents.read)
            persons = _persons_changes(store, taken[target.number :])
            outcome = find_outcome(store.state(target.commit), now, persons, merger)
        after_commit = store.keep_state(before.commit, outcome.after, merger.contents.values(), lock)
    counts = line_counts(store.repository, before.commit, after_commit)
    return UndoPlan(target, before, _files(outcome, counts), store, outcome, after_commit)


def apply_undo(store: CheckpointStore, plan: UndoPlan) -> UndoResult:
    """Carry out a plan. A file that changed since the plan was made is refused.

    Killed in the middle, the next `open` or `take` completes the log, and undo can be run again. Raises
    CheckpointError if nothing could be done or the disk is full.
    """
    with store.writing() as lock:
        moment = replace(plan.before.moment, text="what changed after the plan of the undo was made")
        fresh = store.keep_now(Author.PERSON, moment, lock, only_changes=True)
        outcome = _still_possible(plan.outcome, store.state(fresh.commit))
        now, after = outcome.now, outcome.after
        steps = {path: Step(now.get(path), after.get(path)) for path in differing(now, after)}
        opened = {path: Step(now[path], now[path]) for path in opened_folders(now, after, steps)}
        said = f"back to checkpoint {plan.target.number}"
        moment = replace(moment, decision=plan.target.moment.decision, text=said)
        journal = Journal(len(store.checkpoints()), secrets.token_hex(8), moment, {**opened, **steps})
        write_journal(store.folder, journal)
        with Contents(store.repository) as contents:
            writer = ProjectWriter(store.root, journal.token, contents.read, store.budget.file_bytes)
            for path, why in apply_steps(writer, steps, opened, after).items():
                outcome.refuse(path, why)
            kept = KeptVersions(store.folder, journal.number, contents.read)
            refused = tuple(
                (shown_path(path, now.get(path) or one.version), one.why, kept.keep_refused(path, one, now))
                for path, one in sorted(outcome.refused.items())
            )
        return _result(outcome, steps, refused, store.finish_undo(journal, lock))


def _next_decision(taken: tuple[Checkpoint, ...], author: Author) -> int:
    """The number of the first decision that the files as they are now do not show."""
    if not taken:
        return 0
    last = taken[-1].moment
    return last.decision + (author is Author.PROGRAM and last.what == "reply")


def _persons_changes(
    store: CheckpointStore, taken: tuple[Checkpoint, ...]
) -> Iterator[tuple[Snapshot, Snapshot]]:
    """The states around each change of the person's."""
    for one, other in pairwise(taken):
        if other.author is Author.PERSON and other.commit != one.commit:
            yield store.state(one.commit), store.state(other.commit)


def _still_possible(planned: Outcome, now: Snapshot) -> Outcome:
    """The planned outcome for the project as it is now: what changed since the plan stays."""
    outcome = Outcome(planned.target, now, dict(planned.after), dict(planned.refused))
    for path in differing(planned.now, now):
        if now.get(path) == planned.after.get(path):
            # Somebody else has done it, perhaps another undo.
            continue
        if planned.now.get(path) != planned.after.get(path):
            outcome.refuse(path, _CHANGED_SINCE)
        else:
            outcome.stay(path)
    outcome.settle()
    return outcome


def _files(outcome: Outcome, counts: dict[str, tuple[int, int]]) -> tuple[FileUndo, ...]:
    """What is shown of a plan: folders only where no file below them says the same."""
    target, now, after = outcome.target, outcome.now, outcome.after
    found: dict[str, FileUndo] = {}
    for path in sorted({*differing(now, after), *differing(now, target), *outcome.refused}):
        at = after.get(path) or now.get(path) or target.get(path)
        action, why = _action(outcome, path)
        if action:
            added, removed = counts.get(path, (0, 0)) if now.get(path) != after.get(path) else (0, 0)
            found[path] = FileUndo(shown_path(path, at), action, why, added, removed)
    implied = {parent for path in found for parent in parents(path)}
    return tuple(
        one
        for path, one in found.items()
        if not (one.path.endswith("/") and path in implied and one.action in ("restore", "remove"))
    )


def _action(outcome: Outcome, path: str) -> tuple[str, str]:
    """What undo does at a path, and why; empty if there is nothing to say."""
    if path in outcome.refused:
        return "refuse", outcome.refused[path].why
    target, now, after = (state.get(path) for state in (outcome.target, outcome.now, outcome.after))
    if now != after:
        if after is None:
            return "remove", ""
        return ("restore", "") if after == target else ("merge", "with what you changed since")
    if why := why_uncovered(outcome.now, path) or why_uncovered(outcome.target, path):
        named = any(entry is not None and entry.why for entry in (target, now))
        return ("keep", f"is not covered: {why}") if named else ("", "")
    if _bare(now) == _bare(target):
        return "", ""
    return "keep", "you changed it since"


def _bare(entry: Entry | None) -> Entry | None:
    return replace(entry, group="") if entry is not None else None


def _result(
    outcome: Outcome,
    steps: dict[str, Step],
    refused: tuple[tuple[str, str, str], ...],
    checkpoint: Checkpoint,
) -> UndoResult:
    done: dict[str, list[str]] = {"restore": [], "remove": [], "merge": []}
    for path, step in steps.items():
        if path in outcome.refused:
            continue
        if step.after is None:
            kind = "remove"
        else:
            kind = "restore" if step.after == outcome.target.get(path) else "merge"
        done[kind].append(shown_path(path, step.after or step.before))
    return UndoResult(
        tuple(done["restore"]), tuple(done["remove"]), tuple(done["merge"]), refused, checkpoint
    )
