"""Looks of the judge at the disk, as recorded inputs.

`KeptLooks` is between a judge and the disk and keeps what is seen; `RecordedLooks` gives it back in the place
of the disk. What was not recorded raises `NotRecorded`, which holds the command: a replay never looks at the
disk of today.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from copilot.core.events import DiskLooked, Look
from copilot.guard.disk import FILE, FOLDER, LINK, OTHER, Disk, Entry, Unread
from copilot.guard.index import parse_index
from copilot.guard.scope import ProjectScope, spellings

MOST_CHARACTERS = 100_000
"""Of one `DiskLooked`: what a run keeps is redacted, and so many take up to half a second."""
_KINDS = {"d": FOLDER, "l": LINK, "f": FILE, "o": OTHER}
_LETTERS = {kind: letter for letter, kind in _KINDS.items()}
Answer = str | int | bool | None
Key = tuple[str, str]
"""Question and path."""
Seen = TypeVar("Seen")
_SUBMODULE, _PLAIN = 0o160000, 0o100644
RESOLVE, IS_FILE, FILES_BELOW, LIST, READ, SIZE = (
    "resolve",
    "is_file",
    "files_below",
    "list_folder",
    "read_file",
    "size_of",
)
_INDEX = "\0git index\n"
"""Before the names of an index of git: all that is kept of it. A submodule has a slash behind it."""


class KeptLooks:
    """What a judge saw since `begin`, and which of it is new to the run."""

    def __init__(self) -> None:
        self._cwd = self._home = ""
        self._number = 0
        self._seen: dict[Key, object] = {}
        self._known: dict[Key, int] = {}
        """Hashes of the recorded looks."""

    def begin(self) -> None:
        """The looks for another event begin."""
        self._seen = {}

    def over(self, scope: ProjectScope) -> ProjectScope:
        """The same scope, of which every answer is kept."""
        self._cwd, self._home = scope.cwd, scope.home
        disk = scope.disk

        return replace(
            scope,
            resolve=self._kept(RESOLVE, scope.resolve),
            is_file=self._kept(IS_FILE, scope.is_file),
            files_below=self._kept(FILES_BELOW, scope.files_below),
            disk=Disk(
                self._kept(LIST, disk.list_folder),
                self._kept(READ, disk.read_file),
                self._kept(SIZE, disk.size_of),
            ),
        )

    def _kept(self, question: str, look: Callable[[str], Seen]) -> Callable[[str], Seen]:
        def kept(path: str) -> Seen:
            try:
                answer = look(path)
            except Unread as problem:
                self._seen[question, path] = problem
                raise
            self._seen[question, path] = answer
            return answer

        return kept

    def news(self, at: float) -> DiskLooked | None:
        """What was seen since `begin`, as far as the run has not seen it alike; None if it has all of it."""
        looks, left_out = _bounded([_look(key, seen) for key, seen in self._seen.items()])
        if left_out:
            if self._known.get(_LEFT_OUT) == hash((looks, left_out)):
                return None
            self._known = {_LEFT_OUT: hash((looks, left_out))}
        new = tuple(look for look in looks if self._known.get(_key(look)) != hash(look))
        if not new and not left_out:
            return None
        self._known.update((_key(look), hash(look)) for look in new if not left_out)
        self._number += 1
        return DiskLooked(
            at=at, number=self._number, cwd=self._cwd, home=self._home, looks=new, left_out=left_out
        )


_LEFT_OUT = ("", "")


def _key(look: Look) -> Key:
    return look.question, look.path


def _look(key: Key, seen: object) -> Look | None:
    """What is kept of an answer; None if it is no text."""
    question, path = key
    try:
        answer = None if isinstance(seen, Unread) else _written(seen)
        for text in (path, answer if isinstance(answer, str) else ""):
            text.encode()
    except ValueError:
        return None
    return Look(question, path, answer, str(seen) if isinstance(seen, Unread) else "")


def _written(seen: object) -> Answer:
    """An answer as it is recorded. Raises ValueError for what is no text."""
    match seen:
        case bytes():
            return _INDEX + _names_in(seen) if seen[:4] == b"DIRC" else seen.decode()
        case tuple():
            names = [one if isinstance(one, str) else f"{_LETTERS[one.kind]} {one.name}" for one in seen]
            if any("\n" in name for name in names):
                raise ValueError
            return "\n".join(names)
        case None | bool() | int() | str():
            return seen
    raise TypeError(f"no record for {type(seen).__name__}")


def _names_in(data: bytes) -> str:
    """What an index of git names. Raises ValueError where that is not certain."""
    index = parse_index(data)
    if not index.certain or index.shared or any(b"\n" in name for name in index.names):
        raise ValueError
    inner = set(index.submodules)
    return "\n".join(name.decode() + ("/" if name in inner else "") for name in index.names)


def _index_of(text: str) -> bytes:
    """An index of version 2 that names the same."""
    names = _lines(text.removeprefix(_INDEX)) or ()
    found = [b"DIRC", (2).to_bytes(4), len(names).to_bytes(4)]
    for name in names:
        mode = _SUBMODULE if name.endswith("/") else _PLAIN
        path = name.rstrip("/").encode()
        entry = bytes(24) + mode.to_bytes(4) + bytes(32) + min(len(path), 0xFFF).to_bytes(2) + path
        found.append(entry + bytes(8 - len(entry) % 8))
    return b"".join(found) + bytes(20)


def _bounded(looks: Sequence[Look | None]) -> tuple[tuple[Look, ...], int]:
    """Those that are kept, and how many are not."""
    kept: list[Look] = []
    room = MOST_CHARACTERS
    for look in looks:
        size = len(look.path) + len(str(look.answer)) if look is not None else room + 1
        if look is not None and size <= room:
            kept.append(look)
            room -= size
    return tuple(kept), len(looks) - len(kept)


class NotRecorded(Unread):
    """A look that the run has not recorded."""


class RecordedLooks:
    """What a run saw, in the place of the disk. Set the moment with `begin` before each judging."""

    def __init__(self, looked: Sequence[DiskLooked], cwd: str, home: str, slack: float = 0.0) -> None:
        """`looked` in order; `cwd` and `home` count where none is. `slack`: how late a record may be."""
        self.looked = looked
        self._cwd, self._home = (looked[0].cwd, looked[0].home) if looked else (cwd, home)
        self._slack = slack
        self._taken = 0
        self._at = 0.0
        self._answers: dict[Key, Look] = {}
        self.missing: list[str] = []
        """Looks since `begin` that are not recorded."""

    def begin(self, at: float) -> None:
        """What the run had seen up to a moment counts from now on."""
        self.missing.clear()
        if at < self._at:
            self._answers, self._taken = {}, 0
        self._at = at
        while self._taken < len(self.looked) and self.looked[self._taken].at <= at + self._slack:
            looked = self.looked[self._taken]
            if looked.left_out:
                self._answers = {}
            self._answers.update((_key(look), look) for look in looked.looks)
            self._taken += 1

    @property
    def folders(self) -> tuple[str, ...]:
        """The spellings of the project's folder, by all recorded looks."""
        asked = (RESOLVE, self._cwd)
        roots = {str(look.answer) for one in self.looked for look in one.looks if _key(look) == asked}
        return spellings({self._cwd, *roots} - {""}, self._home)

    def scope(self, made: frozenset[str] = frozenset()) -> ProjectScope:
        """The project as the run saw it; `made` are the files that the run itself made."""
        return ProjectScope(
            self._cwd,
            self._home,
            resolve=lambda path: str(self.answer(RESOLVE, path)),
            is_file=lambda path: bool(self.answer(IS_FILE, path)),
            files_below=lambda path: _lines(self.answer(FILES_BELOW, path)),
            made=made,
            disk=Disk(self._list_folder, self._read_file, self._size_of),
        )

    def answer(self, question: str, path: str) -> Answer:
        """The answer on record. Raises Unread where the run could not look, NotRecorded where it did not."""
        look = self._answers.get((question, path))
        if look is None:
            shown = posixpath.basename(path) or path
            self.missing.append(f"{question} {shown}")
            raise NotRecorded(f"{shown}: the run did not record what is there")
        if look.unread:
            raise Unread(look.unread)
        return look.answer

    def _list_folder(self, path: str) -> tuple[Entry, ...]:
        lines = _lines(self.answer(LIST, path)) or ()
        return tuple(Entry(line[2:], _KINDS.get(line[:1], OTHER)) for line in lines)

    def _read_file(self, path: str) -> bytes | None:
        text = self.answer(READ, path)
        if text is None:
            return None
        return _index_of(str(text)) if str(text).startswith(_INDEX) else str(text).encode()

    def _size_of(self, path: str) -> int | None:
        size = self.answer(SIZE, path)
        return int(size) if size is not None else None


def _lines(answer: Answer) -> tuple[str, ...] | None:
    if answer is None:
        return None
    return tuple(str(answer).split("\n")) if answer else ()
