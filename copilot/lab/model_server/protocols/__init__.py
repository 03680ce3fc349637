"""What every protocol module gives: reading its requests, and writing a turn in its own words.

A protocol is pure: it makes pieces, the server decides when they leave.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from copilot.lab.model_server.http import HttpRequest
from copilot.lab.model_server.requests import Message, ModelRequest
from copilot.lab.model_server.turns import HttpError, JsonObject, Pace, Turn


class Task(enum.Enum):
    GENERATE = "generate"
    COUNT = "count"


class PieceKind(enum.Enum):
    """What a piece of a streamed answer is, as far as its timing goes."""

    FRAME = "frame"
    """Belongs to the framing: sent at once."""
    CONTENT = "content"
    """A delta of the content: the pause of the turn's pace follows."""
    LAST = "last"
    """No bytes: the content is complete, the closing frames follow. Here an answer hangs or is cut."""


@dataclass(frozen=True, slots=True)
class Piece:
    kind: PieceKind
    data: bytes = b""


LAST = Piece(PieceKind.LAST)


class ModelProtocol(Protocol):
    """One vendor's protocol. `keep_alive` is what the vendor sends while nothing happens."""

    name: str
    keep_alive: bytes

    def task(self, path: str) -> Task | None:
        """What this path is for, or None if it is not of this protocol."""
        ...

    def read(self, http: HttpRequest, body: JsonObject) -> ModelRequest:
        """The request, without its number and time."""
        ...

    def stream(self, turn: Turn, request: ModelRequest) -> Iterator[Piece]: ...

    def whole(self, turn: Turn, request: ModelRequest) -> JsonObject: ...

    def error(self, error: HttpError) -> JsonObject: ...

    def count(self, tokens: int) -> JsonObject: ...


def frame(data: JsonObject | str, event: str = "") -> Piece:
    return Piece(PieceKind.FRAME, sse(data, event))


def content(data: JsonObject, event: str = "") -> Piece:
    return Piece(PieceKind.CONTENT, sse(data, event))


def sse(data: JsonObject | str, event: str = "") -> bytes:
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    head = f"event: {event}\n" if event else ""
    return f"{head}data: {text}\n\n".encode("utf-8", "surrogatepass")


def pieces_of(turn: Turn, text: str) -> list[str]:
    """`text` cut as the turn's pace says; nothing for an empty text."""
    size = max(1, (turn.pace or Pace()).chunk_characters)
    return [text[start : start + size] for start in range(0, len(text), size)]


def input_tokens(turn: Turn, request: ModelRequest) -> int:
    given = turn.usage.input_tokens
    return estimate(request) if given is None else given


def estimate(request: ModelRequest) -> int:
    return max(1, sum(len(text) for text in request.texts) // 4)


def output_tokens(turn: Turn) -> int:
    if turn.usage.output_tokens is not None:
        return turn.usage.output_tokens
    calls = sum(len(json.dumps(dict(call.arguments))) + len(call.input or "") for call in turn.tool_calls)
    return max(1, (len(turn.text) + len(turn.thinking) + len(turn.refusal or "") + calls) // 4)


def string(value: Any, default: str = "") -> str:
    return value if isinstance(value, str) else default


def inner(value: Any, *keys: str) -> JsonObject | None:
    """The object at the end of these keys, or None."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else None


def read_request(
    protocol: str,
    http: HttpRequest,
    body: JsonObject,
    messages: Iterable[Message],
    tools: Iterable[str],
    schema: JsonObject | None,
) -> ModelRequest:
    """A request without its number and time; `model` and `stream` are keys of most bodies."""
    model, stream = string(body.get("model")), body.get("stream") is True
    return ModelRequest(
        0, 0.0, protocol, http.path, model, stream, tuple(messages), tuple(tools), body, schema
    )
