"""What the guard saw on the disk, in files of a run folder: one for each `DiskLooked`, redacted.

A thread redacts and writes them, since a folder of thousands of names takes a while. After kill -9 the last
one may be missing, and then counts as not recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from copilot.core.events import DiskLooked
from copilot.documents import read_json
from copilot.engine.disk_looks import RecordedLooks
from copilot.errors import InputError
from copilot.plain_files import MIB
from copilot.private_files import FOLDER_MODE, write_private
from copilot.recording.artifacts import LOOKS_FOLDER, looks_file
from copilot.recording.manifest import redacted
from copilot.recording.records import from_record, to_record
from copilot.recording.runs import RecordedRun
from copilot.recording.transcript import json_text

_MOST_BYTES = 16 * MIB


class LooksWriter:
    """Writes them into the folder of a run. `on_failed` gets what went wrong, in the thread."""

    def __init__(
        self, folder: Path, redact: Callable[[str], str], on_failed: Callable[[Exception], None]
    ) -> None:
        self._folder = folder
        self._redact = redact
        self._on_failed = on_failed
        self._thread = ThreadPoolExecutor(1, "looks")

    def keep(self, looked: DiskLooked) -> None:
        """Write them soon."""
        self._thread.submit(self._write, looked)

    def close(self) -> None:
        """All are written."""
        self._thread.shutdown()

    def _write(self, looked: DiskLooked) -> None:
        try:
            (self._folder / LOOKS_FOLDER).mkdir(mode=FOLDER_MODE, exist_ok=True)
            text = json_text(redacted(to_record(looked), self._redact), indent=1)
            write_private(self._folder / looks_file(looked.number), text + "\n")
        except Exception as error:  # nothing may be raised into the session
            self._on_failed(error)


def looks_of(run: RecordedRun, cwd: str, home: str, slack: float = 0.0) -> RecordedLooks:
    """What the run saw on the disk; `cwd` and `home` count where nothing is recorded. Raises InputError."""
    looked = [
        replace(_read(run.path, step), at=record.at)
        for record, step in run.steps()
        if isinstance(step, DiskLooked)
    ]
    return RecordedLooks(looked, cwd, home, slack)


def _read(folder: Path, looked: DiskLooked) -> DiskLooked:
    """With its looks. Without a file that can be read all of them are left out."""
    try:
        return from_record(read_json(folder / looks_file(looked.number), _MOST_BYTES), DiskLooked)
    except (InputError, ValueError):
        return replace(looked, left_out=1)
