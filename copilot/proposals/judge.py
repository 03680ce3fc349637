"""What the guard says of each file that a plan changes: by its place, and by the lines that go and come.

The same rules judge an agent's own edits in a run (`docs/safety.md`), and the same grants lift them.
"""

from __future__ import annotations

import difflib
import itertools
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from copilot.checkpoints.entries import Entry, Kind
from copilot.checkpoints.journal import Step
from copilot.core.detection import ShownChange
from copilot.core.risk import Risk, RiskLevel
from copilot.errors import InputError
from copilot.guard.edits import is_test
from copilot.guard.grants import Grant, GrantBook, path_grant_for
from copilot.guard.prompts import assess_path
from copilot.guard.question_risk import lifted_by
from copilot.guard.rule_files import Scene
from copilot.guard.scope import ProjectScope
from copilot.proposals.world import World

_ACTIONS = ("write", "edit", "delete")
_MOST_LINES = 5000
"""More lines of a file are not judged, which takes a second for three thousand: a person looks."""
_BY_PLACE = ShownChange("overwrite", kept=("",), whole=True)
"""Of what keeps its content: moved, or made a program."""


def read_grants(rules: Sequence[str]) -> GrantBook:
    """Grants for files. Raises InputError for a rule that is none."""
    grants = [Grant.parse(rule) for rule in rules]
    for one in grants:
        if one.action not in _ACTIONS:
            raise InputError(f"--allow {one.rule!r}: proposals change files; write {', '.join(_ACTIONS)}")
    return GrantBook(grants, time.time())


def judged(world: World, steps: Mapping[str, Step], project: Path, rules: Sequence[str]) -> dict[str, Risk]:
    """The risk of each change of a file or link, by path. Raises InputError."""
    book = read_grants(rules)
    scope = ProjectScope(str(project.resolve()), str(Path.home()))
    left = {_read_as(path, one.before) for path, one in steps.items() if one.before and not _file(one.after)}
    came = {one.after.blob for one in steps.values() if one.after and not _file(one.before)}
    found: dict[str, Risk] = {}
    for path, step in sorted(steps.items()):
        before, after = _file(step.before), _file(step.after)
        if after is not None:
            risk = _risk(
                "edit" if before else "write", path, _change(world, path, before, after, left), scope, book
            )
        elif before is not None and before.blob in came and not is_test(path):  # elsewhere it may not run
            risk = _risk("edit", path, _BY_PLACE, scope, book)
        elif before is not None:
            risk = _risk("delete", path, None, scope, book)
        else:
            continue  # a folder says nothing without its files
        book.use(risk.grants)
        found[path] = risk
    return found


def _risk(action: str, path: str, change: ShownChange | None, scope: ProjectScope, book: GrantBook) -> Risk:
    if path.splitlines() != [path] or path != path.strip():
        reason = "its name begins or ends with a blank, or is of more than one line"
        return Risk(RiskLevel.HIGH, (reason,), "path.hidden", path)
    is_long = change is not None and max(len(change.removed), len(change.added)) > _MOST_LINES
    grants = book.open_at(time.time())
    # A name that begins with ~ is no home here.
    risk = assess_path(action, f"./{path}", scope, grants, None if is_long else change)
    if is_long and risk.level < RiskLevel.HIGH and not risk.grants:
        scene = Scene(scope, (scope.cwd,), lambda text, scene: [], {})
        reason = f"changes more than {_MOST_LINES} lines, too many to be judged"
        risk = Risk(RiskLevel.HIGH, (reason,), "edit.long", path)
        return lifted_by(risk, path_grant_for(grants, action, f"./{path}", scene))
    return replace(risk, reasons=tuple(one.replace(f"./{path}", path) for one in risk.reasons))


def _change(
    world: World, path: str, before: Entry | None, after: Entry, left: set[tuple[str, str]]
) -> ShownChange:
    """What becomes of a file that is there afterwards; `left` is what leaves its place."""
    if before is None:
        moved = _read_as(path, after) in left
        return _BY_PLACE if moved else ShownChange("create", added=_lines(world, after), whole=True)
    if before.blob == after.blob:
        return _BY_PLACE
    return _difference(_lines(world, before), _lines(world, after))


def _file(entry: Entry | None) -> Entry | None:
    return None if entry is None or entry.kind is Kind.FOLDER else entry


def _read_as(path: str, entry: Entry) -> tuple[str, str]:
    """A content, and the ending that says what reads it: under another one it is judged as new."""
    return entry.blob, PurePosixPath(path).suffix


def _lines(world: World, entry: Entry) -> tuple[str, ...]:
    return tuple(world.data_of(entry).decode("utf-8", "replace").splitlines())


def _difference(before: tuple[str, ...], after: tuple[str, ...]) -> ShownChange:
    """The lines that go, come and stay; of parts that are too long to be compared all go and come."""
    start = _same(zip(before, after, strict=False))
    end = _same(zip(reversed(before[start:]), reversed(after[start:]), strict=False))
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    if max(len(old), len(new)) > _MOST_LINES:
        return ShownChange("edit", old, new, whole=True)
    removed: list[str] = []
    added: list[str] = []
    kept = [*before[:start], *before[len(before) - end :]]
    for word, a, b, c, d in difflib.SequenceMatcher(None, old, new).get_opcodes():
        if word == "equal":
            kept += old[a:b]
        else:
            removed += old[a:b]
            added += new[c:d]
    return ShownChange("edit", tuple(removed), tuple(added), tuple(kept), whole=True)


def _same(pairs: Iterable[tuple[str, str]]) -> int:
    """How many pairs at the beginning are of equal lines."""
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
