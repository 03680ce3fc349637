"""A small HTTP client over a bare socket, for tests that look at bytes and at how connections end."""

from __future__ import annotations

import json
import socket
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any

TOOLS = [{"name": name, "input_schema": {"type": "object"}} for name in ("Bash", "Read", "Write")]


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    headers: dict[str, str]
    text: str

    @property
    def body(self) -> Any:
        return json.loads(self.text)

    @property
    def events(self) -> list[Any]:
        """The data of the server-sent events, `[DONE]` left out."""
        lines = [line[6:] for line in self.text.splitlines() if line.startswith("data: ")]
        return [json.loads(line) for line in lines if line != "[DONE]"]


def post(url: str, body: Any, headers: dict[str, str] | None = None, data: bytes | None = None) -> Reply:
    """One POST of a JSON body (or of raw `data`); HTTP errors are replies too."""
    raw = data if data is not None else json.dumps(body).encode()
    request = urllib.request.Request(url, raw, {"content-type": "application/json", **(headers or {})})
    return _reply(request)


def get(url: str, method: str = "GET") -> Reply:
    """One request without a body."""
    return _reply(urllib.request.Request(url, method=method))


def _reply(request: urllib.request.Request) -> Reply:
    try:
        with urllib.request.urlopen(request, timeout=200) as response:
            return Reply(response.status, dict(response.headers), response.read().decode())
    except urllib.error.HTTPError as error:
        with error:
            return Reply(error.code, dict(error.headers), error.read().decode())


def say(url: str, prompt: str, *, stream: bool = False, tools: list[dict[str, Any]] | None = None) -> Reply:
    """One Anthropic request that says `prompt`."""
    messages = [{"role": "user", "content": prompt}]
    offered = TOOLS if tools is None else tools
    return post(
        f"{url}/v1/messages", {"model": "m", "stream": stream, "messages": messages, "tools": offered}
    )


def raw_request(port: int, path: str, body: Any, extra: str = "", host: str = "") -> bytes:
    """The bytes of a POST to the server on that port; `host` is how it is named unless by its address."""
    data = json.dumps(body).encode()
    named = host or f"127.0.0.1:{port}"
    head = f"POST {path} HTTP/1.1\r\nHost: {named}\r\n{extra}Content-Length: {len(data)}\r\n\r\n"
    return head.encode() + data


def exchange(port: int, data: bytes) -> bytes:
    """Send `data`; everything that comes until the server closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=200) as connection:
        connection.sendall(data)
        received = bytearray()
        while chunk := connection.recv(65536):
            received += chunk
        return bytes(received)
