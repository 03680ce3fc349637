"""Documents that are right, and one way after another of being wrong."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Iterator
from typing import Any

Json = dict[str, Any]


def hash_of(text: str | bytes) -> str:
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


def safety(base: str | bytes, **more: Any) -> Json:
    return {"before_hash": hash_of(base), "base_text": None, "anchors": [], "after_hash": None, **more}


def span(start: tuple[int, int], end: tuple[int, int], text: str) -> Json:
    return {
        "start": {"line": start[0], "column": start[1]},
        "end": {"line": end[0], "column": end[1]},
        "text": text,
    }


def edit(path: str, base: str | bytes, *edits: Json, **more: Any) -> Json:
    return {
        "type": "edit",
        "files": [{"path": path, "edits": list(edits), "safety": safety(base, **more)}],
    }


def create(path: str, text: str = "", *, kind: str = "file", executable: bool = False) -> Json:
    return {"op": "create", "path": path, "kind": kind, "text": text, "executable": executable}


def objects(*ops: Json) -> Json:
    return {"type": "object", "ops": list(ops)}


def resources(*ops: Json) -> Json:
    return {"type": "resource", "ops": list(ops)}


SEARCH: Json = {"op": "search", "query": "watch tower", "tags": ["model"], "limit": 5}
GENERATE: Json = {"op": "generate", "prompt": "a tower", "tags": [], "style": None, "budget": 3}
COMPLETION: Json = {"type": "completion", "summary": "done", "confidence": 0.8}


def result(*proposals: Json, plan: tuple[str, ...] = (), complete: bool | None = None) -> Json:
    ends = any(one["type"] == "completion" for one in proposals)
    return {
        "version": 1,
        "id": "trial-1",
        "proposals": list(proposals),
        "task_state": {"plan": [{"text": text, "state": "open"} for text in plan], "looked": []},
        "tokens": {"input": 10, "output": 2, "cached": 0},
        "complete": ends if complete is None else complete,
    }


WHOLE = result(
    edit("a/b.py", "x\n", span((1, 1), (1, 2), "y"), anchors=[{"line": 1, "text": "x"}], base_text="x\n"),
    objects(
        create("new.txt", "text\r\n"),
        {
            "op": "set",
            "path": "new.txt",
            "before_hash": hash_of("text\r\n"),
            "text": None,
            "executable": True,
        },
        {"op": "rename", "path": "new.txt", "before_hash": hash_of("text\r\n"), "new_path": "b/new.txt"},
        {"op": "delete", "path": "b/new.txt", "before_hash": hash_of("text\r\n")},
    ),
    resources(SEARCH, {"op": "insert", "resource": "tower.obj", "path": "models/tower.obj"}, GENERATE),
    COMPLETION,
    plan=("search for an existing tower", "place it"),
)
REQUEST: Json = {
    "version": 1,
    "message": "Build a watch tower",
    "context": {
        "active_file": {"path": "a.py", "text": "def f(): ...\n", "hash": hash_of("def f(): ...\n")},
        "selection": [{"path": "a.py", "kind": "file"}],
        "open_documents": [{"path": "a.py", "hash": hash_of("def f(): ...\n")}],
        "tree": {
            "nodes": [
                {
                    "path": "a.py",
                    "name": "a.py",
                    "kind": "file",
                    "parent_path": None,
                    "size": 13,
                    "executable": False,
                }
            ],
            "complete": True,
        },
        "definitions": [{"path": "a.py", "line": 1, "name": "f"}],
    },
    "mode": "agent",
    "model": None,
}

BAD_PATHS = (
    "/etc/passwd",
    "../x",
    "a/../b",
    "a//b",
    "./a",
    "a/",
    "..",
    "a\\b",
    "a\nb",
    "a\0b",
    "",
    "x" * 1025,
)


def broken(document: Json) -> Iterator[tuple[str, Json]]:
    """`document` with one fault: a key less, a key more, or a value of another type, at every place."""
    for where in _places(document, ()):
        for word, change in _CHANGES.items():
            other = copy.deepcopy(document)
            held = other
            for key in where[:-1]:
                held = held[key]
            if change(held, where[-1]):
                yield f"{'.'.join(map(str, where))}: {word}", other


def _places(value: Any, at: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in items:
        yield (*at, key)
        yield from _places(one, (*at, key))


def _without(held: Any, key: Any) -> bool:
    if isinstance(held, list):
        return False
    del held[key]
    return True


def _more(held: Any, key: Any) -> bool:
    if isinstance(held, list):
        return False
    held["surplus"] = 1
    return True


def _other_type(held: Any, key: Any) -> bool:
    held[key] = [7.5] if not isinstance(held[key], list) else {"a": 1}
    return True


_CHANGES: dict[str, Callable[[Any, Any], bool]] = {
    "absent": _without,
    "with a surplus key": _more,
    "of another type": _other_type,
}
