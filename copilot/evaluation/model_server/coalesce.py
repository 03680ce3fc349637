"""Streams put together again: what is cut in pieces cannot be redacted, nor a path in it be replaced.

Neighbouring events that differ only in a piece of text become one with the whole text.
"""

from __future__ import annotations

import json
from typing import Any

_PIECES = ("text", "partial_json", "thinking", "content", "arguments", "delta", "input", "reasoning_content")
"""The keys under which vendors send pieces of text."""


def coalesced(stream: str) -> str:
    """A stream of server-sent events with the pieces of each text in one event."""
    done: list[tuple[str, Any]] = []
    for block in stream.replace("\r\n", "\n").split("\n\n"):
        if not block.strip():
            continue
        head, data = _read(block)
        if done and done[-1][0] == head and isinstance(data, dict):
            whole = _joined(done[-1][1], data)
            if whole is not None:
                done[-1] = head, whole
                continue
        done.append((head, data))
    return "".join(_written(head, data) for head, data in done)


def _read(block: str) -> tuple[str, Any]:
    """The lines before the data, and the data: a JSON object, or the text as it is."""
    lines = block.split("\n")
    head = "\n".join(line for line in lines if not line.startswith("data:"))
    text = "\n".join(line[5:].removeprefix(" ") for line in lines if line.startswith("data:"))
    try:
        return head, json.loads(text)
    except ValueError:
        return head, text


def _written(head: str, data: Any) -> str:
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    rows = [head] if head else []
    rows += [f"data: {line}" for line in text.split("\n")] if text or not head else []
    return "\n".join(rows) + "\n\n"


def _joined(one: Any, other: Any) -> Any:
    """Both as one event, or None if they differ in more than a piece of text (and in numbers)."""
    place = _piece(other)
    first, second = _at(one, place), _at(other, place)
    if not place or first is None or second is None:
        return None
    if not _alike(_with(one, place, ""), _with(other, place, "")):
        return None
    return _with(other, place, first + second)


def _piece(value: Any, above: tuple[Any, ...] = ()) -> tuple[Any, ...]:
    """The path of the piece of text in an event."""
    entries = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, one in entries:
        if key in _PIECES and isinstance(one, str):
            return (*above, key)
        if isinstance(one, (dict, list)) and (found := _piece(one, (*above, key))):
            return found
    return ()


def _at(value: Any, place: tuple[Any, ...]) -> str | None:
    for key in place:
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            return None
    return value if isinstance(value, str) else None


def _with(value: Any, place: tuple[Any, ...], text: str) -> Any:
    """A copy with another text at this place."""
    copy = json.loads(json.dumps(value))
    inside = copy
    for key in place[:-1]:
        inside = inside[key]
    inside[place[-1]] = text
    return copy


def _alike(one: Any, other: Any) -> bool:
    """Equal but for numbers."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_alike(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_alike, one, other))
    numbers = isinstance(one, (int, float)) and isinstance(other, (int, float))
    return bool(one == other) or (numbers and not isinstance(one, bool))
