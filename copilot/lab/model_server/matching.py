"""Conditions on texts, and values bound late: `{{cwd}}` and `{{match:REGEX}}`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import re2

from copilot.lab.model_server.conversation import ModelRequest
from copilot.lab.model_server.turns import Expectation, TextMatch, ToolCall, Turn

_PLACE = re.compile(r"\{\{match:(.+?)\}\}(?!\})", re.DOTALL)
"""Applied to playbooks only, which the user wrote."""


class BindingError(Exception):
    """A `{{match:REGEX}}` found nothing in what the model was sent."""


def mismatch(condition: TextMatch, text: str) -> str | None:
    """Why `text` does not meet `condition`, in one line, or None."""
    folded = _fold(text)
    if condition.exact is not None and condition.exact.strip() != text.strip():
        return f"is not exactly {condition.exact!r}: {_shown(text)}"
    if condition.contains is not None and _fold(condition.contains) not in folded:
        return f"does not contain {condition.contains!r}: {_shown(text)}"
    if condition.regex is not None and re2.search(condition.regex, text) is None:
        return f"does not match {condition.regex!r}: {_shown(text)}"
    if condition.absent is not None and _fold(condition.absent) in folded:
        return f"contains {condition.absent!r}, which it must not: {_shown(text)}"
    if condition.json is not None and (why := _json_mismatch(condition.json, text)):
        return f"{why}: {_shown(text)}"
    return None


def _json_mismatch(wanted: Any, text: str) -> str | None:
    try:
        value = json.loads(text)
    except ValueError:
        return "is not JSON"
    return None if holds(value, wanted) else f"does not hold {json.dumps(wanted, ensure_ascii=False)}"


def holds(value: Any, wanted: Any) -> bool:
    """Whether a JSON value holds another: objects may have more keys, lists are compared item by item."""
    if isinstance(wanted, Mapping):
        return isinstance(value, dict) and all(
            key in value and holds(value[key], one) for key, one in wanted.items()
        )
    if isinstance(wanted, (list, tuple)):
        return (
            isinstance(value, list)
            and len(value) == len(wanted)
            and all(holds(one, other) for one, other in zip(value, wanted, strict=True))
        )
    return type(value) is type(wanted) and bool(value == wanted)


def unmet(expectation: Expectation, request: ModelRequest) -> list[str]:
    """What `request` lacks of `expectation`, a line each."""
    looked_at = (
        ("the prompt", expectation.prompt, request.prompt),
        ("the tool result", expectation.tool_result, request.tool_result),
        ("the system prompt", expectation.system, request.system),
        ("the conversation", expectation.anywhere, "\n".join(request.texts)),
    )
    lines = [
        f"{what} {why}"
        for what, condition, text in looked_at
        if condition is not None and (why := mismatch(condition, text))
    ]
    missing = [name for name in expectation.tools if name not in request.tools]
    if missing:
        lines.append(f"not offered: {', '.join(missing)} (offered: {', '.join(request.tools) or 'no tool'})")
    return lines


def bind(turn: Turn, request: ModelRequest, cwd: str) -> Turn:
    """`turn` with its late values filled in from what the model was sent.

    `{{match:REGEX}}` stands for the first match (its first group, if it has one) in the newest text that
    has one. Raises BindingError when none has.
    """
    newest_first = request.texts[::-1]

    def fill(value: Any) -> Any:
        if isinstance(value, str):
            return _fill_text(value, newest_first, cwd)
        if isinstance(value, dict):
            return {key: fill(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [fill(item) for item in value]
        return value

    calls = tuple(
        ToolCall(call.name, fill(dict(call.arguments)), fill(call.input)) for call in turn.tool_calls
    )
    return replace(turn, text=fill(turn.text), thinking=fill(turn.thinking), tool_calls=calls)


def _fill_text(text: str, newest_first: Sequence[str], cwd: str) -> str:
    def found(place: re.Match[str]) -> str:
        pattern = re2.compile(place.group(1))
        for candidate in newest_first:
            match = pattern.search(candidate)
            if match:
                return str(match.group(1) if pattern.groups else match.group(0))
        raise BindingError(f"{place.group(0)} found nothing in what the model was sent")

    return _PLACE.sub(found, text).replace("{{cwd}}", cwd)


def _fold(text: str) -> str:
    return " ".join(text.split())


def _shown(text: str, limit: int = 400) -> str:
    return repr(text if len(text) <= limit else f"{text[: limit // 2]} … {text[-limit // 2 :]}")


def check_places(text: str) -> str | None:
    """What is wrong with the late values in `text`, or None."""
    for place in _PLACE.finditer(text):
        try:
            re2.compile(place.group(1))
        except re2.error:
            return f"{place.group(0)} is not an RE2 expression"
    return None
