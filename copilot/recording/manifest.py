"""`manifest.json`: what a run was, with which versions and limits, and how it ended. Replaced as a whole."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from copilot import __version__
from copilot.core.settings import RunSettings
from copilot.documents import read_json
from copilot.errors import InputError
from copilot.plain_files import MIB, MissingFile, read_plain, real_path
from copilot.private_files import replace_atomically
from copilot.recording.artifacts import MANIFEST_NAME
from copilot.recording.records import to_record
from copilot.recording.transcript import json_text

_MOST_HEAD_BYTES = 4 * MIB
"""The packed refs of a repository with fifty thousand tags."""


def git_commit(folder: Path) -> str | None:
    """The commit id of the work tree around `folder`; None if there is none, or it cannot be read."""
    try:
        for parent in (folder, *folder.parents):
            entry = parent / ".git"
            if entry.exists():
                return _head(_git_folder(entry))
    except (OSError, ValueError):
        pass
    return None


def _git_folder(entry: Path) -> Path:
    """`.git` itself, or the folder that a `.git` file names (work trees, submodules)."""
    if entry.is_dir():
        return entry
    target = _text(entry).removeprefix("gitdir:").strip()
    return real_path(entry.parent / target)


def _head(git: Path) -> str | None:
    head = _text(git / "HEAD").strip()
    if not head.startswith("ref:"):
        return _commit(head)
    name = head.removeprefix("ref:").strip()
    if ".." in name or name.startswith("/"):
        return None
    common = git / "commondir"
    shared = real_path(git / _text(common).strip()) if common.is_file() else git
    for place in (git, shared):
        if (place / name).is_file():
            return _commit(_text(place / name).strip())
    if (shared / "packed-refs").is_file():
        for line in _text(shared / "packed-refs").splitlines():
            commit, _, ref = line.partition(" ")
            if ref == name:
                return _commit(commit)
    return None


def _commit(text: str) -> str | None:
    return text if len(text) in (40, 64) and all(c in "0123456789abcdef" for c in text) else None


def _text(path: Path) -> str:
    return read_plain(path, _MOST_HEAD_BYTES).decode("utf-8", "replace")


SCHEMA_VERSION = 1
_LIMITS = ("max_steps", "timeout_seconds", "max_cost_usd")
_MOST_BYTES = 4 * MIB
"""The settings of a run with a governing prompt and a plan; some ten KiB."""


def first_manifest(
    run_id: str, settings: RunSettings, *, started_at: str, profile_hash: str, child_version: str
) -> dict[str, Any]:
    """The manifest of a run that begins."""
    given = to_record(settings)
    return {
        "schema_version": SCHEMA_VERSION,
        "run_id": run_id,
        "started_at": started_at,
        "ended_at": None,
        "versions": {
            "copilot": __version__,
            "python": platform.python_version(),
            "interpreter": sys.executable,
            "platform": platform.platform(),
            "child": child_version,
        },
        "profile": {"name": settings.profile, "hash": profile_hash},
        "git_commit": git_commit(Path(settings.cwd)),
        "limits": {name: given[name] for name in _LIMITS},
        "settings": {name: value for name, value in given.items() if name not in _LIMITS},
        "parent": settings.resume,
        "outcome": None,
        "summary": None,
    }


def redacted(value: Any, redact: Callable[[str], str]) -> Any:
    """`value` with every text in it redacted."""
    match value:
        case str():
            return redact(value)
        case Mapping():
            return {str(key): redacted(item, redact) for key, item in value.items()}
        case list() | tuple():
            return [redacted(item, redact) for item in value]
    return value


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write it so that a crash leaves the old one or the new. Raises OSError."""
    replace_atomically(folder / MANIFEST_NAME, json_text(manifest, indent=2) + "\n")


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of the run in `folder`. Raises InputError if there is none that can be read."""
    path = folder / MANIFEST_NAME
    try:
        value = read_json(path, _MOST_BYTES)
    except MissingFile:
        raise InputError(f"{folder}: is no run folder: it has no {MANIFEST_NAME}") from None
    version = value.get("schema_version") if isinstance(value, dict) else None
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise InputError(f"{path}: is of a newer copilot (version {version}); update copilot to read it")
    if not isinstance(value, dict) or version != SCHEMA_VERSION:
        raise InputError(f"{path}: is no manifest of version {SCHEMA_VERSION}")
    return value
