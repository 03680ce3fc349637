"""Gemini: `POST …/models/M:generateContent`, `:streamGenerateContent`, `:countTokens`.

Fields: https://ai.google.dev/api/generate-content.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

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
    string,
)
from copilot.lab.model_server.requests import Message, ModelRequest, ToolResult, objects, text_of
from copilot.lab.model_server.turns import HttpError, JsonObject, Turn

_STATUS_WORDS = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}


class Gemini:
    name = "gemini"
    keep_alive = b": keep-alive\n\n"

    def task(self, path: str) -> Task | None:
        action = path.rpartition(":")[2]
        if action == "countTokens":
            return Task.COUNT
        return Task.GENERATE if action in ("generateContent", "streamGenerateContent") else None

    def read(self, http: HttpRequest, body: JsonObject) -> ModelRequest:
        model, _, action = http.path.rpartition("/models/")[2].rpartition(":")
        instruction = body.get("systemInstruction") or body.get("system_instruction")
        messages = [Message("system", _text(instruction))] if isinstance(instruction, dict) else []
        messages += [_message(item) for item in objects(body.get("contents"))]
        tools = tuple(
            string(function.get("name"))
            for tool in objects(body.get("tools"))
            for function in objects(tool.get("functionDeclarations"))
        )
        return replace(
            read_request(self.name, http, body, messages, tools, _schema(body)),
            model=model,
            stream=action == "streamGenerateContent",
        )

    def stream(self, turn: Turn, request: ModelRequest) -> Iterator[Piece]:
        for text in pieces_of(turn, turn.thinking):
            yield content(_answer(turn, request, [{"text": text, "thought": True}]))
        for text in pieces_of(turn, turn.text or turn.refusal or ""):
            yield content(_answer(turn, request, [{"text": text}]))
        if turn.tool_calls:
            yield content(_answer(turn, request, _calls(turn, request)))
        yield LAST
        yield frame(_answer(turn, request, [{"text": ""}], _finish_reason(turn)))

    def whole(self, turn: Turn, request: ModelRequest) -> JsonObject:
        parts: list[JsonObject] = [{"text": turn.thinking, "thought": True}] if turn.thinking else []
        if text := turn.text or turn.refusal:
            parts.append({"text": text})
        parts += _calls(turn, request)
        return _answer(turn, request, parts or [{"text": ""}], _finish_reason(turn))

    def error(self, error: HttpError) -> JsonObject:
        word = error.kind or _STATUS_WORDS.get(error.status, "INTERNAL")
        body: JsonObject = {"code": error.status, "message": error.message, "status": word}
        if error.details:
            body["details"] = list(error.details)
        return {"error": body}

    def count(self, tokens: int) -> JsonObject:
        return {"totalTokens": tokens}


def _text(content: JsonObject) -> str:
    return text_of([part for part in objects(content.get("parts")) if part.get("thought") is not True])


def _message(item: JsonObject) -> Message:
    role = "assistant" if item.get("role") == "model" else "user"
    results = tuple(
        _result(response)
        for part in objects(item.get("parts"))
        if isinstance(response := part.get("functionResponse"), dict)
    )
    return Message(role, _text(item), results)


def _result(response: JsonObject) -> ToolResult:
    given = response.get("response")
    output = given.get("output", given.get("error")) if isinstance(given, dict) else given
    text = output if isinstance(output, str) else json.dumps(given, ensure_ascii=False)
    failed = isinstance(given, dict) and "error" in given
    return ToolResult(string(response.get("id") or response.get("name")), text, failed)


def _schema(body: JsonObject) -> JsonObject | None:
    config = inner(body, "generationConfig") or {}
    schema = inner(config, "responseJsonSchema") or inner(config, "responseSchema")
    if schema is None and config.get("responseMimeType") == "application/json":
        return {"type": "object"}
    return schema


def _finish_reason(turn: Turn) -> str:
    if turn.refusal is not None:
        return "SAFETY"
    return "MAX_TOKENS" if turn.truncated else "STOP"


def _calls(turn: Turn, request: ModelRequest) -> list[JsonObject]:
    return [
        {"functionCall": {"name": call.name, "args": call.named, "id": f"fc-{request.number:06d}{index:02d}"}}
        for index, call in enumerate(turn.tool_calls)
    ]


def _answer(
    turn: Turn, request: ModelRequest, parts: list[JsonObject], finish: str | None = None
) -> JsonObject:
    candidate: JsonObject = {"content": {"role": "model", "parts": parts}, "index": 0}
    if finish:
        candidate["finishReason"] = finish
    sent, said = input_tokens(turn, request), output_tokens(turn)
    usage = {"promptTokenCount": sent, "candidatesTokenCount": said, "totalTokenCount": sent + said}
    return {
        "candidates": [candidate],
        "usageMetadata": usage,
        "modelVersion": request.model,
        "responseId": f"r{request.number:06d}",
    }
