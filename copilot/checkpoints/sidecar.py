"""What git does not keep of a state, as JSON beside its files: modes, folders, hard links, what is not
covered.

Modes that most files (and folders) have are written once, so that a file of a usual project takes no line.
Times, owners, access lists and extended attributes are not kept; a restored file is new to build tools, as it
must be.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from copilot.checkpoints.entries import ROOT, Entry, Kind, Snapshot, parents
from copilot.documents import parse_json

SIDECAR = b"meta.json"
_VERSION = 1


def sidecar_text(snapshot: Snapshot) -> bytes:
    """The sidecar of a state."""
    plain, program, folder = _usual_modes(snapshot)
    modes: dict[str, int] = {}
    groups: dict[str, list[str]] = {}
    uncovered: dict[str, str] = {}
    for path, entry in snapshot.items():
        kind, mode = entry.kind, entry.mode
        if kind is Kind.FILE:
            if mode != (program if mode & 0o100 else plain):
                modes[path] = mode
            if entry.group:
                groups.setdefault(entry.group, []).append(path)
        elif kind is Kind.FOLDER:
            if mode != folder:
                modes[path] = mode
        elif kind is Kind.UNCOVERED:
            uncovered[path] = entry.why
    said = {
        "version": _VERSION,
        "usual": [plain, program, folder],
        "modes": modes,
        "empty": _empty_folders(snapshot),
        "groups": groups,
        "uncovered": uncovered,
    }
    return json.dumps(said, separators=(",", ":"), sort_keys=True).encode("ascii")


def with_sidecar(text: bytes, files: dict[str, tuple[bool, bool, str]]) -> dict[str, Entry]:
    """A state, from its sidecar and, per path, whether it is a link, whether a program, and its blob.

    Raises ValueError or a LookupError if the sidecar is none of ours.
    """
    said: dict[str, Any] = parse_json(text)
    if said["version"] != _VERSION:
        raise ValueError("was written by another version of copilot")
    plain, program, folder = said["usual"]
    modes: dict[str, int] = said["modes"]
    group_of = {path: group for group, paths in said["groups"].items() for path in paths}
    snapshot: dict[str, Entry] = {ROOT: Entry(Kind.FOLDER, modes.get(ROOT, folder))}
    for path in [*files, *said["empty"], *said["uncovered"]]:
        for parent in parents(path):
            if parent in snapshot:
                break
            snapshot[parent] = Entry(Kind.FOLDER, modes.get(parent, folder))
    for path in said["empty"]:
        snapshot[path] = Entry(Kind.FOLDER, modes.get(path, folder))
    for path, (is_link, is_program, blob) in files.items():
        if is_link:
            snapshot[path] = Entry(Kind.LINK, 0, blob)
        else:
            mode = modes.get(path, program if is_program else plain)
            snapshot[path] = Entry(Kind.FILE, mode, blob, group_of.get(path, ""))
    for path, why in said["uncovered"].items():
        snapshot[path] = Entry(Kind.UNCOVERED, why=why)
    return snapshot


def _usual_modes(snapshot: Snapshot) -> tuple[int, int, int]:
    """The modes that most plain files, programs and folders have."""
    files: Counter[int] = Counter()
    folders: Counter[int] = Counter()
    for entry in snapshot.values():
        if entry.kind is Kind.FILE:
            files[entry.mode] += 1
        elif entry.kind is Kind.FOLDER:
            folders[entry.mode] += 1
    plain = {mode: count for mode, count in files.items() if not mode & 0o100}
    program = {mode: count for mode, count in files.items() if mode & 0o100}
    return _most(plain), _most(program), _most(folders)


def _most(counted: Mapping[int, int]) -> int:
    """The mode that most have; of equally many the smallest."""
    return min(counted, key=lambda mode: (-counted[mode], mode)) if counted else 0


def _empty_folders(snapshot: Snapshot) -> list[str]:
    """Folders that nothing else in the state implies."""
    implied = {path.rpartition("/")[0] for path in snapshot}
    return sorted(
        path
        for path, entry in snapshot.items()
        if entry.kind is Kind.FOLDER and path not in implied and path != ROOT
    )
