"""Who writes: the live session, or `copilot undo` beside it. Held for one checkpoint or undo at a time."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

from copilot.checkpoints.checkpoint import CheckpointError
from copilot.checkpoints.records import open_record

LOCK_NAME = "lock"
_WAIT_SECONDS = 20.0
_POLL_SECONDS = 0.01


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
