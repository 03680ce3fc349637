"""What a model was sent, in one form for all protocols."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import re2

from copilot.lab.model_server.turns import JsonObject

_ADDED_TAGS = (
    "system-reminder",
    "environment_context",
    "session_context",
    "user_instructions",
    "current_datetime",
)
_ADDED = re2.compile("(?s)" + "|".join(f"<{tag}>.*?</{tag}>" for tag in _ADDED_TAGS))
"""Blocks that CLIs put into the user's own messages."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    call_id: str
    text: str
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the conversation. `role` is system, user, assistant or tool."""

    role: str
    text: str = ""
    results: tuple[ToolResult, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request to the model.

    `number` counts from 1 over all protocols of a server, `at` is seconds since the server started.
    `side`: it is not part of the main conversation. `turn` is the name of the turn that answered,
    empty for a canned answer. `headers` holds a few harmless ones, never a key.
    """

    number: int
    at: float
    protocol: str
    path: str
    model: str
    stream: bool
    messages: tuple[Message, ...]
    tools: tuple[str, ...]
    body: JsonObject
    response_schema: JsonObject | None = None
    headers: dict[str, str] = field(default_factory=dict)
    side: bool = False
    turn: str = ""

    @property
    def system(self) -> str:
        """The instructions, joined by newlines."""
        return "\n".join(message.text for message in self.messages if message.role == "system")

    @property
    def prompt(self) -> str:
        """The newest text of the user without the blocks that the CLI itself added."""
        for message in reversed(self.messages):
            if message.role == "user" and (text := str(_ADDED.sub("", message.text)).strip()):
                return text
        return ""

    @property
    def new_results(self) -> tuple[ToolResult, ...]:
        """The tool results that came after the model's last words."""
        found: list[ToolResult] = []
        for message in reversed(self.messages):
            if message.role == "assistant":
                break
            found[:0] = message.results
        return tuple(found)

    @property
    def tool_result(self) -> str:
        return "\n".join(result.text for result in self.new_results)

    @property
    def texts(self) -> list[str]:
        """Every text of the conversation, oldest first, results with their message."""
        return [
            text
            for message in self.messages
            for text in (message.text, *(result.text for result in message.results))
            if text
        ]


def text_of(content: Any) -> str:
    """The text of a message's content: a string, or a list of parts (those without `text` are left out)."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        content = [content]
    if not isinstance(content, list):
        return ""
    texts = [part.get("text") if isinstance(part, dict) else part for part in content]
    return "\n".join(text for text in texts if isinstance(text, str))


def with_texts(value: Any, change: Callable[[str], str]) -> Any:
    """A copy of a JSON value in which each text is changed; keys stay."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {key: with_texts(item, change) for key, item in value.items()}
    return [with_texts(item, change) for item in value] if isinstance(value, (list, tuple)) else value


def objects(value: Any) -> list[JsonObject]:
    """The objects in a list; an empty list for anything else."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
