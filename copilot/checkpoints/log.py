"""`log.jsonl`: a line for each checkpoint, appended once its state is on the disk. A torn last line goes."""

from __future__ import annotations

import json
import os
from math import isfinite
from pathlib import Path
from typing import Any

from copilot.checkpoints.checkpoint import Changes, Checkpoint, Moment
from copilot.checkpoints.records import open_record, read_record
from copilot.core.checkpoints import Author
from copilot.documents import parse_json
from copilot.errors import InputError
from copilot.private_files import sync_data, write_all

LOG_NAME = "log.jsonl"
_MOST_EPOCH = 1e11
"""Beyond the year 5000; no date is made of more."""


class CheckpointLog:
    """The lines of one run. Other processes may append too; `read` finds theirs."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / LOG_NAME
        self._read_to = 0
        self.checkpoints: list[Checkpoint] = []

    def read(self) -> None:
        """Read the lines that are new. Raises InputError if one is none of ours."""
        try:
            new = read_record(self._path, self._read_to)
        except FileNotFoundError:
            return
        except OSError as error:
            raise InputError(f"{self._path}: cannot be read: {error.strerror or error}") from None
        whole = new[: new.rfind(b"\n") + 1]
        for line in whole.splitlines():
            self.checkpoints.append(self._checkpoint(line))
        self._read_to += len(whole)

    def append(self, checkpoint: Checkpoint) -> None:
        """Add one; it is on the disk then. Only after `read`, by who holds the lock. Raises OSError."""
        data = (json.dumps(_record(checkpoint), separators=(",", ":")) + "\n").encode("ascii")
        descriptor = open_record(self._path, os.O_WRONLY | os.O_CREAT)
        try:
            os.ftruncate(descriptor, self._read_to)
            os.lseek(descriptor, self._read_to, os.SEEK_SET)
            write_all(descriptor, data)
            sync_data(descriptor)
        finally:
            os.close(descriptor)
        self._read_to += len(data)
        self.checkpoints.append(checkpoint)

    def _checkpoint(self, line: bytes) -> Checkpoint:
        number = len(self.checkpoints)
        try:
            return _read_record(parse_json(line), number)
        except (ValueError, LookupError, TypeError, ArithmeticError, RecursionError):
            raise InputError(
                f"{self._path}: line {number + 1} is no checkpoint; this run cannot be undone"
            ) from None


def _record(checkpoint: Checkpoint) -> dict[str, Any]:
    moment, changes = checkpoint.moment, checkpoint.changes
    return {
        "number": checkpoint.number,
        "commit": checkpoint.commit,
        "author": checkpoint.author.value,
        "what": moment.what,
        "at": moment.at,
        "decision": moment.decision,
        "text": moment.text,
        "created": changes.created,
        "changed": changes.changed,
        "removed": changes.removed,
        "epoch": checkpoint.epoch,
    }


def _read_record(said: dict[str, Any], number: int) -> Checkpoint:
    commit = str(said["commit"])
    if said["number"] != number or len(commit) != 64 or not set(commit) <= set("0123456789abcdef"):
        raise ValueError
    at, epoch = float(said["at"]), float(said["epoch"])
    if not (isfinite(at) and 0 <= epoch < _MOST_EPOCH):
        raise ValueError
    return Checkpoint(
        number,
        commit,
        Author(said["author"]),
        Moment(str(said["what"]), at, int(said["decision"]), str(said["text"])),
        Changes(*(tuple(map(str, said[name])) for name in ("created", "changed", "removed"))),
        epoch,
    )
