"""What git does not keep of a state, as JSON beside its files: modes, folders, hard links, what is not
covered.

Modes that most files (and folders) have are written once, so that a file of a usual project takes no line.
Times, owners, access lists and extended attributes are not kept; a restored file is new to build tools, as it
must be.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from copilot.checkpoints.entries import ROOT, Entry, Kind, Snapshot, parents

SIDECAR = b"meta.json"
_VERSION = 1


def sidecar_text(snapshot: Snapshot) -> bytes:
    """The sidecar of a state."""
    plain = _usual(e.mode for e in snapshot.values() if e.kind is Kind.FILE and not e.mode & 0o100)
    program = _usual(e.mode for e in snapshot.values() if e.kind is Kind.FILE and e.mode & 0o100)
    folder = _usual(e.mode for e in snapshot.values() if e.kind is Kind.FOLDER)
    modes: dict[str, int] = {}
    groups: dict[str, list[str]] = {}
    uncovered: dict[str, str] = {}
    for path, entry in snapshot.items():
        if entry.kind is Kind.UNCOVERED:
            uncovered[path] = entry.why
        elif entry.kind is Kind.FOLDER:
            if entry.mode != folder:
                modes[path] = entry.mode
        elif entry.kind is Kind.FILE:
            if entry.mode != (program if entry.mode & 0o100 else plain):
                modes[path] = entry.mode
            if entry.group:
                groups.setdefault(entry.group, []).append(path)
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
    said: dict[str, Any] = json.loads(text)
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


def _usual(modes: Iterable[int]) -> int:
    """The mode that most have; of equally many the smallest."""
    counted = Counter(modes)
    return min(counted, key=lambda mode: (-counted[mode], mode)) if counted else 0


def _empty_folders(snapshot: Snapshot) -> list[str]:
    """Folders that nothing else in the state implies."""
    implied = {path.rpartition("/")[0] for path in snapshot}
    return sorted(
        path
        for path, entry in snapshot.items()
        if entry.kind is Kind.FOLDER and path not in implied and path != ROOT
    )
