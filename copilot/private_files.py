"""Files that only the user reads, written so that a crash leaves old or new, never half."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

FILE_MODE = 0o600
FOLDER_MODE = 0o700
_NEVER_WAIT = os.O_NONBLOCK | os.O_NOCTTY


def open_private(path: Path, flags: int) -> int:
    """A descriptor of this file, created for the user only. Raises OSError, also for an unread pipe."""
    return os.open(path, flags | os.O_CREAT | _NEVER_WAIT | os.O_CLOEXEC, FILE_MODE)


def write_all(descriptor: int, data: bytes) -> None:
    """Write everything. Raises OSError (a full disk may leave a part)."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def write_private(path: Path, text: str) -> None:
    """Write a new private file, replacing one of that name. Raises OSError."""
    descriptor = open_private(path, os.O_WRONLY | os.O_TRUNC)
    try:
        write_all(descriptor, text.encode("utf-8", "replace"))
    finally:
        os.close(descriptor)


def replace_atomically(path: Path, text: str) -> None:
    """Replace the file so that a reader, or a crash, sees the old text or the new. Raises OSError."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new")
    descriptor = open_private(temporary, os.O_WRONLY | os.O_TRUNC)
    try:
        try:
            write_all(descriptor, text.encode("utf-8", "replace"))
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        temporary.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on the disk. Some file systems cannot; then nothing is done."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def sync_data(descriptor: int) -> None:
    """Have the data of a file on the disk. Raises OSError."""
    getattr(os, "fdatasync", os.fsync)(descriptor)
