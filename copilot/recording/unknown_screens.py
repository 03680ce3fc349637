"""The unknown screens of a run, kept beside it: a still, the evidence, and a person's label.

`unknown/NN.cast` is the screen, `NN.json` why it was not understood, rule by rule, `NN.label.json` what a
person says it is. Labels are written by the cockpit and by a review of the run; `copilot profiles learn`
makes rules of them. Everything is redacted.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from copilot.core.screen_kinds import ScreenKind
from copilot.core.snapshot import ScreenSnapshot
from copilot.documents import read_json
from copilot.errors import InputError
from copilot.plain_files import MIB
from copilot.private_files import FILE_MODE, FOLDER_MODE, replace_atomically, write_private
from copilot.recording.artifacts import UNKNOWN_FOLDER
from copilot.recording.asciicast import Cast, read_cast
from copilot.recording.asciicast_writer import write_cast
from copilot.recording.manifest import redacted
from copilot.recording.still import still
from copilot.recording.transcript import json_text

MOST_SCREENS = 99
_MOST_BYTES = 4 * MIB
"""Of the evidence on one screen, rule by rule."""
_NO_DIGITS = str.maketrans("", "", "0123456789")
LABELS = tuple(kind for kind in ScreenKind if kind not in (ScreenKind.EXITED, ScreenKind.UNKNOWN))
"""What a person may say that a screen is."""


@dataclass(frozen=True, slots=True)
class Label:
    """What a person says: the kind, and if they like the words of the question and the options."""

    kind: ScreenKind
    question: str | None = None
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UnknownScreen:
    """One kept screen. `evidence` is as it was written; `label` is None until the person gives one."""

    number: int
    path: Path
    evidence: dict[str, Any]
    label: Label | None

    def cast(self) -> Cast:
        """The still. Raises InputError."""
        return read_cast(self.path)


def shape_of(snapshot: ScreenSnapshot) -> tuple[str, ...]:
    """The words of a screen without numbers: a clock that ticks makes no other screen of it."""
    return tuple(line.translate(_NO_DIGITS).rstrip() for line in snapshot.lines)


class UnknownScreens:
    """Keeps the unknown screens of the run in `folder`. Raises nothing but OSError."""

    def __init__(self, folder: Path, redact: Callable[[str], str]) -> None:
        self._folder = folder / UNKNOWN_FOLDER
        self._redact = redact
        self._seen: dict[tuple[str, ...], int] = {}

    def keep(self, snapshot: ScreenSnapshot, at: float, evidence: dict[str, Any], *, title: str) -> int:
        """Keep this screen with its evidence; its number, or that of one kept before with the same shape.

        0 if enough are kept already. Raises OSError.
        """
        text = shape_of(snapshot)
        if text in self._seen:
            return self._seen[text]
        number = len(self._seen) + 1
        if number > MOST_SCREENS:
            return 0
        self._folder.mkdir(mode=FOLDER_MODE, exist_ok=True)
        cast = still(snapshot, self._redact_lines, title=title)
        path = self._folder / f"{number:02d}.cast"
        path.touch(mode=FILE_MODE)
        write_cast(path, cast)
        data = redacted({"number": number, "at": round(at, 3), **evidence}, self._redact)
        write_private(path.with_suffix(".json"), json_text(data, indent=2) + "\n")
        self._seen[text] = number
        return number

    def _redact_lines(self, lines: Sequence[str], wrapped: Sequence[bool]) -> list[str]:
        """The screen is redacted as a whole, rows that run on as one line.

        Where a line changes its words take the place of its rows; where lines vanish, all are redrawn.
        """
        groups = _logical(lines, wrapped)
        text = ["".join(group) for group in groups]
        safe = self._redact("\n".join(text)).split("\n")
        if len(safe) != len(text):
            return [*safe, *[""] * len(lines)][: len(lines)]
        rows: list[str] = []
        for group, before, after in zip(groups, text, safe, strict=True):
            rows += group if before == after else [after, *[""] * (len(group) - 1)]
        return rows


def _logical(lines: Sequence[str], wrapped: Sequence[bool]) -> list[list[str]]:
    """The rows of each logical line."""
    groups: list[list[str]] = [[]]
    for number, line in enumerate(lines):
        groups[-1].append(line)
        if number + 1 < len(lines) and not (number < len(wrapped) and wrapped[number]):
            groups.append([])
    return groups


def label_screen(run: Path, number: int, label: Label) -> Path:
    """Say what a kept screen of a run is; an earlier label is replaced. The label's file.

    Raises InputError if there is no such screen, or it cannot be labelled so.
    """
    path = run / UNKNOWN_FOLDER / f"{number:02d}.cast"
    if not path.is_file():
        raise InputError(f"{run}: there is no unknown screen {number}; it has {_numbers(run)}")
    if label.kind not in LABELS:
        raise InputError(f"label: {label.kind.value!r} says nothing; it takes {', '.join(LABELS)}")
    place = path.with_suffix(".label.json")
    data = {
        "kind": label.kind.value,
        "question": label.question,
        "options": list(label.options),
        "labelled_at": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    try:
        replace_atomically(place, json_text(data, indent=2) + "\n")
    except OSError as error:
        raise InputError(f"{place}: cannot be written ({error.strerror})") from None
    return place


def unknown_screens(run: Path) -> list[UnknownScreen]:
    """The kept screens of a run, in order. Raises InputError for a file that is not as it was written."""
    paths = sorted((run / UNKNOWN_FOLDER).glob("[0-9][0-9].cast"))
    return [_read(path) for path in paths]


def _numbers(run: Path) -> str:
    return ", ".join(path.stem for path in sorted((run / UNKNOWN_FOLDER).glob("[0-9][0-9].cast"))) or "none"


def _read(path: Path) -> UnknownScreen:
    evidence = _object(path.with_suffix(".json"))
    place = path.with_suffix(".label.json")
    return UnknownScreen(int(path.stem), path, evidence, _label(place) if os.path.lexists(place) else None)


def _label(path: Path) -> Label:
    data = _object(path)
    try:
        kind = ScreenKind(data["kind"])
    except (KeyError, ValueError):
        raise InputError(f"{path}: kind: {data.get('kind')!r} is no kind of screen") from None
    question = data.get("question")
    options = data.get("options") or []
    if not isinstance(options, list):
        raise InputError(f"{path}: options: must be a list of labels")
    return Label(kind, str(question) if question else None, tuple(map(str, options)))


def _object(path: Path) -> dict[str, Any]:
    data = read_json(path, _MOST_BYTES)
    if not isinstance(data, dict):
        raise InputError(f"{path}: must hold an object")
    return data
