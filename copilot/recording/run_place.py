"""Where runs are kept, and the making of a new run's folder."""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from copilot.errors import InputError
from copilot.plain_files import open_plain
from copilot.private_files import FOLDER_MODE, open_private
from copilot.recording.artifacts import LOCK_NAME, MANIFEST_NAME
from copilot.resources import state_folder


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
    """Whether a process is writing this run. False if that cannot be found out."""
    try:
        descriptor = open_plain(folder / LOCK_NAME)
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


LAST = "last"
"""What the newest run is called where a run is to be named."""
_MOST_NAMED = 5


def runs_folder(environment: Mapping[str, str]) -> Path:
    """`$XDG_STATE_HOME/copilot/runs`."""
    return state_folder(environment) / "runs"


def given_run(given: Path, environment: Mapping[str, str]) -> Path:
    """What a person gave for a run: a path, or the name of a run in the folder of runs.

    That one is given by its id, by the beginning of it, or as `last`, the newest. Raises InputError if
    several begin so.
    """
    if len(given.parts) != 1 or os.path.lexists(given):
        return given
    place, name = runs_folder(environment), str(given)
    if os.path.lexists(place / name):
        return place / name
    kept = _kept_runs(place)
    if name == LAST:
        if not kept:
            raise InputError(f"{LAST}: there is no run in {place} yet; a session records itself there")
        return place / kept[-1]
    meant = [one for one in kept if one.startswith(name)]
    if len(meant) > 1:
        few = [*reversed(meant[-_MOST_NAMED:]), *(["…"] if len(meant) > _MOST_NAMED else [])]
        raise InputError(f"{name}: {len(meant)} runs begin so, write more of it: {', '.join(few)}")
    return place / meant[0] if meant else given


def _kept_runs(place: Path) -> list[str]:
    """The ids of the runs kept there, oldest first, as ids begin with the time."""
    try:
        return sorted(path.name for path in place.iterdir() if os.path.lexists(path / MANIFEST_NAME))
    except OSError:
        return []


def new_run_id(profile: str) -> str:
    """`<utc time>-<profile>-<4 hex>`: sorts by time, and two runs of one second do not meet."""
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    word = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in profile)[:40]
    return f"{moment}-{word or 'run'}-{secrets.token_hex(2)}"


def default_run_folder(profile: str, environment: Mapping[str, str]) -> Path:
    """A path for a new run in the place where runs are kept; nothing is made."""
    return runs_folder(environment) / new_run_id(profile)


def make_run_folder(folder: Path) -> None:
    """Make the folder of a new run, readable by the user only. It may exist if it is empty.

    Raises InputError with the way out.
    """
    try:
        for parent in reversed(folder.parents):
            if not parent.exists():
                parent.mkdir(mode=FOLDER_MODE, exist_ok=True)
        folder.mkdir(mode=FOLDER_MODE, exist_ok=True)
        if any(folder.iterdir()):
            raise InputError(f"{folder}: is not empty; give --log a new or an empty folder")
        with contextlib.suppress(PermissionError):
            folder.chmod(FOLDER_MODE)
    except (FileExistsError, NotADirectoryError):
        raise InputError(f"{folder}: a file is in the way; give --log a new or an empty folder") from None
    except OSError as error:
        raise unwritable(folder, error) from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"{folder}: cannot be written to; give --log a folder that you own")


def unwritable(folder: Path, error: OSError) -> InputError:
    """The error for a place where a run cannot be recorded."""
    return InputError(f"{folder}: cannot be written to: {error.strerror}; give another folder with --log")
