"""`raw/`: the child's redacted output as it came, in files of limited size of which the oldest go first."""

from __future__ import annotations

import os
from pathlib import Path

from copilot.private_files import FOLDER_MODE, open_private, write_all
from copilot.recording.entries import RAW_FOLDER


class RawLog:
    """Writes `raw/output-0001.log` and on. Raises OSError."""

    def __init__(self, folder: Path, *, file_bytes: int, files: int) -> None:
        self._folder = folder / RAW_FOLDER
        self._folder.mkdir(mode=FOLDER_MODE, exist_ok=True)
        self._file_bytes = file_bytes
        self._files = files
        self._number = max((_number(path) for path in self._folder.glob("output-*.log")), default=0)
        self._descriptor = -1
        self._size = 0

    def write(self, data: bytes) -> None:
        """Append output, beginning a new file when one is full."""
        while data:
            if self._descriptor < 0 or self._size >= self._file_bytes:
                self._next_file()
            part = data[: self._file_bytes - self._size]
            write_all(self._descriptor, part)
            self._size += len(part)
            data = data[len(part) :]

    def close(self) -> None:
        """Close the present file."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _next_file(self) -> None:
        self.close()
        self._number += 1
        path = self._folder / f"output-{self._number:04d}.log"
        self._descriptor = open_private(path, os.O_WRONLY | os.O_APPEND)
        self._size = 0
        old = self._folder / f"output-{self._number - self._files:04d}.log"
        old.unlink(missing_ok=True)


def _number(path: Path) -> int:
    digits = path.stem.removeprefix("output-")
    return int(digits) if digits.isdecimal() else 0
