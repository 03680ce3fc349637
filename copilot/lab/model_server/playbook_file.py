"""Playbooks as YAML files. `docs/model-server.md` describes the format for people."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import re2

from copilot.errors import InputError
from copilot.lab.model_server.script import check_places
from copilot.lab.model_server.turns import (
    ANY_TIMES,
    Drop,
    Expectation,
    HttpError,
    Order,
    Pace,
    Playbook,
    TextMatch,
    ToolCall,
    Turn,
    Usage,
    playbook,
)
from copilot.strict_yaml import Node, read_yaml

_PLAYBOOK_KEYS = ("turns", "order", "min_tools", "side_text", "pace")
_TURN_KEYS = (
    "name",
    "when",
    "after",
    "text",
    "thinking",
    "tool_calls",
    "expect",
    "error",
    "refusal",
    "hang_seconds",
    "keep_alive",
    "drop",
    "pace",
    "usage",
    "times",
    "optional",
    "truncated",
)
_ALONE = ("error", "refusal")
"""Keys that leave no room for an answer beside them."""


def load_playbook(path: Path) -> Playbook:
    """The playbook in `path`. Raises InputError with file, line, key and fix."""
    if path.suffix == ".py":
        return _from_python(path)
    return playbook_of(read_yaml(path))


def _from_python(path: Path) -> Playbook:
    """What a Python file names `playbook`: a Playbook, or turns. It is run: it is the user's own."""
    try:
        named = runpy.run_path(str(path)).get("playbook")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except Exception as error:
        raise InputError(f"{path}: failed: {type(error).__name__}: {error}") from error
    if isinstance(named, Playbook):
        return replace(named, source=path)
    if isinstance(named, (list, tuple)) and all(isinstance(one, (Turn, str)) for one in named):
        return replace(playbook(*named), source=path)
    raise InputError(f"{path}: names no `playbook`; set playbook = [Turn(...), ...]")


def playbook_of(document: Node) -> Playbook:
    """The playbook that stands at this place of a document. Raises InputError."""
    entries = document.mapping(_PLAYBOOK_KEYS)
    if "turns" not in entries:
        raise document.wrong("has no `turns`")
    turns = tuple(_turn(node) for node in entries["turns"].items())
    names = [turn.name for turn in turns if turn.name]
    for node, turn in zip(entries["turns"].items(), turns, strict=True):
        if turn.name and names.count(turn.name) > 1:
            raise node.wrong(f"the name {turn.name!r} is used twice")
    defaults = Playbook(turns)
    return Playbook(
        turns,
        order=Order(entries["order"].one_of(Order)) if "order" in entries else defaults.order,
        min_tools=entries["min_tools"].whole() if "min_tools" in entries else defaults.min_tools,
        side_text=entries["side_text"].text() if "side_text" in entries else defaults.side_text,
        pace=_pace(entries["pace"]) if "pace" in entries else defaults.pace,
        source=document.path,
    )


def _turn(node: Node) -> Turn:
    entries = node.mapping(_TURN_KEYS)
    for key in _ALONE:
        beside = [
            other for other in ("text", "tool_calls", "thinking") if key in entries and other in entries
        ]
        if beside:
            raise entries[key].wrong(f"cannot stand beside {beside[0]}")
    if not entries.keys() & {"text", "thinking", "tool_calls", "error", "refusal", "hang_seconds", "drop"}:
        raise node.wrong("answers nothing; give it text, tool_calls, error, refusal, hang_seconds or drop")
    given = {key: _READERS[key](entry) for key, entry in entries.items()}
    return Turn(**given)


def _template(node: Node) -> str:
    text = node.text()
    problem = check_places(text)
    if problem:
        raise node.wrong(problem)
    return text


def _match(node: Node) -> TextMatch:
    if isinstance(node.value, str):
        return TextMatch(contains=node.text())
    entries = node.mapping(("contains", "exact", "regex", "absent", "json"))
    if not entries:
        raise node.wrong("needs contains, exact, regex, absent or json")
    subset = entries.pop("json").plain() if "json" in entries else None
    given = {key: entry.text() for key, entry in entries.items()}
    if "regex" in given:
        try:
            re2.compile(given["regex"])
        except re2.error as error:
            raise entries["regex"].wrong(f"is not an RE2 expression: {_said(error)}") from error
    return TextMatch(**given, json=subset)


def _said(error: Exception) -> str:
    first = error.args[0] if error.args else error
    return first.decode("utf-8", "replace") if isinstance(first, bytes) else str(first)


def _expectation(node: Node) -> Expectation:
    entries = node.mapping(("prompt", "tool_result", "system", "anywhere", "tools"))
    tools = entries.pop("tools", None)
    names = tuple(item.text() for item in tools.items()) if tools else ()
    return Expectation(**{key: _match(entry) for key, entry in entries.items()}, tools=names)


def _tool_calls(node: Node) -> tuple[ToolCall, ...]:
    return tuple(_tool_call(item) for item in node.items())


def _tool_call(node: Node) -> ToolCall:
    entries = node.mapping(("name", "arguments", "input"))
    if "name" not in entries:
        raise node.wrong("has no `name`")
    if "input" in entries and "arguments" in entries:
        raise entries["input"].wrong("a call has either named arguments or a raw input")
    arguments = entries["arguments"].free_mapping() if "arguments" in entries else {}
    problem = check_places(repr(arguments)) if arguments else None
    if problem:
        raise entries["arguments"].wrong(problem)
    raw = _template(entries["input"]) if "input" in entries else None
    return ToolCall(entries["name"].text(), arguments, raw)


def _error(node: Node) -> HttpError:
    if not isinstance(node.value, dict):
        return HttpError(_status(node))
    entries = node.mapping(("status", "message", "kind", "retry_after_seconds", "headers", "details"))
    if "status" not in entries:
        raise node.wrong("has no `status`")
    headers = entries["headers"].free_mapping() if "headers" in entries else {}
    retry_after = entries["retry_after_seconds"].number() if "retry_after_seconds" in entries else None
    return HttpError(
        status=_status(entries["status"]),
        message=entries["message"].text() if "message" in entries else HttpError(500).message,
        kind=entries["kind"].text() if "kind" in entries else "",
        retry_after_seconds=retry_after,
        headers={name: str(value) for name, value in headers.items()},
        details=tuple(item.free_mapping() for item in entries["details"].items())
        if "details" in entries
        else (),
    )


def _status(node: Node) -> int:
    status = node.whole(400)
    if status > 599:
        raise node.wrong("must be an HTTP error status, 400 to 599")
    return status


def _pace(node: Node) -> Pace:
    entries = node.mapping(("first_delay_seconds", "chunk_characters", "chunk_delay_seconds"))
    usual = Pace()
    first, between = entries.get("first_delay_seconds"), entries.get("chunk_delay_seconds")
    size = entries.get("chunk_characters")
    return Pace(
        first.number() if first else usual.first_delay_seconds,
        size.whole(1) if size else usual.chunk_characters,
        between.number() if between else usual.chunk_delay_seconds,
    )


def _usage(node: Node) -> Usage:
    entries = node.mapping(("input_tokens", "output_tokens", "cached_tokens"))
    return Usage(**{key: entry.whole() for key, entry in entries.items()})


def _times(node: Node) -> int:
    if node.value == "any":
        return ANY_TIMES
    if isinstance(node.value, bool) or not isinstance(node.value, int) or node.value < 1:
        raise node.wrong("must be a whole number of at least 1, or any")
    return int(node.value)


def _drop(node: Node) -> Drop | None:
    if isinstance(node.value, bool):
        return Drop.MIDDLE if node.value else None
    return Drop(node.one_of(Drop))


_READERS: dict[str, Callable[[Node], Any]] = {
    "name": Node.text,
    "when": _match,
    "after": _match,
    "text": _template,
    "thinking": _template,
    "tool_calls": _tool_calls,
    "expect": _expectation,
    "error": _error,
    "refusal": Node.text,
    "hang_seconds": Node.number,
    "keep_alive": Node.flag,
    "drop": _drop,
    "pace": _pace,
    "usage": _usage,
    "times": _times,
    "optional": Node.flag,
    "truncated": Node.flag,
}
