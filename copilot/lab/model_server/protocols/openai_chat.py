"""OpenAI chat/completions: `POST …/chat/completions`, as compatible servers speak it too.

Fields: https://platform.openai.com/docs/api-reference/chat-streaming.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

from copilot.lab.model_server.http import HttpRequest
from copilot.lab.model_server.protocols import (
    LAST,
    Piece,
    Sent,
    Task,
    content,
    frame,
    inner,
    input_tokens,
    output_tokens,
    pieces_of,
    string,
)
from copilot.lab.model_server.requests import Message, ModelRequest, ToolResult, objects, text_of
from copilot.lab.model_server.turns import HttpError, JsonObject, ToolCall, Turn

ROLES = {"developer": "system"}


class OpenAiChat:
    name = "chat"
    keep_alive = b": keep-alive\n\n"

    def task(self, path: str) -> Task | None:
        return Task.GENERATE if path.endswith("/chat/completions") else None

    def read(self, http: HttpRequest, body: JsonObject) -> Sent:
        messages = tuple(_message(item) for item in objects(body.get("messages")))
        tools = tuple(_tool_name(tool) for tool in objects(body.get("tools")))
        schema = inner(body, "response_format", "json_schema", "schema")
        return Sent(string(body.get("model")), body.get("stream") is True, messages, tools, schema)

    def stream(self, turn: Turn, request: ModelRequest) -> Iterator[Piece]:
        yield frame(_chunk(request, {"role": "assistant", "content": ""}))
        for text in pieces_of(turn, turn.thinking):
            yield content(_chunk(request, {"reasoning_content": text}))
        for text in pieces_of(turn, turn.text):
            yield content(_chunk(request, {"content": text}))
        for text in pieces_of(turn, turn.refusal or ""):
            yield content(_chunk(request, {"refusal": text}))
        for index, call in enumerate(turn.tool_calls):
            start = dict(_call(request, index, call), index=index)
            arguments = start["function"]["arguments"]
            start["function"] = {"name": call.name, "arguments": ""}
            yield content(_chunk(request, {"tool_calls": [start]}))
            for text in pieces_of(turn, arguments):
                delta = {"index": index, "function": {"arguments": text}}
                yield content(_chunk(request, {"tool_calls": [delta]}))
        yield LAST
        yield frame(_chunk(request, {}, _finish_reason(turn)))
        if (inner(request.body, "stream_options") or {}).get("include_usage") is True:
            yield frame(dict(_chunk(request, {}), choices=[], usage=_usage(turn, request)))
        yield frame("[DONE]")

    def whole(self, turn: Turn, request: ModelRequest) -> JsonObject:
        message: JsonObject = {"role": "assistant", "content": turn.text or None, "refusal": turn.refusal}
        if turn.thinking:
            message["reasoning_content"] = turn.thinking
        if turn.tool_calls:
            calls = enumerate(turn.tool_calls)
            message["tool_calls"] = [_call(request, index, call) for index, call in calls]
        choice = {"index": 0, "message": message, "finish_reason": _finish_reason(turn), "logprobs": None}
        head = _head(request, "chat.completion")
        return {**head, "choices": [choice], "usage": _usage(turn, request)}

    def error(self, error: HttpError) -> JsonObject:
        return openai_error(error)

    def count(self, tokens: int) -> JsonObject:
        return {"total_tokens": tokens}


def openai_error(error: HttpError) -> JsonObject:
    """The body of an error as both OpenAI protocols have it."""
    kind = error.kind or ("invalid_request_error" if error.status < 429 else "server_error")
    code = "rate_limit_exceeded" if error.status == 429 else None
    return {"error": {"message": error.message, "type": kind, "param": None, "code": code}}


def _message(item: JsonObject) -> Message:
    role, text = string(item.get("role"), "user"), text_of(item.get("content"))
    if role == "tool":
        return Message("tool", "", (ToolResult(string(item.get("tool_call_id")), text),))
    return Message(ROLES.get(role, role), text)


def _tool_name(tool: JsonObject) -> str:
    function = tool.get("function") or tool.get("custom")
    return string(function.get("name")) if isinstance(function, dict) else string(tool.get("type"))


def _finish_reason(turn: Turn) -> str:
    if turn.truncated:
        return "length"
    return "tool_calls" if turn.tool_calls else "stop"


def _usage(turn: Turn, request: ModelRequest) -> JsonObject:
    sent, said = input_tokens(turn, request), output_tokens(turn)
    details = {"cached_tokens": turn.usage.cached_tokens}
    return {
        "prompt_tokens": sent,
        "completion_tokens": said,
        "total_tokens": sent + said,
        "prompt_tokens_details": details,
    }


def _head(request: ModelRequest, kind: str) -> JsonObject:
    identity = f"chatcmpl-{request.number:06d}"
    return {"id": identity, "object": kind, "created": int(time.time()), "model": request.model}


def _chunk(request: ModelRequest, delta: JsonObject, finish: str | None = None) -> JsonObject:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {**_head(request, "chat.completion.chunk"), "choices": [choice]}


def _call(request: ModelRequest, index: int, call: ToolCall) -> JsonObject:
    return {
        "id": f"call_{request.number:06d}{index:02d}",
        "type": "function",
        "function": {"name": call.name, "arguments": json.dumps(call.named, ensure_ascii=False)},
    }
