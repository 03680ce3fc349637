"""Writes contents and states into the run's repository: one `git fast-import` for a checkpoint with changes.

A path of the project is kept below `files/`; a part of it that git might take for its own (`.git...`,
`git~1`) gets a `%` before it, and so does one that begins with `%`. Format of the stream: git-fast-import(1).
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterable

from copilot.checkpoints.checkpoint import CheckpointError
from copilot.checkpoints.entries import Entry, Kind, Snapshot
from copilot.checkpoints.git import Repository, ended_after, first_line
from copilot.checkpoints.sidecar import SIDECAR, sidecar_text

FILES = b"files/"
REF = "refs/heads/checkpoints"
FAST_IMPORT = ("fast-import", "--quiet", "--force", "--done", "--depth=0", "--date-format=raw")
"""With `--done` a stream that breaks off, as copilot was killed, is no commit."""
MOST_SECONDS = 240.0
"""A git that takes longer for one checkpoint hangs, and is ended."""
_ENDS_SECONDS = 120.0
_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/%+@,=~")


def tree_path(path: str) -> bytes:
    """Where a path of the project is in the tree of a commit."""
    parts = os.fsencode(path).split(b"/")
    return FILES + b"/".join(b"%" + part if _needs_mark(part) else part for part in parts)


def project_path(path: bytes) -> str:
    """The other way round."""
    parts = path.removeprefix(FILES).split(b"/")
    return os.fsdecode(b"/".join(part[1:] if part.startswith(b"%") else part for part in parts))


def _needs_mark(part: bytes) -> bool:
    return part.startswith(b"%") or part[:4].lower() in (b".git", b"git~")


def _quoted(path: bytes) -> bytes:
    if all(byte in _PLAIN for byte in path):
        return path
    return b'"' + b"".join(bytes((one,)) if one in _PLAIN else b"\\%03o" % one for one in path) + b'"'


class Importer:
    """One writing. git is started by the first content or commit; after `abandon` nothing was written."""

    def __init__(self, repository: Repository, lock: int) -> None:
        self._repository = repository
        self._lock = lock
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        self._process: subprocess.Popen[bytes] | None = None
        self._timer: threading.Timer | None = None

    def blob(self, data: bytes) -> None:
        """Keep a content. Raises CheckpointError."""
        self._write(b"blob\ndata %d\n" % len(data), data, b"\n")

    def commit(self, parent: str, before: Snapshot, after: Snapshot, paths: Iterable[str]) -> str:
        """Keep a state that differs from the parent's at these paths; its commit. Raises CheckpointError."""
        lines = [b"commit %s\nmark :1\n" % REF.encode()]
        lines.append(b"committer copilot <copilot> %d +0000\ndata 0\n\n" % int(time.time()))
        if parent:
            lines.append(b"from %s\n" % parent.encode())
        changed = [(path, before.get(path), after.get(path)) for path in paths]
        lines.extend(
            b"D %s\n" % _quoted(tree_path(path))
            for path, old, new in changed
            if _kept(old) and not _kept(new)
        )
        for path, _, new in changed:
            if new is not None and _kept(new):
                lines.append(b"M %s %s %s\n" % (_git_mode(new), new.blob.encode(), _quoted(tree_path(path))))
        text = sidecar_text(after)
        lines.append(b"M 100644 inline %s\ndata %d\n%s\n" % (SIDECAR, len(text), text))
        self._write(*lines, b"get-mark :1\ndone\n")
        return self._end()

    def abandon(self) -> None:
        """End git without a commit, if it runs."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None
        if self._timer is not None:
            self._timer.cancel()
        self._errors.close()

    def _write(self, *pieces: bytes) -> None:
        if self._process is None:
            self._process = self._repository.start(FAST_IMPORT, errors=self._errors.fileno(), lock=self._lock)
            self._timer = ended_after(self._process, MOST_SECONDS)
        assert self._process.stdin is not None
        try:
            for piece in pieces:
                self._process.stdin.write(piece)
        except OSError:
            raise self._failed() from None

    def _end(self) -> str:
        assert self._process is not None
        try:
            printed, _ = self._process.communicate(timeout=_ENDS_SECONDS)
        except (OSError, subprocess.TimeoutExpired):
            raise self._failed() from None
        commit = printed.strip().decode("ascii", "replace")
        if self._process.returncode or not commit:
            raise self._failed()
        self._process = None
        return commit

    def _failed(self) -> CheckpointError:
        """Why git gave up; it is ended."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._errors.seek(0)
        return CheckpointError(f"the checkpoint cannot be written: {first_line(self._errors.read(2000))}")


def _kept(entry: Entry | None) -> bool:
    """Whether the commit's tree holds it; folders and what is not covered are in the sidecar."""
    return entry is not None and entry.kind in (Kind.FILE, Kind.LINK)


def _git_mode(entry: Entry) -> bytes:
    if entry.kind is Kind.LINK:
        return b"120000"
    return b"100755" if entry.mode & 0o100 else b"100644"
