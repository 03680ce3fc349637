"""`Workspace`: the folder of one trial. It is made by us, marked as ours, and only so is it ever removed."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import re
import secrets
import shutil
import stat
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from copilot.errors import CopilotError
from copilot.plain_files import MIB, NotRead, open_plain, read_start

_IGNORED = frozenset({".git", "__pycache__"})


@dataclass(frozen=True, slots=True)
class FileChanges:
    """Paths relative to the folder, sorted."""

    created: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.created or self.changed or self.deleted)

    def lines(self) -> list[str]:
        changes = {"created": self.created, "changed": self.changed, "deleted": self.deleted}
        return [f"{word} {path}" for word, paths in changes.items() for path in paths]


NO_CHANGES = FileChanges()


def picture(folder: Path, ignored: Collection[str] = _IGNORED) -> dict[str, str]:
    """A digest for each file below `folder`, by its relative path; folders of these names are left out."""
    return {name: file_digest(path) for name, path in files_below(folder, ignored)}


def files_below(folder: Path, ignored: Collection[str] = _IGNORED) -> Iterator[tuple[str, Path]]:
    """Each file with its relative path; folders of the `ignored` names are left out."""
    for above, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if one not in ignored)
        for name in sorted(names):
            path = Path(above) / name
            yield str(path.relative_to(folder)), path


def difference(before: dict[str, str], after: dict[str, str]) -> FileChanges:
    return FileChanges(
        created=tuple(sorted(after.keys() - before.keys())),
        changed=tuple(sorted(path for path in before.keys() & after.keys() if before[path] != after[path])),
        deleted=tuple(sorted(before.keys() - after.keys())),
    )


def file_digest(path: Path) -> str:
    if path.is_symlink():
        return f"link to {path.readlink()}"
    found, most = hashlib.blake2b(digest_size=16), path.lstat().st_size
    try:
        with os.fdopen(open_plain(path, follow=False), "rb") as file:
            while most > 0 and (piece := file.read(min(most, MIB))):
                found.update(piece)
                most -= len(piece)
    except NotRead:
        return "no regular file"
    return found.hexdigest()


MARKER = ".copilot-trial"
_MOST_MARKED = 1_000
_LONGEST_NAME = 40
_log = logging.getLogger("copilot.lab")


class NoWorkspace(CopilotError):
    """The folder of a trial could not be made; a suite tries again."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """A trial's folder below `root`. The mark in it holds `token`, so that no other folder passes for it."""

    root: Path
    path: Path
    token: str

    @property
    def project(self) -> Path:
        return self.path / "project"

    @property
    def outside(self) -> Path:
        """A folder that no task needs: what changes there has left the project."""
        return self.path / "outside"

    @classmethod
    def make(
        cls, tool: str, name: str, root: Path | None = None, now: Callable[[], datetime] | None = None
    ) -> Workspace:
        """A new folder below `root` (default: one for all trials of this user). Raises NoWorkspace."""
        above = default_root() if root is None else root
        moment = (now() if now is not None else datetime.now(UTC)).strftime("%Y%m%dT%H%M%S")
        token = secrets.token_hex(4)
        path = above / f"{safe_name(tool)}_{safe_name(name)}_{moment}_{token}"
        try:
            above.mkdir(parents=True, exist_ok=True)
            path.mkdir(mode=0o700)
            (path / MARKER).write_text(token, encoding="utf-8")
            made = cls(above.resolve(), path.resolve(), token)
            made.project.mkdir()
            made.outside.mkdir()
        except OSError as error:
            why = f"the trial's folder cannot be made: {error.strerror}"
            raise NoWorkspace(f"{path}: {why}") from None
        _log.debug("made %s", made.path)
        return made

    def remove(self) -> str:
        """Delete the folder if it is really ours; why it is still there, or nothing."""
        if not self.path.exists():
            return ""
        if why := self._not_ours() or self._deleted():
            _log.warning("%s was left: %s", self.path, why)
        else:
            _log.debug("removed %s", self.path)
        return why

    def _deleted(self) -> str:
        shutil.rmtree(self.path, onerror=_unlock)
        if self.root == default_root().resolve():
            with contextlib.suppress(OSError):  # the last of its trials: leave no empty folder either
                self.root.rmdir()
        return "some of it cannot be deleted" if self.path.exists() else ""

    def _not_ours(self) -> str:
        if self.path.is_symlink() or self.path.resolve().parent != self.root.resolve():
            return "it is no folder directly below the folder of trials"
        try:
            marked = read_start(self.path / MARKER, _MOST_MARKED)
        except OSError:
            return f"it has no {MARKER}"
        return "" if marked == self.token.encode() else f"its {MARKER} is another one's"


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def default_root() -> Path:
    """Where trials work unless another folder is given."""
    return Path(tempfile.gettempdir()) / f"copilot-trials-{os.getuid()}"


def sweep(root: Path) -> list[str]:
    """Remove every trial folder that is left directly below `root`; what could not be removed."""
    left = []
    for path in sorted(root.iterdir()) if root.is_dir() else []:
        marker = path / MARKER
        if path.is_dir() and not path.is_symlink() and marker.is_file():
            token = read_start(marker, _MOST_MARKED).decode("utf-8", "replace")
            why = Workspace(root, path, token).remove()
            left += [f"{path}: {why}"] if why else []
    return left


def safe_name(text: str) -> str:
    """`text` as one short part of a file name: letters, digits and dashes."""
    folded = re.sub(r"[^A-Za-z0-9]+", "-", text)[:_LONGEST_NAME].strip("-")
    return folded or "unnamed"


def _unlock(function: Callable[[str], Any], path: str, _fault: Any) -> None:
    """Try once more with permission; a folder without it cannot be emptied."""
    try:
        for one in (Path(path).parent, Path(path)):
            one.chmod(stat.S_IRWXU)
        if Path(path).is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            Path(path).unlink()
    except OSError as error:
        _log.warning("%s cannot be deleted: %s", path, error.strerror)
