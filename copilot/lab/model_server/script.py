"""Conditions on texts, and values bound late: `{{cwd}}` and `{{match:REGEX}}`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import re2

from copilot.documents import parse_json
from copilot.lab.model_server.requests import ModelRequest, with_texts
from copilot.lab.model_server.turns import Expectation, Order, Playbook, TextMatch, ToolCall, Turn
from copilot.strict_yaml import ANY_TIMES

_PLACE = re.compile(r"\{\{match:(.+?)\}\}(?!\})", re.DOTALL)
"""Applied to playbooks only, which the user wrote."""


class BindingError(Exception):
    """A `{{match:REGEX}}` found nothing in what the model was sent."""


def mismatch(condition: TextMatch, text: str) -> str | None:
    """Why `text` does not meet `condition`, in one line, or None."""
    folded = _fold(text)
    why = ""
    if condition.exact is not None and condition.exact.strip() != text.strip():
        why = f"is not exactly {condition.exact!r}"
    elif condition.contains is not None and _fold(condition.contains) not in folded:
        why = f"does not contain {condition.contains!r}"
    elif condition.regex is not None and re2.search(condition.regex, text) is None:
        why = f"does not match {condition.regex!r}"
    elif condition.absent is not None and _fold(condition.absent) in folded:
        why = f"contains {condition.absent!r}, which it must not"
    elif condition.json is not None:
        why = _json_mismatch(condition.json, text)
    return f"{why}: {_shown(text)}" if why else None


def _json_mismatch(wanted: Any, text: str) -> str:
    try:
        value = parse_json(text)
    except ValueError:
        return "is not JSON"
    return "" if holds(value, wanted) else f"does not hold {json.dumps(wanted, ensure_ascii=False)}"


def holds(value: Any, wanted: Any) -> bool:
    """Whether a JSON value holds another: objects may have more keys, lists are compared item by item."""
    if isinstance(wanted, Mapping) and isinstance(value, dict):
        return all(key in value and holds(value[key], one) for key, one in wanted.items())
    if isinstance(wanted, (list, tuple)) and isinstance(value, list):
        return len(value) == len(wanted) and all(map(holds, value, wanted))
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

    `{{match:REGEX}}` becomes the first match (its first group, if it has one) in the newest text that
    has one. Raises BindingError when none has.
    """
    newest_first = request.texts[::-1]

    def fill(value: Any) -> Any:
        return with_texts(value, lambda text: _fill_text(text, newest_first, cwd))

    calls = tuple(ToolCall(call.name, fill(call.arguments), fill(call.input)) for call in turn.tool_calls)
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


class PlaybookError(AssertionError):
    """The run and its playbook do not agree. The message lists every disagreement with its turn's name."""


class NoTurn(Exception):
    """No turn answers this request; the message says why, and is already among the failures."""


@dataclass(slots=True)
class _Part:
    turn: Turn
    name: str
    given: int = 0

    @property
    def spent(self) -> bool:
        return self.turn.times != ANY_TIMES and self.given >= self.turn.times

    @property
    def may_be_passed_over(self) -> bool:
        return (
            self.turn.optional
            or self.turn.after is not None
            or (self.turn.times == ANY_TIMES and self.given > 0)
        )


class Script:
    """The state of a playbook while it is played. Not thread-safe: one event loop owns it."""

    def __init__(self, playbook: Playbook, cwd: str = "") -> None:
        self.playbook = playbook
        self.failures: list[str] = []
        self._cwd = cwd
        self._parts = [
            _Part(turn, turn.name or f"turn {number}") for number, turn in enumerate(playbook.turns, start=1)
        ]

    def is_side(self, request: ModelRequest) -> bool:
        return len(request.tools) < self.playbook.min_tools

    def take(self, request: ModelRequest) -> tuple[str, Turn]:
        """The name of the turn that answers, and the turn with its late values filled in.

        Raises NoTurn when the playbook is used up, when no turn fits, or when a late value is missing.
        """
        part = self._due(request)
        part.given += 1
        if part.turn.expect is not None:
            for line in unmet(part.turn.expect, request):
                self.failures.append(f"{part.name}: request {request.number}: {line}")
        try:
            return part.name, bind(self._made(part, request), request, self._cwd)
        except BindingError as error:
            raise self._failed(f"{part.name}: request {request.number}: {error}") from error

    def _made(self, part: _Part, request: ModelRequest) -> Turn:
        """The turn, made by its function if it has one; what that raises fails the run."""
        if part.turn.dynamic is None:
            return part.turn
        try:
            made = part.turn.dynamic(request)
        except Exception as error:
            why = f"its function failed: {type(error).__name__}: {error}"
            raise self._failed(f"{part.name}: request {request.number}: {why}") from error
        return made if isinstance(made, Turn) else replace(part.turn, text=made, dynamic=None)

    def unused(self) -> list[str]:
        return [
            f"{part.name}: "
            + (f"given {part.given} of {part.turn.times} times" if part.given else "never asked for")
            for part in self._parts
            if not part.spent and not part.may_be_passed_over
        ]

    def _due(self, request: ModelRequest) -> _Part:
        left = [part for part in self._parts if not part.spent]
        strict = self.playbook.order is Order.STRICT
        for part in left:
            if part.turn.after is not None and mismatch(part.turn.after, request.tool_result):
                continue
            why = mismatch(part.turn.when, request.prompt) if part.turn.when else None
            if why is None:
                return part
            if strict and not part.may_be_passed_over:
                raise self._failed(f"{part.name}: request {request.number}: the prompt {why}")
        if strict or not left:
            raise self._exhausted(request)
        names = ", ".join(part.name for part in left)
        raise self._failed(
            f"request {request.number}: no unused turn fits the prompt {request.prompt!r}: {names}"
        )

    def _exhausted(self, request: ModelRequest) -> NoTurn:
        last = self._parts[-1].name if self._parts else "none"
        return self._failed(
            f"request {request.number}: the playbook is used up, its last turn was {last!r}; "
            f"the prompt is {request.prompt[:200]!r}"
        )

    def _failed(self, line: str) -> NoTurn:
        self.failures.append(line)
        return NoTurn(line)
