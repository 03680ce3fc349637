"""What the guard may look up on the disk, each look bounded. Injectable: a test or a replay gives its own."""

from __future__ import annotations

import itertools
import os
import posixpath
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from copilot.plain_files import MIB, read_plain, reason_of

MAX_ENTRIES = 20_000
MAX_BYTES = 4 * MIB
FOLDER, LINK, FILE, OTHER = "folder", "link", "file", "other"


@dataclass(frozen=True, slots=True)
class Entry:
    """A name in a folder. `kind`: folder, link, file or other (device, FIFO, socket)."""

    name: str
    kind: str


def list_folder(path: str) -> tuple[Entry, ...]:
    """The names in a folder; none if it cannot be read. Raises Unread over `MAX_ENTRIES`."""
    try:
        with os.scandir(path) as entries:
            found = tuple(Entry(one.name, _kind(one)) for one in itertools.islice(entries, MAX_ENTRIES + 1))
    except (OSError, ValueError):
        return ()
    if len(found) > MAX_ENTRIES:
        name = posixpath.basename(path)
        raise Unread(f"{name} cannot be looked at: it holds more than {MAX_ENTRIES:,} names")
    return found


def _kind(entry: os.DirEntry[str]) -> str:
    if entry.is_symlink():
        return LINK
    if entry.is_dir(follow_symlinks=False):
        return FOLDER
    return FILE if entry.is_file(follow_symlinks=False) else OTHER


class Unread(Exception):
    """What is there cannot be looked at; the message says what and why. The command is held for it."""


def read_file(path: str) -> bytes | None:
    """The bytes of a plain file of at most `MAX_BYTES`; None if nothing is there. Raises Unread."""
    try:
        return read_plain(path, MAX_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise Unread(f"{posixpath.basename(path)} cannot be looked at: {reason_of(error)}") from None


def size_of(path: str) -> int | None:
    """How many bytes a regular file has; None if there is none."""
    try:
        facts = Path(path).stat()
    except (OSError, ValueError):
        return None
    return facts.st_size if stat.S_ISREG(facts.st_mode) else None


@dataclass(frozen=True, slots=True)
class Disk:
    """The three looks."""

    list_folder: Callable[[str], tuple[Entry, ...]] = list_folder
    read_file: Callable[[str], bytes | None] = read_file
    size_of: Callable[[str], int | None] = size_of


NO_DISK = Disk(lambda path: (), lambda path: None, lambda path: None)
"""Nothing is there: a project that is only made up."""
