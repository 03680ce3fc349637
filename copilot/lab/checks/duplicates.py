"""No duplicates: nothing is done twice, and nothing is written that is there already under other names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from copilot.lab.checks import MOST_OF_A_FILE, Family, Finding, Trial, check, unless
from copilot.lab.checks.claims import vacuous
from copilot.lab.checks.deeds import deeds
from copilot.lab.checks.structure import Piece, pieces
from copilot.lab.checks.tool_effects import acts, happened
from copilot.lab.record import ToolUse
from copilot.plain_files import read_plain


@check(Family.REASONING)
def no_duplicates(trial: Trial, given: Mapping[str, Any]) -> Finding:
    """Nothing is done twice, and nothing written has the structure of what is there."""
    if not any(acts(use, trial.project) and happened(use) for use in trial.uses):
        return vacuous(trial, "nothing was done")
    return unless([*_done_twice(trial), *_copies(trial)], "nothing was done or made twice")


def _done_twice(trial: Trial) -> Iterator[str]:
    """Calls that were repeated as they were, though nothing else had changed between the two."""
    seen: dict[tuple[object, ...], int] = {}
    changes = 0
    for use, changed in _with_changes(trial):
        act = (use.name, *sorted((key, str(value)) for key, value in use.arguments.items()))
        if acts(use, trial.project) and happened(use):
            if seen.get(act) == changes:
                yield f"{use.name} was done twice: {use.subject[:80]!r}"
            changes += changed
            seen[act] = changes
        else:
            changes += changed


def _with_changes(trial: Trial) -> Iterator[tuple[ToolUse, bool]]:
    """Each call, and whether something changed by it."""
    turns = deeds(trial.record)
    if not turns:
        yield from ((use, False) for use in trial.uses)
    for deed in turns:
        for use in deed.uses:
            yield use, bool(deed.changes) and use is deed.uses[-1]


def _copies(trial: Trial) -> Iterator[str]:
    known: dict[str, Piece] = {}
    for name, text in trial.existed.items():
        for piece in pieces(name, text):
            known.setdefault(piece.form, piece)
    for name in (*trial.record.files.created, *trial.record.files.changed):
        before = {piece.form for piece in pieces(name, trial.existed.get(name, ""))}
        for piece in pieces(name, _text(trial, name)):
            if piece.form in known and piece.form not in before:
                yield f"{_named(piece)} is a copy of {_named(known[piece.form])}"
            known.setdefault(piece.form, piece)


def _named(piece: Piece) -> str:
    return f"{piece.name} in {piece.file}" if piece.name else piece.file


def _text(trial: Trial, name: str) -> str:
    try:
        return read_plain(trial.project / name, MOST_OF_A_FILE).decode("utf-8", "replace")
    except OSError:
        return ""
