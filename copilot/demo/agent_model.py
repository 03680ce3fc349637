"""The simulated CLI's line to its model: Anthropic Messages over HTTP, retried as real CLIs do."""

from __future__ import annotations

import http.client
import json
import os
import time
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

JsonObject = dict[str, Any]
_RETRIED = (429, 500, 502, 503, 529)
_TRIES = 3
_MOST_WAIT_SECONDS = 2.0
_ANSWER_SECONDS = 120.0


class ModelFault(Exception):
    """The model gave no usable answer."""


class _Passing(ModelFault):
    """A fault that a second try may mend, and how long the server wants to be left alone."""

    def __init__(self, message: str, wait_seconds: float = 0.1) -> None:
        super().__init__(message)
        self.wait_seconds = min(wait_seconds, _MOST_WAIT_SECONDS)


class ModelLine:
    """One conversation."""

    def __init__(self, url: str, key: str, system: str, tools: Sequence[JsonObject]) -> None:
        self._place = urlsplit(url)
        self._key = key
        self._system = system
        self._tools = list(tools)
        self._messages: list[JsonObject] = []

    @classmethod
    def from_environment(cls, system: str, tools: Sequence[JsonObject]) -> ModelLine:
        """As `ANTHROPIC_BASE_URL` and `ANTHROPIC_API_KEY` say."""
        url = os.environ.get("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
        return cls(url, os.environ.get("ANTHROPIC_API_KEY", ""), system, tools)

    def add(self, message: JsonObject) -> None:
        """One more message of the conversation."""
        self._messages.append(message)

    def ask(self) -> list[JsonObject]:
        """The blocks of the model's next message. Raises ModelFault."""
        for attempt in range(1, _TRIES + 1):
            try:
                return self._once()
            except _Passing as fault:
                if attempt == _TRIES:
                    raise
                time.sleep(fault.wait_seconds)
        raise AssertionError

    def _once(self) -> list[JsonObject]:
        body = {
            "model": "scripted",
            "max_tokens": 4096,
            "system": self._system,
            "tools": self._tools,
            "messages": self._messages,
        }
        headers = {
            "content-type": "application/json",
            "anthropic-version": "2023-06-01",
            "x-api-key": self._key,
        }
        connection = http.client.HTTPConnection(
            self._place.hostname or "127.0.0.1", self._place.port or 80, timeout=_ANSWER_SECONDS
        )
        try:
            connection.request("POST", f"{self._place.path}/v1/messages", json.dumps(body), headers)
            response = connection.getresponse()
            data = response.read()
        except (OSError, http.client.HTTPException) as error:
            raise _Passing(f"no answer: {error or type(error).__name__}") from error
        finally:
            connection.close()
        return _blocks(response.status, data, response.headers.get("retry-after", ""))


def _blocks(status: int, data: bytes, retry_after: str) -> list[JsonObject]:
    try:
        answer = json.loads(data)
    except ValueError as error:
        raise ModelFault(f"{status}: the answer is not JSON") from error
    if status != 200:
        message = f"{status} {answer.get('error', {}).get('message', '')}"
        if status in _RETRIED:
            raise _Passing(message, float(retry_after) if retry_after else 0.1)
        raise ModelFault(message)
    return [block for block in answer.get("content", []) if isinstance(block, dict)]
