"""Mock tools: tools of a test that a coding CLI offers to its model as it offers those of any MCP server.

The CLI finds them, asks, fires its hooks and may block them as ever; only what they give back is the test's.
Protocol: https://modelcontextprotocol.io/specification/2025-06-18 (streamable HTTP, answers as plain JSON).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from copilot.errors import InputError
from copilot.lab.model_server import Playbook, Turn
from copilot.lab.model_server.http import Connection, HttpRequest, Serving

SERVER = "mock"
"""The name of the MCP server that holds them."""

_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_NO_METHOD = -32601
_ANY_ARGUMENTS: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": True}


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """A full result: the texts of its content, whether it is an error, and its structured content."""

    content: str | Sequence[str] = ""
    is_error: bool = False
    structured: Mapping[str, Any] | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        return (self.content,) if isinstance(self.content, str) else tuple(self.content)

    def as_result(self) -> dict[str, Any]:
        result: dict[str, Any] = {
            "content": [{"type": "text", "text": text} for text in self.texts],
            "isError": self.is_error,
        }
        return result if self.structured is None else {**result, "structuredContent": dict(self.structured)}


Answering = str | ToolAnswer | Callable[[dict[str, Any]], str | ToolAnswer]
"""What a mock tool gives: always the same text, a full result, or what a function makes of the arguments."""


@dataclass(frozen=True, slots=True)
class MockTool:
    """A tool with its JSON Schema `parameters`; without one it takes any arguments."""

    answer: Answering
    description: str = "A tool of this test."
    parameters: Mapping[str, Any] = field(default_factory=lambda: _ANY_ARGUMENTS)


@dataclass(frozen=True, slots=True)
class MockCall:
    """A call that reached the mock tool: no hook and no answer of a person was in its way."""

    name: str
    arguments: dict[str, Any]
    answer: ToolAnswer


class ToolServer(Serving):
    """Serves the mock tools on a loopback port. `calls` is what reached them; `faults` what they raised."""

    def __init__(self, tools: Mapping[str, Answering | MockTool]) -> None:
        super().__init__()
        for name in tools:
            if not name or not set(name) <= _NAME_CHARACTERS:
                raise InputError(f"tools: {name!r} is no name of a tool; use letters, digits and _")
        self.tools = {
            name: tool if isinstance(tool, MockTool) else MockTool(tool) for name, tool in tools.items()
        }
        self._lock = threading.Lock()
        self._calls: list[MockCall] = []

    @property
    def calls(self) -> list[MockCall]:
        with self._lock:
            return list(self._calls)

    @property
    def mcp_url(self) -> str:
        return f"{self.url}/mcp"

    async def handle(self, http: HttpRequest, answer: Connection) -> None:
        if http.method != "POST":
            await answer.send_json({"error": {"message": "POST only"}}, 405)
            return
        message = http.json()
        if not isinstance(message, dict) or "id" not in message:
            await answer.send_json({}, 202)
            return
        reply = {"jsonrpc": "2.0", "id": message["id"]}
        params = message.get("params")
        await answer.send_json(
            reply | self._answered(str(message.get("method")), params if isinstance(params, dict) else {})
        )

    def _answered(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        match method:
            case "initialize":
                information = {"name": SERVER, "version": "1"}
                version = params.get("protocolVersion", "2025-06-18")
                capabilities: dict[str, Any] = {"tools": {}}
                result = {"protocolVersion": version, "capabilities": capabilities, "serverInfo": information}
            case "tools/list":
                result = {"tools": self.listed()}
            case "tools/call":
                result = self._call(str(params.get("name")), params.get("arguments") or {}).as_result()
            case "ping":
                result = {}
            case _:
                return {"error": {"code": _NO_METHOD, "message": f"no method {method}"}}
        return {"result": result}

    def listed(self) -> list[dict[str, Any]]:
        """The tools as MCP lists them."""
        return [
            {"name": name, "description": tool.description, "inputSchema": dict(tool.parameters)}
            for name, tool in self.tools.items()
        ]

    def _call(self, name: str, arguments: dict[str, Any]) -> ToolAnswer:
        if name not in self.tools:
            return ToolAnswer(f"there is no tool {name!r}", is_error=True)
        try:
            answer = _answer_of(self.tools[name].answer, arguments)
        except Exception as error:
            why = f"the mock tool {name!r} failed: {type(error).__name__}: {error}"
            self.faults.append(why)
            answer = ToolAnswer(why, is_error=True)
        with self._lock:
            self._calls.append(MockCall(name, arguments, answer))
        return answer


def _answer_of(answer: Answering, arguments: dict[str, Any]) -> ToolAnswer:
    given = answer(arguments) if callable(answer) else answer
    if isinstance(given, (str, ToolAnswer)):
        return given if isinstance(given, ToolAnswer) else ToolAnswer(given)
    raise TypeError(f"it must give a text or a ToolAnswer, not {type(given).__name__}")


def renamed(book: Playbook, names: Mapping[str, str]) -> Playbook:
    """The playbook with its tool calls under the names that the CLI offers the tools by."""

    def changed(turn: Turn) -> Turn:
        calls = tuple(replace(call, name=names.get(call.name, call.name)) for call in turn.tool_calls)
        made = turn.dynamic
        if made is None:
            return replace(turn, tool_calls=calls)

        def later(request: Any) -> Turn | str:
            given = made(request)
            return changed(given) if isinstance(given, Turn) else given

        return replace(turn, tool_calls=calls, dynamic=later)

    return replace(book, turns=tuple(map(changed, book.turns)))
