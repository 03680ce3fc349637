"""The simulated CLI's MCP client: servers over stdio or HTTP, from a file as Claude Code reads one.

Protocol: https://modelcontextprotocol.io/specification/2025-06-18. Standard library only.
"""

from __future__ import annotations

import http.client
import json
import os
import queue
import subprocess
import threading
from typing import Any
from urllib.parse import urlsplit

JsonObject = dict[str, Any]
_VERSION = "2025-06-18"
_CALL_SECONDS = 60.0
_END_SECONDS = 2.0


class McpFault(Exception):
    """A server that does not start, does not answer, or answers with an error."""


class McpServer:
    """One server: `{"command": …, "args": […], "env": {…}}`, or `{"url": …}`. Raises McpFault."""

    def __init__(self, name: str, entry: JsonObject, seconds: float) -> None:
        self.name = name
        self._number = 0
        self._url = urlsplit(str(entry.get("url", "")))
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[bytes] = queue.Queue()
        if not entry.get("url"):
            self._start(entry)
        try:
            client = {"name": "demo-coder", "version": "1"}
            hello = {"protocolVersion": _VERSION, "capabilities": {}, "clientInfo": client}
            self._ask("initialize", hello, seconds)
            self._send({"jsonrpc": "2.0", "method": "notifications/initialized"}, seconds)
            self.tools: list[JsonObject] = self._ask("tools/list", {}, seconds)["tools"]
        except BaseException:
            self.close()
            raise

    def call(self, tool: str, arguments: JsonObject) -> tuple[str, bool]:
        """The text that the tool gave, and whether it is an error."""
        result = self._ask("tools/call", {"name": tool, "arguments": arguments}, _CALL_SECONDS)
        text = "\n".join(str(part.get("text", "")) for part in result.get("content", []))
        return text, bool(result.get("isError"))

    def close(self) -> None:
        """End the server's process. Harmless when repeated."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _start(self, entry: JsonObject) -> None:
        command = [str(entry.get("command", "")), *map(str, entry.get("args", []))]
        environment = {**os.environ, **entry.get("env", {})}
        null, pipe = subprocess.DEVNULL, subprocess.PIPE
        try:
            self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=null, env=environment)
        except OSError as error:
            raise McpFault(f"cannot be started: {error.strerror}") from error
        threading.Thread(target=self._read, args=(self._process,), daemon=True).start()

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def _ask(self, method: str, params: JsonObject, seconds: float) -> Any:
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        answer = self._send(message, seconds) if self._process is None else self._exchange(message, seconds)
        if "error" in answer:
            raise McpFault(str(answer["error"].get("message", answer["error"])))
        return answer.get("result", {})

    def _exchange(self, message: JsonObject, seconds: float) -> JsonObject:
        self._send(message, seconds)
        while True:
            try:
                line = self._lines.get(timeout=seconds)
            except queue.Empty:
                raise McpFault(f"no answer to {message['method']} within {seconds:g} s") from None
            if not line:
                raise McpFault("it ended")
            try:
                answer = json.loads(line)
            except ValueError:
                continue  # what a server prints besides
            if isinstance(answer, dict) and answer.get("id") == message["id"]:
                return answer

    def _send(self, message: JsonObject, seconds: float) -> JsonObject:
        if self._process is None:
            return self._post(message, seconds)
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()
        except OSError as error:
            raise McpFault("it ended") from error
        return {}

    def _post(self, message: JsonObject, seconds: float) -> JsonObject:
        headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
        host = self._url.hostname or "127.0.0.1"
        connection = http.client.HTTPConnection(host, self._url.port or 80, timeout=seconds)
        try:
            connection.request("POST", self._url.path, json.dumps(message), headers)
            data = connection.getresponse().read()
            answer = json.loads(data or b"{}")
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise McpFault(f"no answer: {error or type(error).__name__}") from error
        finally:
            connection.close()
        return answer if isinstance(answer, dict) else {}
