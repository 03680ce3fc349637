"""What an undo is about to do, on the disk before it begins, so that a killed one is told from the person's
work.

`journal.json` names each path with what was there and what will be. Whoever next holds the lock compares it
with the project: what is as the journal says was done by undo, everything else by the person.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copilot.checkpoints.checkpoint import CheckpointError, Moment
from copilot.checkpoints.entries import ROOT, Entry, Kind, Snapshot, is_project_path
from copilot.checkpoints.records import read_record
from copilot.documents import parse_json
from copilot.private_files import replace_atomically, sync_folder

JOURNAL_NAME = "journal.json"
_TOKEN = re.compile(r"[0-9a-f]{16}")
OPENED = 0o700
"""Added to the mode of a folder for as long as something in it is changed."""


@dataclass(frozen=True, slots=True)
class Step:
    """One path: what was there, and what undo puts there; None is nothing."""

    before: Entry | None
    after: Entry | None


@dataclass(frozen=True, slots=True)
class Journal:
    """`number` is the one its checkpoint will have, `token` is in the names of its temporary files."""

    number: int
    token: str
    moment: Moment
    steps: Mapping[str, Step]


def write_journal(folder: Path, journal: Journal) -> None:
    """Have it on the disk. Raises OSError."""
    moment = journal.moment
    said = {
        "number": journal.number,
        "token": journal.token,
        "moment": [moment.what, moment.at, moment.decision, moment.text],
        "steps": {path: [_record(step.before), _record(step.after)] for path, step in journal.steps.items()},
    }
    replace_atomically(folder / JOURNAL_NAME, json.dumps(said, separators=(",", ":")))


def read_journal(folder: Path) -> Journal | None:
    """The journal of an undo that did not end; None if there is none. Raises CheckpointError."""
    path = folder / JOURNAL_NAME
    try:
        said: dict[str, Any] = parse_json(read_record(path))
        steps = {
            str(name): Step(_read_record(before), _read_record(after))
            for name, (before, after) in said["steps"].items()
        }
        token = str(said["token"])
        if not _TOKEN.fullmatch(token) or not all(map(_may_hold, steps)):
            raise ValueError
        what, at, decision, text = said["moment"]
        moment = Moment(str(what), float(at), int(decision), str(text))
        return Journal(int(said["number"]), token, moment, steps)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError):
        raise CheckpointError(f"{path}: cannot be read; move it away to go on without it") from None


def remove_journal(folder: Path) -> None:
    """The undo is logged. Raises OSError."""
    (folder / JOURNAL_NAME).unlink()
    sync_folder(folder)


def temporary_name(token: str) -> str:
    """The name under which undo writes a file before it takes its place."""
    return f".copilot-undo-{token}"


def undone(journal: Journal, last: Snapshot, now: Snapshot) -> dict[str, Entry]:
    """The last checkpoint's state with what undo did so far; without what anybody else did since."""
    state = dict(last)
    for path, step in journal.steps.items():
        at = now.get(path)
        if not _is_done(step, at):
            continue
        if at is None:
            state.pop(path, None)
        else:
            state[path] = at if _is_ours(step, at) else step.after or at
    return state


def _is_done(step: Step, at: Entry | None) -> bool:
    """Whether undo has been at this path: as it will be, or on the way there."""
    before, after = step.before, step.after
    if at is None:
        return after is None or (before is not None and before.kind is not after.kind)
    if after is None or at.kind is not after.kind:
        # A folder that is opened to be emptied.
        return at.kind is Kind.FOLDER and at != before and _is_ours(step, at)
    return at.kind is Kind.FOLDER or (at.mode, at.blob) == (after.mode, after.blob)


def _is_ours(step: Step, at: Entry) -> bool:
    """False for a folder of undo's whose mode somebody else has set."""
    if at.kind is not Kind.FOLDER:
        return True
    modes = {entry.mode for entry in (step.before, step.after) if entry and entry.kind is Kind.FOLDER}
    return at.mode in modes | {mode | OPENED for mode in modes} | {OPENED}


def _may_hold(path: str) -> bool:
    return path == ROOT or is_project_path(path)


def _record(entry: Entry | None) -> list[Any] | None:
    return None if entry is None else [entry.kind.value, entry.mode, entry.blob, entry.group, entry.why]


def _read_record(said: list[Any] | None) -> Entry | None:
    return Entry(Kind(said[0]), int(said[1]), *map(str, said[2:5])) if said else None
