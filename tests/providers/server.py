"""A server on 127.0.0.1 that speaks just enough HTTP and server-sent events, and plays a script.

Each request takes the next `Answer`; the last one repeats. The requests are kept as they came.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest


@dataclass(frozen=True, slots=True)
class Answer:
    """One response. `end` is `close` (in order), `cut` (mid-chunk), or `stall` (never goes on)."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    end: str = "close"
    silent: bool = False
    """Nothing is answered at all."""


@dataclass(slots=True)
class Received:
    path: str
    headers: dict[str, str]
    raw: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.raw)


class ScriptedServer:
    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.received: list[Received] = []
        self.url = ""
        self.arrived = asyncio.Event()
        self._release = asyncio.Event()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {
            name.lower(): value.strip()
            for name, _, value in (line.partition(":") for line in head[1:])
            if name
        }
        raw = await reader.readexactly(int(headers.get("content-length", "0")))
        self.received.append(Received(head[0].split(" ")[1], headers, raw))
        self.arrived.set()
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if answer.silent:
            await self._release.wait()
            return False
        lines = [f"HTTP/1.1 {answer.status} X", "Transfer-Encoding: chunked"]
        lines += [f"{name}: {value}" for name, value in answer.headers.items()]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        if answer.body:
            writer.write(f"{len(answer.body):x}\r\n".encode() + answer.body + b"\r\n")
        await writer.drain()
        if answer.end == "stall":
            await self._release.wait()
            return False
        if answer.end == "cut":
            writer.write(b"ff\r\nhalf")
            await writer.drain()
            return False
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True

    @asynccontextmanager
    async def running(self) -> AsyncIterator[ScriptedServer]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        host, port = server.sockets[0].getsockname()[:2]
        self.url = f"http://{host}:{port}"
        try:
            yield self
        finally:
            self._release.set()
            server.close()

    @contextmanager
    def in_thread(self) -> Iterator[ScriptedServer]:
        """The server in a thread, for what runs a loop of its own in this one."""
        loop, running = asyncio.new_event_loop(), self.running()
        thread = threading.Thread(target=loop.run_forever)
        thread.start()
        try:
            asyncio.run_coroutine_threadsafe(running.__aenter__(), loop).result()
            yield self
            asyncio.run_coroutine_threadsafe(running.__aexit__(None, None, None), loop).result()
        finally:
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()


_EVENT_STREAM = {"Content-Type": "text/event-stream"}
_JSON = {"Content-Type": "application/json"}


def _event(data: object, name: str | None = None) -> bytes:
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {data if isinstance(data, str) else json.dumps(data)}\n\n".encode()


def _pieces(text: str) -> list[str]:
    """Seven characters each, more of a long text."""
    size = max(7, len(text) // 100)
    return [text[begin : begin + size] for begin in range(0, len(text), size)]


class AnthropicWords:
    """Answers in the words of Anthropic's Messages API."""

    name = "anthropic"
    variable = "ANTHROPIC_API_KEY"
    usage = {
        "input_tokens": 900,
        "output_tokens": 40,
        "cache_read_input_tokens": 100,
        "cache_creation_input_tokens": 0,
    }

    def stream(
        self,
        text: str,
        *,
        stop: str = "end_turn",
        whole: bool = True,
        end: str = "close",
        usage: dict[str, int] | None = None,
    ) -> Answer:
        usage = self.usage if usage is None else usage
        message: dict[str, object] = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "claude-haiku-5-5",
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {**usage, "output_tokens": 1},
        }
        body = _event({"type": "message_start", "message": message}, "message_start")
        body += _event(
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
            "content_block_start",
        )
        body += _event({"type": "ping"}, "ping")
        for piece in _pieces(text):
            delta = {
                "type": "content_block_delta",
                "index": 0,
                "delta": {"type": "text_delta", "text": piece},
            }
            body += _event(delta, "content_block_delta")
        if whole:
            body += _event({"type": "content_block_stop", "index": 0}, "content_block_stop")
            delta = {
                "type": "message_delta",
                "delta": {"stop_reason": stop, "stop_sequence": None},
                "usage": {"output_tokens": usage.get("output_tokens", 0)},
            }
            body += _event(delta, "message_delta")
            body += _event({"type": "message_stop"}, "message_stop")
        return Answer(200, body, _EVENT_STREAM, end)

    def refusal(self) -> Answer:
        return self.stream("", stop="refusal")

    def too_long(self) -> Answer:
        """The model does not come to an end."""
        return self.stream('{"choice": "N', stop="max_tokens")

    def error(self, status: int, message: str = "no", **headers: str) -> Answer:
        body = {"type": "error", "error": {"type": "some_error", "message": message}}
        return Answer(
            status,
            json.dumps(body).encode(),
            {**_JSON, **{k.replace("_", "-"): v for k, v in headers.items()}},
        )

    def error_in_stream(self) -> Answer:
        begun = self.stream("{", whole=False)
        fault = _event(
            {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, "error"
        )
        return Answer(200, begun.body + fault, _EVENT_STREAM)


class OpenAIWords:
    """Answers in the words of OpenAI's chat completions."""

    name = "openai"
    variable = "OPENAI_API_KEY"
    usage = {"prompt_tokens": 1000, "completion_tokens": 40, "total_tokens": 1040}

    def stream(
        self,
        text: str,
        *,
        stop: str = "stop",
        whole: bool = True,
        end: str = "close",
        usage: dict[str, int] | None = None,
    ) -> Answer:
        reported: dict[str, object] = dict(self.usage if usage is None else usage)
        if reported:
            reported["prompt_tokens_details"] = {"cached_tokens": 100}
        body = b"".join(
            _event(self._chunk({"role": "assistant", "content": piece})) for piece in _pieces(text)
        )
        if whole:
            body += _event(self._chunk({}, stop))
            if reported:
                body += _event({**self._chunk({}), "choices": [], "usage": reported})
            body += _event("[DONE]")
        return Answer(200, body, _EVENT_STREAM, end)

    def refusal(self) -> Answer:
        body = _event(self._chunk({"role": "assistant", "content": None, "refusal": "I will not."}))
        body += _event(self._chunk({}, "stop")) + _event("[DONE]")
        return Answer(200, body, _EVENT_STREAM)

    def too_long(self) -> Answer:
        """The model does not come to an end."""
        return self.stream('{"choice": "N', stop="length")

    def error(self, status: int, message: str = "no", **headers: str) -> Answer:
        body = {"error": {"type": "some_error", "message": message, "code": None, "param": None}}
        return Answer(
            status,
            json.dumps(body).encode(),
            {**_JSON, **{k.replace("_", "-"): v for k, v in headers.items()}},
        )

    def error_in_stream(self) -> Answer:
        begun = self.stream("{", whole=False)
        fault = _event({"error": {"type": "server_error", "message": "Overloaded"}})
        return Answer(200, begun.body + fault, _EVENT_STREAM)

    def _chunk(self, delta: dict[str, object], stop: str | None = None) -> dict[str, object]:
        choice = {"index": 0, "delta": delta, "finish_reason": stop}
        return {
            "id": "c1",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": "m",
            "choices": [choice],
        }


Words = AnthropicWords | OpenAIWords
both = pytest.mark.parametrize("words", [AnthropicWords(), OpenAIWords()], ids=lambda words: words.name)


def base_url(words: Words, url: str) -> str:
    """Where this vendor's SDK looks for the server at `url`."""
    return url if words.name == "anthropic" else f"{url}/v1"
