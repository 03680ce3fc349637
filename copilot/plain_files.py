"""The one way to read a file that somebody else may have written: plain, bounded, and never waiting.

Under a name that copilot reads, a project, a run folder or a command line may have a pipe that no one writes
to, a link to a device that never ends, or gigabytes of nothing. So each file is looked at before it is
opened (opening a device may have effects), opened so that nothing blocks, looked at again (it may have been
swapped), and read up to the limit of its kind.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from copilot.errors import InputError

KIB = 1024
MIB = 1024 * KIB
_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_CHUNK = 64 * KIB
_TRIES = 3
_MOST_SECRETS = 256 * KIB
"""Some thousand values, each of which is looked for in every text."""
_KINDS = {
    stat.S_IFDIR: "folder",
    stat.S_IFIFO: "named pipe",
    stat.S_IFSOCK: "socket",
    stat.S_IFBLK: "device",
    stat.S_IFCHR: "device",
    stat.S_IFLNK: "link",
}


class NotRead(OSError):
    """Nothing is read of what is there: `strerror` says why, `fix` what to do."""

    def __init__(self, why: str, fix: str) -> None:
        super().__init__(0, why)
        self.fix = fix


class MissingFile(InputError):
    """There is no file of that name."""


def open_plain(path: str | Path, *, follow: bool = True) -> int:
    """A descriptor of a plain file, to be closed by the caller; without `follow` of no link.

    Raises OSError.
    """
    try:
        _check(Path(path).stat(follow_symlinks=follow))
        descriptor = os.open(path, _FLAGS | (0 if follow else os.O_NOFOLLOW))
    except ValueError:
        raise NotRead("its name holds a NUL character", "correct the name") from None
    try:
        _check(os.fstat(descriptor))
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _check(found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        kind = _KINDS.get(stat.S_IFMT(found.st_mode), "special file")
        raise NotRead(f"it is a {kind}", "put a plain file there")


def read_plain(path: str | Path, most: int, *, follow: bool = True) -> bytes:
    """What a plain file of at most so many bytes holds now. Raises OSError."""
    descriptor = open_plain(path, follow=follow)
    try:
        return _read_whole(descriptor, most)
    finally:
        os.close(descriptor)


def read_start(path: str | Path, most: int) -> bytes:
    """The first bytes of a plain file, however large it is. Raises OSError."""
    descriptor = open_plain(path)
    try:
        return _read(descriptor, most)
    finally:
        os.close(descriptor)


def read_text(path: str | Path, most: int) -> str:
    """The text of a UTF-8 file of at most so many bytes, with plain newlines and without a byte order mark.

    A file that is being written is tried a few times. Raises InputError: one line with the file, the line and
    the fix (MissingFile if there is none).
    """
    try:
        return text_of(_read_settled(path, most), str(path))
    except OSError as error:
        raise not_read(path, error) from None


def text_of(data: bytes, name: str) -> str:
    """The same of bytes that are read already."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{name}, line {_line(data, error.start)}: is not UTF-8 text; save it as UTF-8"
        ) from None
    if "\0" in text:
        raise InputError(f"{name}, line {_line(data, data.index(0))}: holds a NUL character; take it out")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def secrets_in(path: Path) -> str:
    """The text of a file of secrets, empty without one. Raises InputError where secrets would stay unknown.

    A folder of that name is none (virtual environments are called `.env`), and what the user may not read
    no program of theirs shows.
    """
    try:
        return read_plain(path, _MOST_SECRETS).decode("utf-8", "replace")
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return ""
    except OSError as error:
        if is_folder(path):
            return ""
        raise InputError(f"{not_read(path, error)}, since its secrets would not be known") from None


def is_folder(path: str | Path) -> bool:
    """Whether a folder is there; False for what cannot be looked at (`Path.is_dir` raises for some)."""
    return os.path.isdir(path)  # noqa: PTH112


def is_file(path: str | Path) -> bool:
    """Whether a plain file is there; False for what cannot be looked at, as above."""
    return os.path.isfile(path)  # noqa: PTH113


def real_path(path: str | Path) -> Path:
    """The path without links; links in a circle stay as they are (`Path.resolve` raises for those)."""
    return Path(os.path.realpath(path))


def not_read(path: str | Path, error: OSError) -> InputError:
    """The error for a person where a file cannot be read."""
    if isinstance(error, FileNotFoundError):
        return MissingFile(f"{path}: no such file; correct the path")
    fix = "mend or remove it"
    if isinstance(error, NotRead):
        fix = error.fix
    elif isinstance(error, PermissionError):
        fix = "make it readable"
    return InputError(f"{path}: cannot be read: {reason_of(error)}; {fix}")


def reason_of(error: OSError) -> str:
    """Why a file cannot be read, in lower case, without its name."""
    said = error.strerror or type(error).__name__
    return f"{said[:1].lower()}{said[1:]}"


def said_size(count: int) -> str:
    """`256 KiB`, `16 MiB`."""
    return f"{count // MIB} MiB" if count >= MIB else f"{count // KIB} KiB"


def _read_settled(path: str | Path, most: int) -> bytes:
    """What is read while no one writes: half a rule file may be a valid one. Raises OSError."""
    descriptor = open_plain(path)
    try:
        for _ in range(_TRIES):
            before = os.fstat(descriptor)
            os.lseek(descriptor, 0, os.SEEK_SET)
            data = _read_whole(descriptor, most)
            after = os.fstat(descriptor)
            if (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns):
                return data
    finally:
        os.close(descriptor)
    raise NotRead("it changes while it is read", "try again once no one writes it")


def _read_whole(descriptor: int, most: int) -> bytes:
    # What says that it is too large is not read; what grows meanwhile, or lies about its size, is cut off.
    data = _read(descriptor, most + 1) if os.fstat(descriptor).st_size <= most else None
    if data is None or len(data) > most:
        raise NotRead(f"it is larger than {said_size(most)}", "shorten it")
    return data


def _read(descriptor: int, most: int) -> bytes:
    """One call for what is there, so that it is in memory once, and then for what came meanwhile."""
    pieces: list[bytes] = []
    chunk = max(_CHUNK, os.fstat(descriptor).st_size + 1)
    while most > 0 and (piece := os.read(descriptor, min(most, chunk))):
        pieces.append(piece)
        most -= len(piece)
        chunk = _CHUNK
    return b"".join(pieces)


def _line(data: bytes, place: int) -> int:
    return data.count(b"\n", 0, place) + 1
