"""What a reviewer says of a run's prompts, kept beside the run, and made of it: fixtures and examples.

`verdicts.jsonl` holds one verdict per line; of several on one prompt the last counts, and `withdrawn` takes
it back. Notes are redacted like all that is kept.
"""

from __future__ import annotations

import enum
import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from copilot.core.detection import Detection
from copilot.core.screen_kinds import ScreenKind
from copilot.documents import parse_json
from copilot.engine.review import Prompt, RunReview
from copilot.errors import InputError
from copilot.plain_files import MIB, MissingFile, read_text
from copilot.private_files import FOLDER_MODE, open_private, write_all, write_private
from copilot.recording.artifacts import VERDICTS_NAME
from copilot.recording.asciicast_writer import write_cast
from copilot.recording.records import to_record
from copilot.recording.still import still
from copilot.recording.transcript import json_line, json_text
from copilot.replay.player import Player
from copilot.replay.recorded import Recorded

_MOST_BYTES = 4 * MIB
"""Twenty thousand verdicts of a person."""


class Word(enum.StrEnum):
    """What can be said of a prompt."""

    RIGHT = "right"
    WRONG_KIND = "wrong kind"
    SHOULD_HAVE_HELD = "should have held"
    SHOULD_HAVE_SENT = "should have sent"
    WRONG_REPLY = "wrong reply"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One verdict on the prompt that was open at `at`. `kind` is what it really was, if it was misread."""

    identity: str
    at: float
    word: Word
    kind: ScreenKind | None = None
    note: str = ""


class VerdictBook:
    """The verdicts on one recording. Raises InputError for a file that cannot be read or written."""

    def __init__(self, recorded: Recorded, redact: Callable[[str], str]) -> None:
        folder = recorded.path
        self.path = (
            folder / VERDICTS_NAME
            if recorded.run is not None
            else folder.with_name(f"{folder.name}.{VERDICTS_NAME}")
        )
        self._redact = redact
        self._by_prompt: dict[str, Verdict] = {}
        for verdict in _read(self.path):
            self._take(verdict)

    @property
    def all(self) -> tuple[Verdict, ...]:
        """The verdicts that count, in order of time."""
        return tuple(sorted(self._by_prompt.values(), key=lambda verdict: verdict.at))

    def on(self, prompt: Prompt) -> Verdict | None:
        """The verdict on this prompt, if there is one."""
        return self._by_prompt.get(_name(prompt.detection.identity, prompt.at))

    def say(self, prompt: Prompt, word: Word, kind: ScreenKind | None = None, note: str = "") -> Verdict:
        """Keep a verdict; an earlier one on the same prompt counts no more."""
        note = self._redact(" ".join(note.split()))
        verdict = Verdict(prompt.detection.identity, round(prompt.at, 6), word, kind, note)
        data = {
            "v": 1,
            "identity": verdict.identity,
            "at": verdict.at,
            "verdict": word.value,
            "kind": kind.value if kind is not None else None,
            "note": note,
            "said_at": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        try:
            descriptor = open_private(self.path, os.O_WRONLY | os.O_APPEND)
            try:
                write_all(descriptor, json_line(data))
            finally:
                os.close(descriptor)
        except OSError as error:
            raise InputError(f"{self.path}: cannot be written: {error.strerror}") from None
        self._take(verdict)
        return verdict

    def _take(self, verdict: Verdict) -> None:
        name = _name(verdict.identity, verdict.at)
        if verdict.word is Word.WITHDRAWN:
            self._by_prompt.pop(name, None)
        else:
            self._by_prompt[name] = verdict


def _name(identity: str, at: float) -> str:
    return f"{identity}@{at:.3f}"


def _read(path: Path) -> list[Verdict]:
    try:
        lines = read_text(path, _MOST_BYTES).splitlines()
    except MissingFile:
        return []
    verdicts = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                verdicts.append(_verdict(parse_json(line)))
            except (ValueError, KeyError, TypeError, AttributeError):
                raise InputError(f"{path}: line {number}: is no verdict; mend or delete that line") from None
    return verdicts


def _verdict(data: dict[str, Any]) -> Verdict:
    kind = data.get("kind")
    return Verdict(
        str(data["identity"]),
        float(data["at"]),
        Word(data["verdict"]),
        ScreenKind(kind) if kind is not None else None,
        str(data.get("note", "")),
    )


def export(recorded: Recorded, review: RunReview, book: VerdictBook, folder: Path) -> tuple[int, int]:
    """Write what was said as fixtures: stills with labels for the detectors, examples for the policy.

    `detectors/NN.cast` with `NN.label.json` has the form of a run's unknown screens, so that
    `copilot profiles learn` reads it; `policy.jsonl` has one example per line. How many there are of each.
    Raises InputError.
    """
    stills = examples = 0
    player = Player(recorded.cast)
    while player.index.advance():
        pass
    lines: list[bytes] = []
    try:
        (folder / "detectors").mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        for verdict in book.all:
            prompt = next((one for one in review.prompts if book.on(one) is verdict), None)
            if prompt is None:
                continue
            if verdict.word in (Word.RIGHT, Word.WRONG_KIND):
                stills += 1
                _write_still(folder / "detectors" / f"{stills:02d}.cast", player, prompt, verdict)
            if verdict.word is not Word.WRONG_KIND:
                examples += 1
                lines.append(json_line(_example(recorded, prompt, verdict)))
        write_private(folder / "policy.jsonl", b"".join(lines).decode())
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror}") from None
    return stills, examples


def _write_still(path: Path, player: Player, prompt: Prompt, verdict: Verdict) -> None:
    snapshot = player.seek(prompt.at).snapshot()
    # The recording is redacted already, and so the still is.
    write_cast(path, still(snapshot, lambda lines, wrapped: list(lines), title=player.cast.header.title))
    seen = prompt.detection
    kind = verdict.kind if verdict.word is Word.WRONG_KIND and verdict.kind is not None else seen.kind
    same = kind is seen.kind
    label = {
        "kind": kind.value,
        "question": seen.question if same else None,
        "options": [option.label for option in seen.options] if same else [],
        "note": verdict.note,
    }
    write_private(path.with_suffix(".label.json"), json_text(label, indent=2) + "\n")
    evidence = {"at": round(prompt.at, 3), "kind": seen.kind.value, "rule": seen.rule, "note": seen.note}
    write_private(path.with_suffix(".json"), json_text(evidence, indent=2) + "\n")


def _example(recorded: Recorded, prompt: Prompt, verdict: Verdict) -> dict[str, Any]:
    decision = prompt.decisions[-1][1] if prompt.decisions else None
    begun = recorded.begun_at_level
    return {
        "v": 1,
        "verdict": verdict.word.value,
        "note": verdict.note,
        "autonomy": recorded.review.level_at(prompt.at, begun).value if begun is not None else None,
        "detection": _without_identity(prompt.detection),
        "danger": to_record(prompt.risk),
        "proposal": to_record(prompt.proposals[-1][1].reply) if prompt.proposals else None,
        "decision": to_record(decision) if decision is not None else None,
    }


def _without_identity(detection: Detection) -> dict[str, Any]:
    record: dict[str, Any] = to_record(detection)
    record.pop("identity", None)
    return record
