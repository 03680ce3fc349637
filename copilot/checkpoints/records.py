"""Opens the files that checkpoints are recorded in, which a program of the run may have replaced.

A program that is kept out of everything but its project may still write into a run's folder that lies there.
A record that is a link, a pipe or a name of another file would have copilot, which nobody keeps out, write or
wait for it. So: plain files with one name only, and no more of them than fits into memory. Who writes them
holds the lock: the live session, or `copilot undo` beside it, for one checkpoint or undo at a time.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from copilot.checkpoints.checkpoint import CheckpointError
from copilot.private_files import open_private

MOST_BYTES = 128 << 20
"""More is read of no record: the log of a run that changes a million files."""
LOCK_NAME = "lock"
_WAIT_SECONDS = 20.0
_POLL_SECONDS = 0.01
_FLAGS = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY


def open_record(path: Path, flags: int) -> int:
    """A descriptor of a record; with O_CREAT among `flags` it is made. Raises OSError, also if it is none."""
    if flags & os.O_CREAT:
        descriptor = open_private(path, flags | _FLAGS)
    else:
        descriptor = os.open(path, flags | _FLAGS | os.O_CLOEXEC)
    try:
        found = os.fstat(descriptor)
        written = flags & os.O_ACCMODE != os.O_RDONLY
        if not stat.S_ISREG(found.st_mode) or (written and found.st_nlink > 1):
            raise OSError(0, "is no plain file of copilot's")
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def read_record(path: Path, start: int = 0) -> bytes:
    """What a record holds from this byte on. Raises OSError."""
    with open(open_record(path, os.O_RDONLY), "rb") as file:
        left = os.fstat(file.fileno()).st_size - start
        if left > MOST_BYTES:
            raise OSError(0, "is too large")
        file.seek(start)
        return file.read(max(left, 0))


def check_folder(path: Path) -> None:
    """Raise OSError unless this is a folder, and no link to one."""
    if not stat.S_ISDIR(path.lstat().st_mode):
        raise OSError(0, f"{path.name} is no folder")


@contextlib.contextmanager
def write_lock(folder: Path) -> Iterator[int]:
    """Hold the lock; its descriptor, which a git process keeps open so that the lock lasts until it ends too.

    Raises CheckpointError if another process does not let go of it, or it cannot be made.
    """
    try:
        descriptor = open_record(folder / LOCK_NAME, os.O_RDWR | os.O_CREAT)
    except OSError as error:
        raise CheckpointError(f"{folder}: cannot be written to: {error.strerror or error}") from None
    try:
        _wait(descriptor, folder)
        yield descriptor
    finally:
        os.close(descriptor)


def _wait(descriptor: int, folder: Path) -> None:
    end = time.monotonic() + _WAIT_SECONDS
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > end:
                raise CheckpointError(
                    f"{folder}: another process is writing checkpoints; try again once it is done"
                ) from None
            time.sleep(_POLL_SECONDS)
        except OSError as error:
            raise CheckpointError(f"{folder}: cannot be locked: {error.strerror}") from None
