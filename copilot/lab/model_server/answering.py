"""Gives a turn to a client, byte by byte: at its pace, cut or silent where the turn says so."""

from __future__ import annotations

import json
from typing import Any

from copilot.lab.model_server.http import Connection
from copilot.lab.model_server.protocols import ModelProtocol, PieceKind
from copilot.lab.model_server.requests import ModelRequest
from copilot.lab.model_server.turns import Drop, HttpError, JsonObject, Pace, Turn

_DEPTH_LIMIT = 8
_KEEP_ALIVE_SECONDS = 0.5
_AT_ONCE = Pace()


def side_answer(request: ModelRequest, text: str) -> Turn:
    """The turn for a side request: the smallest document of its schema, else `text`."""
    if request.response_schema is None:
        return Turn(text)
    return Turn(json.dumps(_example(request.response_schema, text), ensure_ascii=False))


def _example(schema: JsonObject, text: str, depth: int = 0) -> Any:
    """A small value that fits a JSON schema; strings are `text` unless the schema says more."""
    if "const" in schema:
        return schema["const"]
    if choices := schema.get("enum"):
        return choices[0]
    for key in ("anyOf", "oneOf", "allOf"):
        branches = schema.get(key)
        if branches and depth < _DEPTH_LIMIT:
            return _example(branches[0], text, depth + 1)
    kind = schema.get("type", "object" if "properties" in schema else "string")
    kind = str(kind[0] if isinstance(kind, list) else kind).lower()
    if kind == "object" and depth < _DEPTH_LIMIT:
        wanted = schema.get("required") or schema.get("properties") or ()
        properties = schema.get("properties") or {}
        return {name: _example(properties.get(name, {}), text, depth + 1) for name in wanted}
    simple: dict[str, Any] = {"object": {}, "array": [], "boolean": True, "null": None}
    if kind in ("integer", "number"):
        return schema.get("minimum", 0)
    return simple.get(kind, text)


async def give(turn: Turn, request: ModelRequest, protocol: ModelProtocol, answer: Connection) -> None:
    """Answer `request` with `turn`. Raises ClientGone when the client leaves."""
    pace = turn.pace or _AT_ONCE
    await answer.pause(pace.first_delay_seconds)
    if turn.drop is Drop.START:
        answer.cut()
    elif turn.error is not None:
        await answer.send_json(protocol.error(turn.error), turn.error.status, _headers(turn.error))
    elif request.stream:
        await _stream(turn, request, protocol, answer)
    else:
        await answer.pause(turn.hang_seconds)
        if turn.drop is not None:
            answer.cut()
        else:
            await answer.send_json(protocol.whole(turn, request))


async def _stream(turn: Turn, request: ModelRequest, protocol: ModelProtocol, answer: Connection) -> None:
    """Pieces are collected until one must leave: for its pace, before a silence, before a cut."""
    await answer.start_stream()
    delay = (turn.pace or _AT_ONCE).chunk_delay_seconds
    pieces = list(protocol.stream(turn, request))
    contents = sum(piece.kind is PieceKind.CONTENT for piece in pieces)
    cut_after = max(1, contents // 2) if turn.drop is Drop.MIDDLE else contents + 1
    given = 0
    ready = b""
    for piece in pieces:
        ready += piece.data
        given += piece.kind is PieceKind.CONTENT
        at_end = piece.kind is PieceKind.LAST and (turn.hang_seconds > 0 or turn.drop is not None)
        if not at_end and given < cut_after and (delay <= 0 or piece.kind is not PieceKind.CONTENT):
            continue
        if ready:
            await answer.send(ready)
            ready = b""
        if given >= cut_after or (at_end and turn.drop is Drop.END):
            answer.cut()
            return
        if at_end:
            await _hang(turn, protocol.keep_alive, answer)
        else:
            await answer.pause(delay)
    if ready:
        await answer.send(ready)
    await answer.end_stream()


async def _hang(turn: Turn, keep_alive: bytes, answer: Connection) -> None:
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
