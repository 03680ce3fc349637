"""Reads states and contents back from the run's repository, and compares two states."""

from __future__ import annotations

import os
import subprocess
from types import TracebackType

from copilot.checkpoints.checkpoint import CheckpointError
from copilot.checkpoints.entries import ROOT, Entry, blob_id, is_project_path
from copilot.checkpoints.git import Repository
from copilot.checkpoints.importer import project_path, tree_path
from copilot.checkpoints.sidecar import SIDECAR, with_sidecar

_DIFF = ("--no-renames", "--no-ext-diff", "--no-textconv", "--no-color")


def read_state(repository: Repository, commit: str) -> dict[str, Entry]:
    """The state that a commit keeps. Raises CheckpointError."""
    listed = repository.run(["ls-tree", "-r", "-z", "--full-tree", commit])
    files: dict[str, tuple[bool, bool, str]] = {}
    sidecar = ""
    for line in listed.split(b"\0"):
        about, _, path = line.partition(b"\t")
        if not path:
            continue
        mode, _, blob = about.split(b" ")
        if path == SIDECAR:
            sidecar = blob.decode("ascii")
        else:
            files[project_path(path)] = (mode == b"120000", mode == b"100755", blob.decode("ascii"))
    try:
        state = with_sidecar(repository.run(["cat-file", "blob", sidecar]), files)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise CheckpointError(f"checkpoint {commit[:12]} cannot be read: {error}") from None
    if not all(path == ROOT or is_project_path(path) for path in state):
        raise CheckpointError(f"checkpoint {commit[:12]} cannot be used: it holds a path outside the project")
    return state


class Contents:
    """Contents by object id, from one `git cat-file`. A context manager."""

    def __init__(self, repository: Repository) -> None:
        self._process = repository.start(["cat-file", "--batch"], errors=subprocess.DEVNULL)

    def read(self, blob: str) -> bytes:
        """One content. Raises CheckpointError if it is missing."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        try:
            stdin.write(blob.encode("ascii") + b"\n")
            stdin.flush()
            words = stdout.readline().split()
            if len(words) != 3 or words[1] != b"blob":
                raise CheckpointError(f"content {blob[:12]} is missing in the run's checkpoints")
            size = int(words[2])
            data = stdout.read(size + 1)
        except OSError as error:
            raise CheckpointError(f"the run's checkpoints cannot be read: {error.strerror}") from None
        if len(data) != size + 1:
            raise CheckpointError("the run's checkpoints cannot be read: git ended")
        data = data[:-1]
        if blob_id(data) != blob:
            raise CheckpointError(f"content {blob[:12]} is damaged in the run's checkpoints")
        return data

    def close(self) -> None:
        """End git."""
        self._process.kill()
        self._process.communicate()

    def __enter__(self) -> Contents:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def line_counts(repository: Repository, before: str, after: str) -> dict[str, tuple[int, int]]:
    """Lines added and removed per path between two commits; binary files count none."""
    printed = repository.run(["diff-tree", "-r", "-z", "--numstat", *_DIFF, before, after])
    counts = {}
    for line in printed.split(b"\0"):
        added, _, rest = line.partition(b"\t")
        removed, _, path = rest.partition(b"\t")
        if path and path != SIDECAR:
            counts[project_path(path)] = (_number(added), _number(removed))
    return counts


def _number(text: bytes) -> int:
    return int(text) if text.isdigit() else 0


def diff_hunks(repository: Repository, before: str, after: str, path: str) -> str | None:
    """The hunks of one path between two commits, without a header; "" if equal, None if it is binary."""
    own = os.fsdecode(tree_path(path))
    # What is below the path, if it is a folder on one side, has hunks of its own.
    which = [f":(top,literal){own}", f":(top,exclude,literal){own}/"]
    found = repository.run(["diff-tree", "-r", "-p", *_DIFF, before, after, "--", *which])
    at = found.find(b"\n@@ ")
    if at >= 0:
        return found[at + 1 :].decode("utf-8", "replace")
    return None if b"\nBinary files " in found else ""
