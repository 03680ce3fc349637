"""Gives a turn to a client, byte by byte: at its pace, cut or silent where the turn says so."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from copilot.lab.model_server.http import Answer
from copilot.lab.model_server.protocols.base import ModelProtocol, Piece, PieceKind
from copilot.lab.model_server.requests import ModelRequest
from copilot.lab.model_server.turns import Drop, HttpError, JsonObject, Pace, Turn

_DEPTH_LIMIT = 8


def side_answer(request: ModelRequest, text: str) -> Turn:
    """The turn for a side request: the smallest document of its schema, else `text`."""
    if request.response_schema is None:
        return Turn(text)
    return Turn(json.dumps(example(request.response_schema, text), ensure_ascii=False))


def example(schema: JsonObject, text: str, depth: int = 0) -> Any:
    """A small value that fits a JSON schema; strings are `text` where nothing else is asked.

    An enumeration gives its first value.
    """
    if "const" in schema:
        return schema["const"]
    if choices := schema.get("enum"):
        return choices[0]
    for key in ("anyOf", "oneOf", "allOf"):
        branches = schema.get(key)
        if branches and depth < _DEPTH_LIMIT:
            return example(branches[0], text, depth + 1)
    kind = schema.get("type", "object" if "properties" in schema else "string")
    kind = str(kind[0] if isinstance(kind, list) else kind).lower()
    if kind == "object" and depth < _DEPTH_LIMIT:
        wanted = schema.get("required") or schema.get("properties") or ()
        properties = schema.get("properties") or {}
        return {name: example(properties.get(name, {}), text, depth + 1) for name in wanted}
    simple: dict[str, Any] = {"object": {}, "array": [], "boolean": True, "null": None}
    if kind in ("integer", "number"):
        return schema.get("minimum", 0)
    return simple.get(kind, text)


_KEEP_ALIVE_SECONDS = 0.5
_AT_ONCE = Pace()


async def give(turn: Turn, request: ModelRequest, protocol: ModelProtocol, answer: Answer) -> None:
    """Answer `request` with `turn`. Raises ClientGone when the client leaves."""
    pace = turn.pace or _AT_ONCE
    await answer.pause(pace.first_delay_seconds)
    if turn.drop is Drop.START:
        answer.cut()
    elif turn.error is not None:
        await answer.send_json(protocol.error(turn.error), turn.error.status, _headers(turn.error))
    elif request.stream:
        await _stream(turn, pace, protocol.stream(turn, request), protocol.keep_alive, answer)
    else:
        await answer.pause(turn.hang_seconds)
        if turn.drop is not None:
            answer.cut()
        else:
            await answer.send_json(protocol.whole(turn, request))


async def _stream(turn: Turn, pace: Pace, pieces: Iterable[Piece], keep_alive: bytes, answer: Answer) -> None:
    await answer.start_stream()
    pieces = list(pieces)
    contents = sum(piece.kind is PieceKind.CONTENT for piece in pieces)
    cut_after = max(1, contents // 2) if turn.drop is Drop.MIDDLE else contents + 1
    given = 0
    ready = bytearray()
    for piece in pieces:
        ready += piece.data
        given += piece.kind is PieceKind.CONTENT
        must_leave = pace.chunk_delay_seconds > 0 and piece.kind is PieceKind.CONTENT
        if given >= cut_after or (piece.kind is PieceKind.LAST and _stays(turn)):
            await _send(answer, ready)
            if turn.drop is not None and (given >= cut_after or turn.drop is Drop.END):
                answer.cut()
                return
            await _hang(turn, keep_alive, answer)
        elif must_leave:
            await _send(answer, ready)
            await answer.pause(pace.chunk_delay_seconds)
    await _send(answer, ready)
    await answer.end_stream()


def _stays(turn: Turn) -> bool:
    return turn.hang_seconds > 0 or turn.drop is not None


async def _send(answer: Answer, ready: bytearray) -> None:
    if ready:
        await answer.send(bytes(ready))
        ready.clear()


async def _hang(turn: Turn, keep_alive: bytes, answer: Answer) -> None:
    left = turn.hang_seconds
    while left > 0:
        await answer.pause(min(left, _KEEP_ALIVE_SECONDS))
        left -= _KEEP_ALIVE_SECONDS
        if turn.keep_alive and left > 0:
            await answer.send(keep_alive)


def _headers(error: HttpError) -> dict[str, str]:
    headers = dict(error.headers)
    if error.retry_after_seconds is not None:
        headers.setdefault("retry-after", f"{error.retry_after_seconds:g}")
    return headers
