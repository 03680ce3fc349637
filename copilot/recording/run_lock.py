"""One writer per run folder. The kernel lets go of the lock however its owner dies."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from copilot.errors import InputError
from copilot.private_files import open_private
from copilot.recording.entries import LOCK_NAME


class RunLock:
    """Held from its making until `release`. Raises InputError if another writer has it, OSError otherwise."""

    def __init__(self, folder: Path) -> None:
        self._descriptor = open_private(folder / LOCK_NAME, os.O_RDWR)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.pread(self._descriptor, 20, 0).decode("ascii", "replace").strip()
            os.close(self._descriptor)
            by = f"process {owner}" if owner.isdecimal() else "another process"
            raise InputError(
                f"{folder}: is being written by {by}; end it first, or give another --log"
            ) from None
        except OSError:
            os.close(self._descriptor)
            raise
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Let others write."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def is_locked(folder: Path) -> bool:
    """Whether somebody writes this run at the moment. False if that cannot be found out."""
    try:
        descriptor = os.open(folder / LOCK_NAME, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return False
