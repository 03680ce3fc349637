"""Projects to keep and what is truly in them, read with plain `os.walk`: the measure of what a checkpoint gives back."""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path

ODD_NAMES = ("line\nbreak", 'quo"te', "%begin", ".gitignore", ".gitattributes", "git~1", b"by\xffte".decode("utf-8", "surrogateescape"), "sp ace", "\\octal\\101")  # fmt: skip
FILE_MODES = (0o644, 0o755, 0o600, 0o444, 0o640, 0o4755, 0o2750)
FOLDER_MODES = (0o755, 0o700, 0o555, 0o1777, 0o750)


@dataclass(frozen=True)
class Thing:
    """What is at a path: `kind` is file, link, folder or other; `data` the content or the link's target."""

    kind: str
    mode: int
    data: bytes = b""
    same: tuple[str, ...] = ()


def things(project: Path) -> dict[str, Thing]:
    """Everything in a project but git's own folder of the root; a folder's path ends in no `/`."""
    found: dict[str, Thing] = {}
    inodes: dict[int, list[str]] = {}
    for folder, folders, files in os.walk(project):
        if Path(folder) == project:
            folders[:] = [name for name in folders if name != ".git"]
        for name in [*folders, *files]:
            path = Path(folder) / name
            key = os.fspath(path.relative_to(project))
            found[key] = _thing(path)
            at = path.lstat()
            if found[key].kind == "file" and at.st_nlink > 1:
                inodes.setdefault(at.st_ino, []).append(key)
    for paths in inodes.values():
        for key in paths if len(paths) > 1 else ():
            thing = found[key]
            found[key] = Thing(thing.kind, thing.mode, thing.data, tuple(sorted(paths)))
    return found


def _thing(path: Path) -> Thing:
    at = path.lstat()
    mode = stat.S_IMODE(at.st_mode)
    if stat.S_ISLNK(at.st_mode):
        return Thing("link", 0, os.fsencode(path.readlink()))
    if stat.S_ISDIR(at.st_mode):
        return Thing("folder", mode)
    return Thing("file", mode, path.read_bytes()) if stat.S_ISREG(at.st_mode) else Thing("other", mode)


def fingerprint(folder: Path) -> str:
    """Of every name, byte, mode and time below a folder."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        at = path.lstat()
        digest.update(repr((str(path), at.st_mode, at.st_mtime_ns, at.st_ino)).encode())
        if stat.S_ISREG(at.st_mode):
            digest.update(path.read_bytes())
    return digest.hexdigest()


class Hand:
    """Changes a project at random. What it writes carries `name` and a number, so that it can be found again."""

    def __init__(self, project: Path, name: str, chance: random.Random, huge: int) -> None:
        self._project = project
        self._name = name
        self._chance = chance
        self._huge = huge
        self._count = 0

    def act(self, times: int) -> None:
        """So many changes; one that is impossible here does nothing."""
        for _ in range(times):
            change = self._chance.choice(_CHANGES)
            try:
                change(self)
            except OSError:
                continue

    def token(self) -> str:
        self._count += 1
        return f"{self._name}-{self._count:04d}-{self._chance.randrange(1 << 32):08x}"

    def write(self) -> None:
        self._new().write_text(
            "".join(f"{number} {self.token()}\n" for number in range(self._chance.randrange(40)))
        )

    def write_binary(self) -> None:
        self._new().write_bytes(b"\0\xff" + self.token().encode() + self._chance.randbytes(300))

    def write_huge(self) -> None:
        with self._new().open("wb") as file:
            file.truncate(self._huge)

    def edit(self) -> None:
        path = self._old("file")
        if path.stat().st_size >= self._huge:
            return
        lines = path.read_bytes().splitlines(keepends=True)
        at = self._chance.randrange(len(lines) + 1)
        lines[at : at + self._chance.randrange(2)] = [self.token().encode() + b"\n"]
        path.write_bytes(b"".join(lines))

    def grow(self) -> None:
        with self._old("file").open("ab") as file:
            file.write(f"{self.token()}\n".encode())

    def remove(self) -> None:
        self._old("file", "link").unlink()

    def remove_folder(self) -> None:
        shutil.rmtree(self._old("folder"))

    def rename(self) -> None:
        self._old("file", "link", "folder").rename(self._new())

    def replace_by_rename(self) -> None:
        path = self._old("file")
        beside = path.with_name("beside.tmp")
        beside.write_bytes(path.read_bytes() + f"{self.token()}\n".encode())
        beside.replace(path)

    def link(self) -> None:
        target = self._chance.choice(("/etc/passwd", "..", "nowhere", "src/a.py"))
        self._new().symlink_to(f"{target}/{self.token()}" if self._chance.random() < 0.5 else target)

    def hard_link(self) -> None:
        self._new().hardlink_to(self._old("file"))

    def make_folder(self) -> None:
        self._new().mkdir()

    def set_mode(self) -> None:
        self._old("file").chmod(self._chance.choice(FILE_MODES))

    def set_folder_mode(self) -> None:
        self._old("folder").chmod(self._chance.choice(FOLDER_MODES))

    def file_to_folder(self) -> None:
        path = self._old("file", "link")
        path.unlink()
        path.mkdir()
        (path / "inside").write_text(f"{self.token()}\n")

    def folder_to_file(self) -> None:
        path = self._old("folder")
        shutil.rmtree(path)
        path.write_text(f"{self.token()}\n")

    def _new(self) -> Path:
        folders = [
            self._project,
            *(self._project / path for path, thing in self._all() if thing.kind == "folder"),
        ]
        names = (*ODD_NAMES, *(f"file{number}" for number in range(12)), "a.py", "src")
        return self._chance.choice(folders) / self._chance.choice(names)

    def _old(self, *kinds: str) -> Path:
        paths = [path for path, thing in self._all() if thing.kind in kinds]
        if not paths:
            raise FileNotFoundError
        return self._project / self._chance.choice(paths)

    def _all(self) -> list[tuple[str, Thing]]:
        return sorted(things(self._project).items())


_CHANGES = (
    *[Hand.write] * 4,
    *[Hand.edit] * 8,
    *[Hand.grow] * 2,
    *[Hand.remove] * 2,
    Hand.write_binary,
    Hand.write_huge,
    Hand.remove_folder,
    *[Hand.rename] * 2,
    Hand.replace_by_rename,
    Hand.link,
    Hand.hard_link,
    Hand.make_folder,
    *[Hand.set_mode] * 2,
    Hand.set_folder_mode,
    Hand.file_to_folder,
    Hand.folder_to_file,
)


def make_project(folder: Path, chance: random.Random) -> Path:
    """A small project with some of everything."""
    (folder / "src/deep/er").mkdir(parents=True)
    (folder / "docs").mkdir()
    for number in range(6):
        place = folder / chance.choice(("src", "src/deep", "docs", "."))
        (place / f"file{number}").write_text(
            "".join(f"line {line}\n" for line in range(chance.randrange(60)))
        )
    (folder / "src/a.py").write_text("import os\n")
    (folder / "blob").write_bytes(bytes(range(256)))
    return folder
