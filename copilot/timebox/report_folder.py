"""Where the reports of test runs are: one marked folder per run, and old ones of our own place are removed.

Removed is only what this module made: below our own place in the project, in a folder with our mark in which
its own name stands, that no run holds. The files are removed by their names and then the empty folder, so a
file of anybody else keeps its folder alive. In a `report_dir` that a caller named nothing is ever removed.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import time
from dataclasses import dataclass
from pathlib import Path

from copilot.private_files import FOLDER_MODE, open_private, write_all
from copilot.timebox.inside import inside

OWN_PLACE = ".cache/copilot/reports"
KEPT = 5
RAW_LOG, SUMMARY_MD, SUMMARY_JSON = "raw.log", "summary.md", "summary.json"
MARK = ".copilot-report"
_OURS = (RAW_LOG, SUMMARY_MD, SUMMARY_JSON, MARK)
_MARK_TEXT = "A report of copilot run-test. Copilot removes this folder when it is old: "


@dataclass(slots=True)
class ReportFolder:
    """The folder of one run. It is locked while the run lasts."""

    path: Path
    _lock: int

    @property
    def raw_log(self) -> Path:
        """The log."""
        return self.path / RAW_LOG

    @property
    def summary_md(self) -> Path:
        """The summary for people."""
        return self.path / SUMMARY_MD

    @property
    def summary_json(self) -> Path:
        """The summary for programs."""
        return self.path / SUMMARY_JSON

    def release(self) -> None:
        """The run is over."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def discard(self) -> None:
        """Nothing was run: take the folder away again."""
        self.release()
        _remove(self.path)


def new_report_folder(root: Path, report_dir: str | None, at: float) -> ReportFolder:
    """A new folder below `report_dir` (relative to `root`), or below our own place.

    In our own place old reports are removed, but for the newest. Raises OSError, InputError.
    """
    base = root / inside(report_dir or OWN_PLACE, root, "report_dir")
    base.mkdir(parents=True, exist_ok=True)
    if report_dir is None:
        _keep_out_of_git(base.parent)
    folder = base / f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime(at))}-{secrets.token_hex(4)}"
    folder.mkdir(mode=FOLDER_MODE)
    descriptor = open_private(folder / MARK, os.O_RDWR | os.O_EXCL)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    write_all(descriptor, f"{_MARK_TEXT}{folder.name}\n".encode())
    if report_dir is None:
        remove_old(base)
    return ReportFolder(folder, descriptor)


def remove_old(base: Path, kept: int = KEPT) -> list[Path]:
    """Remove all marked reports below our own place but the `kept` newest and those in use; which ones."""
    removed = []
    with contextlib.suppress(OSError):
        marked = sorted((one for one in base.iterdir() if _is_marked(one)), key=_age)
        for folder in marked[: max(0, len(marked) - kept)]:
            if _remove(folder):
                removed.append(folder)
    return removed


def _is_marked(folder: Path) -> bool:
    """Whether this is a folder that we made, under the name that it has now."""
    if folder.is_symlink() or not folder.is_dir():
        return False
    try:
        descriptor = os.open(folder / MARK, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        text = os.read(descriptor, 1_000).decode("utf-8", "replace")
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return text == f"{_MARK_TEXT}{folder.name}\n"


def _age(folder: Path) -> tuple[float, str]:
    try:
        return (folder / MARK).lstat().st_mtime, folder.name
    except OSError:
        return 0.0, folder.name


def _remove(folder: Path) -> bool:
    """Remove our files of this folder and, if it is empty then, the folder. False if it is in use."""
    try:
        here = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        names = os.listdir(here)  # noqa: PTH208  (of the very folder that was opened)
        if not all(_is_ours(name) for name in names) or not _free(here):
            return False
        for name in sorted(names, key=MARK.__eq__):
            os.unlink(name, dir_fd=here)
        folder.rmdir()
        return True
    except OSError:
        return False
    finally:
        os.close(here)


def _is_ours(name: str) -> bool:
    """Whether we write a file of this name, or one that becomes it (`private_files.replace_atomically`)."""
    return name in _OURS or (name.startswith(".summary.") and name.endswith(".new"))


def _free(folder: int) -> bool:
    """Whether no run holds the mark of this folder."""
    mark = os.open(MARK, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    try:
        fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except OSError:
        return False
    finally:
        os.close(mark)


def _keep_out_of_git(place: Path) -> None:
    """Reports are not for commits; the rule lies in our own place, not in the user's file."""
    with contextlib.suppress(OSError):
        descriptor = open_private(place / ".gitignore", os.O_WRONLY | os.O_EXCL)
        try:
            write_all(descriptor, b"*\n")
        finally:
            os.close(descriptor)
