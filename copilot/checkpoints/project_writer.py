"""Changes paths of the project: below open folders, never through a link, each file in one rename.

Before a path is changed it is read again: if it is not what the plan saw, nothing is done to it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from copilot.checkpoints.entries import ROOT, Entry, Kind, blob_id, is_project_path
from copilot.checkpoints.journal import OPENED, temporary_name
from copilot.checkpoints.reading import read_file, read_link, stat_key
from copilot.checkpoints.scan import FOLDER_FLAGS
from copilot.private_files import write_all

_MODE_BITS = 0o7777


class ChangedMeanwhile(Exception):
    """Somebody else changed the path since the plan was made."""


@contextlib.contextmanager
def open_folder(root: int, path: str) -> Iterator[int]:
    """A descriptor of a folder of the project; each part is opened below the one before. Raises OSError."""
    descriptor = os.dup(root)
    try:
        for part in path.split("/") if path else ():
            below = os.open(part, FOLDER_FLAGS, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = below
        yield descriptor
    finally:
        os.close(descriptor)


def remove_left(root: int, token: str, paths: Iterable[str]) -> None:
    """Remove the temporary file that a killed undo may have left beside one of these paths."""
    for folder in sorted({path.rpartition("/")[0] for path in paths}):
        with contextlib.suppress(OSError), open_folder(root, folder) as descriptor:
            os.unlink(temporary_name(token), dir_fd=descriptor)


class ProjectWriter:
    """All methods raise ChangedMeanwhile, or OSError, and have then left the path as it was."""

    def __init__(self, root: int, token: str, content: Callable[[str], bytes], most: int) -> None:
        """`most` bytes hold each covered file; a larger one is not what the plan saw."""
        self._root = root
        self._temporary = temporary_name(token)
        self._content = content
        self._most = most

    def put(self, path: str, expected: Entry | None, entry: Entry) -> None:
        """Put a file or link in the place of what is expected there."""
        with self._beside(path) as (folder, name):
            self._write_temporary(folder, entry)
            self._take_place(folder, name, expected)

    def link(self, source: str, path: str, expected: Entry | None) -> None:
        """Make the path the same file as another one (a hard link)."""
        with self._beside(path) as (folder, name), self._beside(source) as (other, other_name):
            os.link(other_name, self._temporary, src_dir_fd=other, dst_dir_fd=folder, follow_symlinks=False)
            self._take_place(folder, name, expected)

    def remove(self, path: str, expected: Entry) -> None:
        """Remove a file, a link or an empty folder."""
        with self._beside(path) as (folder, name):
            if expected.kind is Kind.FOLDER:
                os.rmdir(name, dir_fd=folder)
                return
            _check(folder, name, expected, self._most)
            os.unlink(name, dir_fd=folder)

    def make_folder(self, path: str) -> None:
        """Make a folder that only its owner may enter, until `set_mode`."""
        with self._beside(path) as (folder, name):
            os.mkdir(name, OPENED, dir_fd=folder)

    def set_mode(self, path: str, mode: int) -> None:
        """Set a folder's permission bits."""
        if path == ROOT:
            os.fchmod(self._root, mode)
            return
        with self._beside(path) as (folder, name):
            found = os.stat(name, dir_fd=folder, follow_symlinks=False)
            if not stat.S_ISDIR(found.st_mode):
                raise ChangedMeanwhile
            if found.st_mode & _MODE_BITS != mode:
                _set_folder_mode(folder, name, mode)

    def holds(self, path: str, entry: Entry | None) -> bool:
        """Whether this is at the path; of a folder only that it is one."""
        try:
            with self._beside(path) as (folder, name):
                if entry is not None and entry.kind is Kind.FOLDER:
                    return stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
                _check(folder, name, entry, self._most)
        except (FileNotFoundError, NotADirectoryError):
            return entry is None  # its folder is not there either
        except (OSError, ChangedMeanwhile):
            return False
        return True

    @contextlib.contextmanager
    def _beside(self, path: str) -> Iterator[tuple[int, str]]:
        if not is_project_path(path):
            raise OSError(0, "lies outside the project")
        parent, _, name = path.rpartition("/")
        with open_folder(self._root, parent) as folder:
            yield folder, name

    def _write_temporary(self, folder: int, entry: Entry) -> None:
        data = self._content(entry.blob)
        if entry.kind is Kind.LINK:
            os.symlink(os.fsdecode(data), self._temporary, dir_fd=folder)
            return
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(self._temporary, flags, 0o600, dir_fd=folder)
        try:
            write_all(descriptor, data)
            os.fchmod(descriptor, entry.mode)
            os.fsync(descriptor)
        except BaseException:
            self._drop(folder)
            raise
        finally:
            os.close(descriptor)

    def _take_place(self, folder: int, name: str, expected: Entry | None) -> None:
        try:
            _check(folder, name, expected, self._most)
            if expected is not None or not self._take_free_place(folder, name):
                os.replace(self._temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            self._drop(folder)
            raise
        # A rename between two names of one file does nothing (POSIX rename) and leaves the first.
        self._drop(folder)

    def _take_free_place(self, folder: int, name: str) -> bool:
        """Without replacing what somebody makes there meanwhile; False where a file cannot have two names."""
        try:
            os.link(self._temporary, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
        except FileExistsError:
            raise ChangedMeanwhile from None
        except OSError:
            return False
        return True

    def _drop(self, folder: int) -> None:
        with contextlib.suppress(OSError):
            os.unlink(self._temporary, dir_fd=folder)


def _check(folder: int, name: str, expected: Entry | None, most: int) -> None:
    """Raise ChangedMeanwhile unless this is what is there; None expects nothing."""
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        if expected is None:
            return
        raise ChangedMeanwhile from None
    if expected is None:
        raise ChangedMeanwhile
    if stat.S_ISLNK(found.st_mode):
        same = expected.kind is Kind.LINK and blob_id(read_link(folder, name)) == expected.blob
    elif stat.S_ISREG(found.st_mode) and expected.kind is Kind.FILE:
        same = _is_file(folder, name, expected, found.st_size, most)
    else:
        same = False
    if not same:
        raise ChangedMeanwhile


def _is_file(folder: int, name: str, expected: Entry, size: int, most: int) -> bool:
    if size > most:
        return False
    data, at, stood_still = read_file(folder, name, most)
    same = (at.st_mode & _MODE_BITS, blob_id(data)) == (expected.mode, expected.blob)
    # To read it takes a while, in which it may be written, or another take its name.
    return (
        same and stood_still and stat_key(os.stat(name, dir_fd=folder, follow_symlinks=False)) == stat_key(at)
    )


def _set_folder_mode(folder: int, name: str, mode: int) -> None:
    """Also of a folder that cannot be opened; never of what a link leads to."""
    path_only = getattr(os, "O_PATH", 0)
    if not path_only:
        os.chmod(name, mode, dir_fd=folder, follow_symlinks=False)
        return
    flags = path_only | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(name, flags, dir_fd=folder)
    try:
        Path(f"/proc/self/fd/{descriptor}").chmod(mode)
    finally:
        os.close(descriptor)


def words(error: OSError) -> str:
    """Why a path could not be changed."""
    if error.errno in (errno.ENOTDIR, errno.ELOOP):
        return "its folder is something else now"
    if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
        return "something else is in its place, or in the folder"
    return error.strerror or "cannot be changed"
