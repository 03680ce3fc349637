"""Reads one file or link of the project, named below an open folder; follows nothing, waits for nothing."""

from __future__ import annotations

import os
import stat

StatKey = tuple[int, int, int, int, int, int]
"""Mode, size, mtime and ctime (ns), inode, device: equal means unchanged, once the ctime lies in the past."""
_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_TRIES = 3


def stat_key(found: os.stat_result) -> StatKey:
    """What tells one state of a file from the next."""
    return (found.st_mode, found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino, found.st_dev)


def read_link(folder: int, name: str) -> bytes:
    """The target of a link. Raises OSError."""
    return os.fsencode(os.readlink(name, dir_fd=folder))


def read_file(folder: int, name: str, most: int) -> tuple[bytes, os.stat_result, bool]:
    """The content of a regular file, what `fstat` says of it, and whether it stood still while it was read.

    A file that is still being written is tried a few times. Raises OSError, also if it is no regular file
    (any more) or holds over `most` bytes.
    """
    descriptor = os.open(name, _FLAGS, dir_fd=folder)
    try:
        for _ in range(_TRIES):
            before = os.fstat(descriptor)
            if not stat.S_ISREG(before.st_mode):
                raise OSError(0, "is no regular file any more")
            if before.st_size > most:
                raise OSError(0, "is too large")
            data = _read(descriptor, before.st_size, most)
            after = os.fstat(descriptor)
            if stat_key(before) == stat_key(after) and len(data) == after.st_size:
                return data, after, True
        return data, after, False
    finally:
        os.close(descriptor)


def _read(descriptor: int, size: int, most: int) -> bytes:
    """From the beginning to the end, by offsets so that it can be done again."""
    data = os.pread(descriptor, size + 1, 0)
    if len(data) == size:
        return data
    pieces, length = [data], len(data)
    while data and length <= most:
        data = os.pread(descriptor, 1 << 20, length)
        pieces.append(data)
        length += len(data)
    if length > most:
        raise OSError(0, "is too large")
    return b"".join(pieces)
