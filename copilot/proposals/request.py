"""The request for a folder: what an agent is told of it, without secrets."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Sequence

from pydantic import TypeAdapter, ValidationError

from copilot.checkpoints.entries import ROOT, Entry, Kind
from copilot.proposals.parts import MOST_ITEMS, ProjectPath
from copilot.proposals.ranges import Refused
from copilot.proposals.schemas import checked
from copilot.proposals.session import VERSION, SessionRequest
from copilot.proposals.world import World
from copilot.redaction.redact import Redactor

_PATH: TypeAdapter[str] = TypeAdapter(ProjectPath)
_MOST_NODES = 2000
_MOST_SOURCE = 200_000
"""Bytes of a file whose definitions are told."""


def build_request(
    world: World, message: str, *, active: str | None, selected: Sequence[str], documents: Sequence[str]
) -> SessionRequest:
    """Raises Refused for a file that cannot be told, InputError for a name that no request can hold.

    The text of the active file is redacted; its hash is that of the file as it is, so an edit beside a secret
    names the right base.
    """
    told = _told(world)
    nodes = [_node(world, path, entry) for path, entry in told if _has_name(path)]
    context = {
        "active_file": _active(world, active) if active else None,
        "selection": [{"path": one, "kind": _kind(world, one)} for one in selected],
        "open_documents": [{"path": one, "hash": world.hash_of(one)} for one in documents],
        "tree": {"nodes": nodes[:_MOST_NODES], "complete": len(told) == len(nodes) <= _MOST_NODES},
        "definitions": list(_definitions(world))[:MOST_ITEMS],
    }
    said = {"version": VERSION, "message": message, "context": context, "mode": "agent", "model": None}
    found: SessionRequest = checked("request", said, "request")
    return found


def _told(world: World) -> list[tuple[str, Entry]]:
    shown = (Kind.FILE, Kind.FOLDER)
    return [(path, one) for path, one in sorted(world.entries.items()) if path != ROOT and one.kind in shown]


def _has_name(path: str) -> bool:
    """False for a name that no document can hold: not UTF-8, with control characters or a backslash."""
    try:
        _PATH.validate_python(path)
    except ValidationError:
        return False
    return True


def _node(world: World, path: str, entry: Entry) -> dict[str, object]:
    is_file = entry.kind is Kind.FILE
    return {
        "path": path,
        "name": path.rpartition("/")[2],
        "kind": entry.kind.value,
        "parent_path": path.rpartition("/")[0] or None,
        "size": len(world.data_of(entry)) if is_file else 0,
        "executable": is_file and bool(entry.mode & 0o100),
    }


def _kind(world: World, path: str) -> str:
    if not world.has(path):
        raise Refused(f"{path}: is not there; name what is in the folder")
    return world.entries[path].kind.value


def _active(world: World, path: str) -> dict[str, str]:
    text = Redactor().without_secrets(world.text_of(path))
    return {"path": path, "text": text, "hash": world.hash_of(path)}


def _definitions(world: World) -> Iterator[dict[str, object]]:
    """Functions and classes of Python files; a file that is no Python has none."""
    for path, entry in _told(world):
        if entry.kind is not Kind.FILE or not path.endswith(".py") or not _has_name(path):
            continue
        source = world.data_of(entry)
        if len(source) > _MOST_SOURCE:
            continue
        try:
            with warnings.catch_warnings(action="ignore"):
                tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for one in tree.body:
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield {"path": path, "line": one.lineno, "name": one.name}
