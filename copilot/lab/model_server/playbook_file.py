"""Playbooks as YAML or Python files. `docs/model-server.md` describes the format for people."""

from __future__ import annotations

import os
import runpy
from dataclasses import replace
from pathlib import Path
from typing import Any

import re2

from copilot.errors import InputError
from copilot.lab.model_server.script import check_places
from copilot.lab.model_server.turns import (
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
from copilot.plain_files import not_read, open_plain
from copilot.strict_yaml import Node, Readers, fields, read_yaml, texts, times


def load_playbook(path: Path) -> Playbook:
    """The playbook in `path`. Raises InputError with file, line, key and fix."""
    if path.suffix == ".py":
        return _from_python(path)
    return playbook_of(read_yaml(path))


def _from_python(path: Path) -> Playbook:
    """What a Python file names `playbook`: a Playbook, or turns. It is run: it is the user's own."""
    try:
        os.close(open_plain(path))
        named = runpy.run_path(str(path)).get("playbook")
    except OSError as error:
        raise not_read(path, error) from error
    except Exception as error:
        raise InputError(f"{path}: failed: {type(error).__name__}: {error}") from error
    if isinstance(named, Playbook):
        return replace(named, source=path)
    if isinstance(named, (list, tuple)) and all(isinstance(one, (Turn, str)) for one in named):
        return replace(playbook(*named), source=path)
    raise InputError(f"{path}: names no `playbook`; set playbook = [Turn(...), ...]")


def playbook_of(document: Node) -> Playbook:
    """The playbook at this place of a document. Raises InputError."""
    return Playbook(**fields(document, _PLAYBOOK, "turns"), source=document.path)


def _turns(node: Node) -> tuple[Turn, ...]:
    turns = tuple(_turn(item) for item in node.items())
    names = [turn.name for turn in turns]
    for item, name in zip(node.items(), names, strict=True):
        if name and names.count(name) > 1:
            raise item.wrong(f"the name {name!r} is used twice")
    return turns


def _turn(node: Node) -> Turn:
    entries = node.mapping(_TURN)
    for key in ("error", "refusal"):
        beside = [other for other in ("text", "tool_calls", "thinking") if other in entries]
        if key in entries and beside:
            raise entries[key].wrong(f"cannot be combined with {beside[0]}")
    if not entries.keys() & {"text", "thinking", "tool_calls", "error", "refusal", "hang_seconds", "drop"}:
        raise node.wrong("answers nothing; give it text, tool_calls, error, refusal, hang_seconds or drop")
    return Turn(**fields(node, _TURN))


def _template(node: Node) -> str:
    text = node.text()
    if problem := check_places(text):
        raise node.wrong(problem)
    return text


def _match(node: Node) -> TextMatch:
    if isinstance(node.value, str):
        return TextMatch(contains=node.text())
    given = fields(node, _TEXT_MATCH)
    if not given:
        raise node.wrong("needs contains, exact, regex, absent or json")
    return TextMatch(**given)


def _regex(node: Node) -> str:
    try:
        re2.compile(node.text())
    except re2.error as error:
        first = error.args[0] if error.args else error
        said = first.decode("utf-8", "replace") if isinstance(first, bytes) else str(first)
        raise node.wrong(f"is not an RE2 expression: {said}") from error
    return node.text()


def _tool_call(node: Node) -> ToolCall:
    entries = node.mapping(_TOOL_CALL)
    if "input" in entries and "arguments" in entries:
        raise entries["input"].wrong("a call has either named arguments or a raw input")
    return ToolCall(**fields(node, _TOOL_CALL, "name"))


def _arguments(node: Node) -> dict[str, Any]:
    arguments = node.free_mapping()
    if problem := check_places(repr(arguments)):
        raise node.wrong(problem)
    return arguments


def _error(node: Node) -> HttpError:
    if not isinstance(node.value, dict):
        return HttpError(_status(node))
    return HttpError(**fields(node, _HTTP_ERROR, "status"))


def _status(node: Node) -> int:
    status = node.whole(400)
    if status > 599:
        raise node.wrong("must be an HTTP error status, 400 to 599")
    return status


def _drop(node: Node) -> Drop | None:
    if isinstance(node.value, bool):
        return Drop.MIDDLE if node.value else None
    return Drop(node.one_of(Drop))


def _pace(node: Node) -> Pace:
    return Pace(**fields(node, _PACE))


_TEXT_MATCH: Readers = {
    "contains": Node.text,
    "exact": Node.text,
    "regex": _regex,
    "absent": Node.text,
    "json": Node.plain,
}
_EXPECTATION: Readers = {
    **dict.fromkeys(("prompt", "tool_result", "system", "anywhere"), _match),
    "tools": texts,
}
_TOOL_CALL: Readers = {"name": Node.text, "arguments": _arguments, "input": _template}
_HTTP_ERROR: Readers = {
    "status": _status,
    "message": Node.text,
    "kind": Node.text,
    "retry_after_seconds": Node.number,
    "headers": lambda node: {name: str(value) for name, value in node.free_mapping().items()},
    "details": lambda node: tuple(item.free_mapping() for item in node.items()),
}
_PACE: Readers = {
    "first_delay_seconds": Node.number,
    "chunk_characters": lambda node: node.whole(1),
    "chunk_delay_seconds": Node.number,
}
_USAGE: Readers = dict.fromkeys(("input_tokens", "output_tokens", "cached_tokens"), Node.whole)
_TURN: Readers = {
    "name": Node.text,
    "when": _match,
    "after": _match,
    "text": _template,
    "thinking": _template,
    "tool_calls": lambda node: tuple(_tool_call(item) for item in node.items()),
    "expect": lambda node: Expectation(**fields(node, _EXPECTATION)),
    "error": _error,
    "refusal": Node.text,
    "hang_seconds": Node.number,
    "keep_alive": Node.flag,
    "drop": _drop,
    "pace": _pace,
    "usage": lambda node: Usage(**fields(node, _USAGE)),
    "times": times,
    "optional": Node.flag,
    "truncated": Node.flag,
}
_PLAYBOOK: Readers = {
    "turns": _turns,
    "order": lambda node: Order(node.one_of(Order)),
    "min_tools": Node.whole,
    "side_text": Node.text,
    "pace": _pace,
}
