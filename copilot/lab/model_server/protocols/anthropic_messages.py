"""Anthropic Messages: `POST …/v1/messages` and `…/count_tokens`.

Event names and fields: https://docs.anthropic.com/en/docs/build-with-claude/streaming.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from copilot.lab.model_server.http import HttpRequest
from copilot.lab.model_server.protocols import (
    LAST,
    Piece,
    Task,
    content,
    frame,
    inner,
    input_tokens,
    output_tokens,
    pieces_of,
    read_request,
    sse,
    string,
)
from copilot.lab.model_server.requests import Message, ModelRequest, ToolResult, objects, text_of
from copilot.lab.model_server.turns import HttpError, JsonObject, Turn

_ERROR_KINDS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}


class AnthropicMessages:
    name = "anthropic"
    keep_alive = sse({"type": "ping"}, "ping")

    def task(self, path: str) -> Task | None:
        if path.endswith("/messages/count_tokens"):
            return Task.COUNT
        return Task.GENERATE if path.endswith("/messages") else None

    def read(self, http: HttpRequest, body: JsonObject) -> ModelRequest:
        messages = [Message("system", text_of(body.get("system")))] if body.get("system") else []
        messages += [_message(item) for item in objects(body.get("messages"))]
        tools = tuple(string(tool.get("name")) for tool in objects(body.get("tools")))
        schema = inner(body, "output_config", "format", "schema") or inner(body, "output_format", "schema")
        return read_request(self.name, http, body, messages, tools, schema)

    def stream(self, turn: Turn, request: ModelRequest) -> Iterator[Piece]:
        message = self._message(turn, request)
        usage = dict(message["usage"], output_tokens=1)
        start = dict(message, content=[], stop_reason=None, usage=usage)
        yield _event("message_start", message=start)
        blocks = message["content"]
        for index, block in enumerate(blocks):
            yield from _block(turn, index, block, last=index == len(blocks) - 1)
        if not blocks:
            yield LAST
        delta = {"stop_reason": message["stop_reason"], "stop_sequence": None}
        yield _event("message_delta", delta=delta, usage={"output_tokens": output_tokens(turn)})
        yield _event("message_stop")

    def whole(self, turn: Turn, request: ModelRequest) -> JsonObject:
        return self._message(turn, request)

    def error(self, error: HttpError) -> JsonObject:
        kind = error.kind or _ERROR_KINDS.get(error.status, "api_error")
        return {
            "type": "error",
            "error": {"type": kind, "message": error.message},
            "request_id": "req_scripted",
        }

    def count(self, tokens: int) -> JsonObject:
        return {"input_tokens": tokens}

    def _message(self, turn: Turn, request: ModelRequest) -> JsonObject:
        return {
            "id": f"msg_{request.number:06d}",
            "type": "message",
            "role": "assistant",
            "model": request.model,
            "content": _blocks(turn, request),
            "stop_reason": _stop_reason(turn),
            "stop_sequence": None,
            "usage": {
                "input_tokens": input_tokens(turn, request),
                "output_tokens": output_tokens(turn),
                "cache_creation_input_tokens": 0,
                "cache_read_input_tokens": turn.usage.cached_tokens,
            },
        }


def _message(item: JsonObject) -> Message:
    blocks = item.get("content")
    results = tuple(
        ToolResult(
            string(block.get("tool_use_id")), text_of(block.get("content")), block.get("is_error") is True
        )
        for block in objects(blocks)
        if block.get("type") == "tool_result"
    )
    return Message(string(item.get("role"), "user"), text_of(blocks), results)


def _stop_reason(turn: Turn) -> str:
    if turn.refusal is not None:
        return "refusal"
    if turn.truncated:
        return "max_tokens"
    return "tool_use" if turn.tool_calls else "end_turn"


def _blocks(turn: Turn, request: ModelRequest) -> list[JsonObject]:
    blocks: list[JsonObject] = []
    if turn.thinking:
        blocks.append({"type": "thinking", "thinking": turn.thinking, "signature": "c2NyaXB0ZWQ="})
    if text := turn.text or turn.refusal:
        blocks.append({"type": "text", "text": text})
    for index, call in enumerate(turn.tool_calls):
        identity = f"toolu_{request.number:06d}{index:02d}"
        blocks.append({"type": "tool_use", "id": identity, "name": call.name, "input": call.named})
    return blocks


def _block(turn: Turn, index: int, block: JsonObject, *, last: bool) -> Iterator[Piece]:
    empty, deltas = _parts(turn, block)
    yield _event("content_block_start", index=index, content_block=empty)
    for delta in deltas:
        event = {"type": "content_block_delta", "index": index, "delta": delta}
        yield content(event, "content_block_delta")
    if last:
        yield LAST
    yield _event("content_block_stop", index=index)


def _event(kind: str, **fields: Any) -> Piece:
    return frame({"type": kind, **fields}, kind)


def _parts(turn: Turn, block: JsonObject) -> tuple[JsonObject, list[JsonObject]]:
    """A block as it starts, and the deltas that fill it."""
    if block["type"] == "text":
        texts = pieces_of(turn, block["text"])
        return dict(block, text=""), [{"type": "text_delta", "text": text} for text in texts]
    if block["type"] == "thinking":
        texts = pieces_of(turn, block["thinking"])
        deltas = [{"type": "thinking_delta", "thinking": text} for text in texts]
        signature = {"type": "signature_delta", "signature": block["signature"]}
        return dict(block, thinking="", signature=""), [*deltas, signature]
    texts = pieces_of(turn, json.dumps(block["input"], ensure_ascii=False))
    return dict(block, input={}), [{"type": "input_json_delta", "partial_json": text} for text in texts]
