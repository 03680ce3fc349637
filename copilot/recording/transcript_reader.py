"""Reading and repairing transcripts. A file with any content opens; what is wrong is reported.

A tail without newline is a torn write: whole and sealed, it gets its newline; else it is moved to
`transcript.jsonl.torn`. A bad line in the middle (zeros after a power cut, bad UTF-8, a wrong checksum) stays
where it is, is left out, and reported with its place. Nothing is guessed.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copilot.core.effects import Effect
from copilot.core.events import Event
from copilot.documents import parse_json
from copilot.errors import InputError
from copilot.plain_files import MIB, not_read, read_plain
from copilot.private_files import open_private, write_all
from copilot.recording.artifacts import TORN_SUFFIX, TRANSCRIPT_NAME
from copilot.recording.records import step_classes, step_from_record
from copilot.recording.transcript import SCHEMA_VERSION, unsealed


@dataclass(frozen=True, slots=True)
class Record:
    """One record. `time` is ISO 8601 in UTC, `at` seconds of the run's clock."""

    sequence: int
    time: str
    at: float
    state: str
    type: str
    data: dict[str, Any]

    def step(self) -> Event | Effect | None:
        """The event or effect, if it is one of this version's. Raises ValueError if its fields do not fit."""
        return step_from_record(self.type, self.data) if self.type in step_classes() else None


_MOST_BYTES = 256 * MIB
"""Weeks of prompts: a record takes one to five KiB."""
_MOST_RECORD_BYTES = 64 * MIB
_NEWER = "a record of a newer copilot"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in the file: at which byte, and what."""

    offset: int
    what: str

    def __str__(self) -> str:
        return f"byte {self.offset}: {self.what}"


@dataclass(frozen=True, slots=True)
class Transcript:
    """What could be read. `size` is how many bytes were looked at; a follower goes on from there."""

    records: tuple[Record, ...]
    problems: tuple[Problem, ...]
    size: int
    torn_bytes: int = 0

    @property
    def of_newer(self) -> bool:
        """Whether it is whole, and yet nothing in it can be read here: a newer copilot wrote it."""
        newer = [problem.what.startswith(_NEWER) for problem in self.problems]
        return not self.records and bool(newer) and all(newer)

    @property
    def next_sequence(self) -> int:
        """The number for the next record of a run that goes on."""
        return max((record.sequence for record in self.records), default=0) + 1


def read_transcript(folder: Path) -> Transcript:
    """The records of the run in `folder`, without changing anything. Raises InputError if unreadable."""
    path = folder / TRANSCRIPT_NAME
    try:
        data = read_plain(path, _MOST_BYTES)
    except FileNotFoundError:
        raise InputError(f"{folder}: is no run folder: it has no {TRANSCRIPT_NAME}") from None
    except OSError as error:
        raise not_read(path, error) from None
    return parse_transcript(data)


def parse_transcript(data: bytes, *, expected_sequence: int = 1) -> Transcript:
    """The records in these bytes, of which the first should have the expected number."""
    records: list[Record] = []
    problems: list[Problem] = []
    expected = expected_sequence
    offset = 0
    *lines, tail = data.split(b"\n")
    for line in lines:
        record = _record(line)
        if isinstance(record, str):
            problems.append(Problem(offset, record))
        else:
            if record.sequence != expected:
                problems.append(Problem(offset, _gap(expected, record.sequence)))
            expected = record.sequence + 1
            records.append(record)
        offset += len(line) + 1
    whole_tail = _record(tail) if tail else "empty"
    if not isinstance(whole_tail, str):
        records.append(whole_tail)
        return Transcript(tuple(records), tuple(problems), len(data))
    if tail:
        problems.append(Problem(offset, f"the last line was cut off ({len(tail)} bytes)"))
    return Transcript(tuple(records), tuple(problems), offset, len(tail))


def repair_transcript(folder: Path) -> Transcript:
    """Read, and mend the tail so that a writer may go on. Call only with the run's lock held.

    Raises InputError if the file cannot be read, OSError if it cannot be mended.
    """
    transcript = read_transcript(folder)
    path = folder / TRANSCRIPT_NAME
    with path.open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        if transcript.torn_bytes:
            file.seek(transcript.size)
            torn = open_private(path.with_name(path.name + TORN_SUFFIX), os.O_WRONLY | os.O_APPEND)
            try:
                write_all(torn, file.read() + b"\n")
                os.fsync(torn)
            finally:
                os.close(torn)
            file.truncate(transcript.size)
        elif size:
            file.seek(size - 1)
            if file.read(1) != b"\n":
                file.write(b"\n")
        file.flush()
        os.fsync(file.fileno())
    return transcript


def _record(line: bytes) -> Record | str:
    """The record of a line, or what is wrong with it."""
    if not line.strip(b"\0"):
        return f"{len(line)} zero bytes" if line else "an empty line"
    body = unsealed(line) if len(line) <= _MOST_RECORD_BYTES else None
    if body is None:
        return "a line whose checksum is missing or wrong"
    try:
        value = parse_json(body)
    except ValueError:
        return "a line that is no JSON"
    if not isinstance(value, dict) or value.get("v") != SCHEMA_VERSION:
        return _of_version(value.get("v") if isinstance(value, dict) else None)
    fields = tuple(value.get(name) for name in ("seq", "time", "at", "state", "type", "data"))
    match fields:
        case (int(sequence), str(time), int() | float() as at, str(state), str(kind), dict(data)):
            return Record(sequence, time, float(at), state, kind, data)
    return "a record with missing fields"


def _of_version(version: object) -> str:
    if isinstance(version, int) and version > SCHEMA_VERSION:
        return f"{_NEWER} (version {version})"
    return f"a record of another version than {SCHEMA_VERSION}"


def _gap(expected: int, found: int) -> str:
    if found > expected:
        return f"{found - expected} records are missing before number {found}"
    return f"record {found} stands where {expected} was expected"
