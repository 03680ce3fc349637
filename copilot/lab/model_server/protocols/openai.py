"""OpenAI's two protocols: chat/completions, as compatible servers speak it too, and Responses.

`POST …/chat/completions`: https://platform.openai.com/docs/api-reference/chat-streaming.
`POST …/responses`: https://platform.openai.com/docs/api-reference/responses-streaming.
"""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Iterator, Sequence
from typing import Any

from copilot.lab.model_server.http import HttpRequest
from copilot.lab.model_server.protocols import (
    LAST,
    Piece,
    PieceKind,
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
from copilot.lab.model_server.turns import HttpError, JsonObject, ToolCall, Turn

_ROLES = {"developer": "system"}


class OpenAiChat:
    name = "chat"
    keep_alive = b": keep-alive\n\n"

    def task(self, path: str) -> Task | None:
        return Task.GENERATE if path.endswith("/chat/completions") else None

    def read(self, http: HttpRequest, body: JsonObject) -> ModelRequest:
        messages = [_chat_message(item) for item in objects(body.get("messages"))]
        tools = [_tool_name(tool) for tool in objects(body.get("tools"))]
        schema = inner(body, "response_format", "json_schema", "schema")
        return read_request(self.name, http, body, messages, tools, schema)

    def stream(self, turn: Turn, request: ModelRequest) -> Iterator[Piece]:
        yield frame(_chunk(request, {"role": "assistant", "content": ""}))
        for text in pieces_of(turn, turn.thinking):
            yield content(_chunk(request, {"reasoning_content": text}))
        for text in pieces_of(turn, turn.text):
            yield content(_chunk(request, {"content": text}))
        for text in pieces_of(turn, turn.refusal or ""):
            yield content(_chunk(request, {"refusal": text}))
        for index, call in enumerate(turn.tool_calls):
            start = dict(_chat_call(request, index, call), index=index)
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
            message["tool_calls"] = [_chat_call(request, index, call) for index, call in calls]
        choice = {"index": 0, "message": message, "finish_reason": _finish_reason(turn), "logprobs": None}
        head = _head(request, "chat.completion")
        return {**head, "choices": [choice], "usage": _usage(turn, request)}

    def error(self, error: HttpError) -> JsonObject:
        return _error_body(error)

    def count(self, tokens: int) -> JsonObject:
        return {"total_tokens": tokens}


def _error_body(error: HttpError) -> JsonObject:
    """The body of an error as both OpenAI protocols have it."""
    kind = error.kind or ("invalid_request_error" if error.status < 429 else "server_error")
    code = "rate_limit_exceeded" if error.status == 429 else None
    return {"error": {"message": error.message, "type": kind, "param": None, "code": code}}


def _chat_message(item: JsonObject) -> Message:
    role, text = string(item.get("role"), "user"), text_of(item.get("content"))
    if role == "tool":
        return Message("tool", "", (ToolResult(string(item.get("tool_call_id")), text),))
    return Message(_ROLES.get(role, role), text)


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


def _chat_call(request: ModelRequest, index: int, call: ToolCall) -> JsonObject:
    return {
        "id": f"call_{request.number:06d}{index:02d}",
        "type": "function",
        "function": {"name": call.name, "arguments": json.dumps(call.named, ensure_ascii=False)},
    }


_SEARCH = "tool_search"
_OUTPUTS = ("function_call_output", "custom_tool_call_output", "local_shell_call_output")


class OpenAiResponses:
    name = "responses"
    keep_alive = b": keep-alive\n\n"

    def task(self, path: str) -> Task | None:
        if path.endswith("/responses/input_tokens"):
            return Task.COUNT
        return Task.GENERATE if path.endswith("/responses") else None

    def read(self, http: HttpRequest, body: JsonObject) -> ModelRequest:
        sent = body.get("input")
        items = [{"role": "user", "content": sent}] if isinstance(sent, str) else objects(sent)
        messages = [Message("system", string(body.get("instructions")))] if body.get("instructions") else []
        messages += [message for item in items if (message := _input_message(item)) is not None]
        tools = [*objects(body.get("tools")), *_additional_tools(items)]
        names = tuple(string(tool.get("name")) or string(tool.get("type")) for tool in tools)
        schema = inner(body, "text", "format", "schema")
        return read_request(self.name, http, body, messages, names, schema)

    def stream(self, turn: Turn, request: ModelRequest) -> Iterator[Piece]:
        return _Stream(turn, request).pieces()

    def whole(self, turn: Turn, request: ModelRequest) -> JsonObject:
        return _response(turn, request, _items(turn, request))

    def error(self, error: HttpError) -> JsonObject:
        return _error_body(error)

    def count(self, tokens: int) -> JsonObject:
        return {"object": "response.input_tokens", "input_tokens": tokens}


class _Stream:
    def __init__(self, turn: Turn, request: ModelRequest) -> None:
        self._turn = turn
        self._request = request
        self._numbers = itertools.count()

    def pieces(self) -> Iterator[Piece]:
        items = _items(self._turn, self._request)
        started = dict(_response(self._turn, self._request, []), status="in_progress", usage=None)
        yield self._event("response.created", response=started)
        yield self._event("response.in_progress", response=started)
        for index, item in enumerate(items):
            yield self._event("response.output_item.added", output_index=index, item=_empty(item))
            yield from self._contents(index, item)
            if index == len(items) - 1:
                yield LAST
            yield self._event("response.output_item.done", output_index=index, item=item)
        if not items:
            yield LAST
        whole = _response(self._turn, self._request, items)
        yield self._event(f"response.{whole['status']}", response=whole)

    def _event(self, kind: str, piece: PieceKind = PieceKind.FRAME, **fields: Any) -> Piece:
        data = {"type": kind, "sequence_number": next(self._numbers), **fields}
        return Piece(piece, sse(data, kind))

    def _contents(self, index: int, item: JsonObject) -> Iterator[Piece]:
        place = {"item_id": item["id"], "output_index": index}
        if item["type"] == "message":
            yield from self._message(place, item["content"][0])
        elif item["type"] == "reasoning":
            yield from self._reasoning(place, item["summary"][0])
        elif item["type"] == "function_call":
            yield from self._texts("response.function_call_arguments", place, item["arguments"])
            done = {**place, "name": item["name"], "arguments": item["arguments"]}
            yield self._event("response.function_call_arguments.done", **done)
        else:
            yield from self._texts("response.custom_tool_call_input", place, item["input"])
            yield self._event("response.custom_tool_call_input.done", **place, input=item["input"])

    def _message(self, place: JsonObject, part: JsonObject) -> Iterator[Piece]:
        place = {**place, "content_index": 0}
        field = "refusal" if part["type"] == "refusal" else "text"
        kind = "response.refusal" if field == "refusal" else "response.output_text"
        yield self._event("response.content_part.added", **place, part={**part, field: ""})
        extra: JsonObject = {} if field == "refusal" else {"logprobs": []}
        yield from self._texts(kind, {**place, **extra}, part[field])
        yield self._event(f"{kind}.done", **{**place, **extra, field: part[field]})
        yield self._event("response.content_part.done", **place, part=part)

    def _reasoning(self, place: JsonObject, part: JsonObject) -> Iterator[Piece]:
        place = {**place, "summary_index": 0}
        yield self._event("response.reasoning_summary_part.added", **place, part={**part, "text": ""})
        yield from self._texts("response.reasoning_summary_text", place, part["text"])
        yield self._event("response.reasoning_summary_text.done", **place, text=part["text"])
        yield self._event("response.reasoning_summary_part.done", **place, part=part)

    def _texts(self, kind: str, place: JsonObject, text: str) -> Iterator[Piece]:
        for chunk in pieces_of(self._turn, text):
            yield self._event(f"{kind}.delta", PieceKind.CONTENT, **place, delta=chunk)


def _input_message(item: JsonObject) -> Message | None:
    kind = item.get("type", "message")
    if kind == "message":
        role = string(item.get("role"), "user")
        return Message(_ROLES.get(role, role), text_of(item.get("content")))
    if kind in _OUTPUTS:
        result = ToolResult(string(item.get("call_id")), text_of(item.get("output")))
        return Message("tool", "", (result,))
    if kind in ("function_call", "custom_tool_call"):
        return Message("assistant")
    return None


def _additional_tools(items: list[JsonObject]) -> list[JsonObject]:
    """Tools that newer Codex models carry as an input item, in groups."""
    tools: list[JsonObject] = []
    for item in items:
        if item.get("type") == "additional_tools":
            for tool in objects(item.get("tools")):
                tools += objects(tool.get("tools")) or [tool]
    return tools


def _response(turn: Turn, request: ModelRequest, output: list[JsonObject]) -> JsonObject:
    sent, said = input_tokens(turn, request), output_tokens(turn)
    return {
        "id": f"resp_{request.number:06d}",
        "object": "response",
        "created_at": int(time.time()),
        "status": "incomplete" if turn.truncated else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if turn.truncated else None,
        "error": None,
        "model": request.model,
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": sent,
            "input_tokens_details": {"cached_tokens": turn.usage.cached_tokens},
            "output_tokens": said,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": sent + said,
        },
    }


def _items(turn: Turn, request: ModelRequest) -> list[JsonObject]:
    number = f"{request.number:06d}"
    items: list[JsonObject] = []
    if turn.thinking:
        summary = [{"type": "summary_text", "text": turn.thinking}]
        items.append({"type": "reasoning", "id": f"rs_{number}", "summary": summary})
    if turn.text:
        part: JsonObject = {"type": "output_text", "text": turn.text, "annotations": []}
        items.append(_message_item(f"msg_{number}", part))
    if turn.refusal is not None:
        items.append(_message_item(f"msg_{number}r", {"type": "refusal", "refusal": turn.refusal}))
    calls = [_output_call(f"{number}{index:02d}", call) for index, call in enumerate(turn.tool_calls)]
    items += [_in_namespace(call, request.tools) for call in calls]
    return items


def _message_item(identity: str, part: JsonObject) -> JsonObject:
    return {"type": "message", "id": identity, "status": "completed", "role": "assistant", "content": [part]}


def _output_call(number: str, call: ToolCall) -> JsonObject:
    common = {"call_id": f"call_{number}", "name": call.name, "status": "completed"}
    if call.input is not None:
        return {"type": "custom_tool_call", "id": f"ctc_{number}", **common, "input": call.input}
    arguments = json.dumps(dict(call.arguments), ensure_ascii=False)
    return {"type": "function_call", "id": f"fc_{number}", **common, "arguments": arguments}


def _in_namespace(call: JsonObject, tools: Sequence[str]) -> JsonObject:
    """A tool that is offered inside of a namespace is called by both names; a playbook writes SPACE__NAME."""
    for space in tools:
        name = call["name"].removeprefix(f"{space}__")
        if name != call["name"]:
            return {**call, "namespace": space, "name": name}
    kind, _, rest = call["name"].partition("__")
    server, _, name = rest.partition("__")
    if kind == "mcp" and name and _SEARCH in tools:  # Codex keeps tools of MCP servers behind its search
        return {**call, "namespace": f"mcp__{server}", "name": name}
    return call


def _empty(item: JsonObject) -> JsonObject:
    nothing: dict[str, JsonObject] = {
        "message": {"content": []},
        "reasoning": {"summary": []},
        "function_call": {"arguments": ""},
    }
    start = {**item, **nothing.get(item["type"], {"input": ""})}
    return start if item["type"] == "reasoning" else {**start, "status": "in_progress"}
