"""What the callers of both SDKs do alike: import on the first call, one client, every exception explained.

The SDKs come from one generator: their exceptions have the same names, and both let raw transport errors
out of a stream that breaks (measured: reference/safety.md g), so those are caught as well.
"""

from __future__ import annotations

import asyncio
import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

from copilot.core.reply import ReplyRequest
from copilot.errors import ProviderError
from copilot.providers.faults import Endpoint, error_in_body, status_reason
from copilot.providers.model_provider import ModelReply, StructureUnsupported
from copilot.providers.prices import PriceList
from copilot.providers.transport import ATTEMPT_SECONDS, CONNECT_SECONDS, CallState


class SdkCaller(ABC):
    """One client for one model. The key comes explicitly: no profile file or other variable is read."""

    sdk_name = ""

    def __init__(
        self, endpoint: Endpoint, base_url: str, prices: PriceList, attempt_seconds: float = ATTEMPT_SECONDS
    ) -> None:
        self.endpoint = endpoint
        self.state = CallState()
        self.prices = prices
        self.base_url = base_url
        self._attempt_seconds = attempt_seconds
        self._sdk: Any = None
        self._http: Any = None
        self._client: Any = None

    async def ask(
        self, request: ReplyRequest, on_text: Callable[[str], None], *, structured: bool
    ) -> ModelReply:
        """One streamed call. Raises ProviderError for whatever goes wrong, or StructureUnsupported."""
        if self._client is None:
            await asyncio.to_thread(self._connect)
        try:
            return await self.stream(self._client, request, on_text, structured=structured)
        except ProviderError:
            raise
        except Exception as problem:
            raise self._explained(problem, structured=structured) from None

    async def close(self) -> None:
        """Give back connections."""
        if self._client is not None:
            await self._client.close()

    @abstractmethod
    def make_client(self, sdk: Any, http_client: Any, timeout: Any) -> Any:
        """The SDK's asynchronous client."""

    @abstractmethod
    async def stream(
        self, client: Any, request: ReplyRequest, on_text: Callable[[str], None], *, structured: bool
    ) -> ModelReply:
        """One streamed call; exceptions of the SDK may come out of it."""

    def _connect(self) -> None:
        """Import the SDK and make the client: up to a second, so in a thread.

        Redirects are not followed: prompt and key go to the configured host and nowhere else.
        """
        self._sdk = importlib.import_module(self.sdk_name)
        self._http = importlib.import_module("httpx2")
        timeout = self._http.Timeout(
            self._attempt_seconds, connect=min(CONNECT_SECONDS, self._attempt_seconds)
        )
        hooks = {"response": [self.state.response_hook()]}
        http_client = self._sdk.DefaultAsyncHttpxClient(
            timeout=timeout, follow_redirects=False, event_hooks=hooks
        )
        self._client = self.make_client(self._sdk, http_client, timeout)

    def _explained(self, problem: Exception, *, structured: bool) -> Exception:
        sdk, http, endpoint = self._sdk, self._http, self.endpoint
        if isinstance(problem, sdk.APIStatusError):
            return self._explained_status(problem, structured=structured)
        if isinstance(problem, sdk.APITimeoutError | http.TimeoutException):
            return endpoint.error(f"{endpoint.host} does not answer or stalls (time-out)")
        if isinstance(problem, sdk.APIConnectionError | http.HTTPError | http.StreamError):
            reached = self.state.last_status is not None
            ended = "the connection ended in the middle of the answer"
            return endpoint.error(ended if reached else f"{endpoint.host} cannot be reached")
        if isinstance(problem, sdk.APIError):
            status, message = error_in_body(problem.body)
            return endpoint.error(status_reason(endpoint, status or 500, message or str(problem), None))
        fault = type(problem).__name__
        return endpoint.error(f"{endpoint.host} sent something that is no answer ({fault})")

    def _explained_status(self, problem: Any, *, structured: bool) -> Exception:
        """An HTTP status, or an error in the midst of a stream, which one SDK reports under status 200."""
        status, message = error_in_body(problem.body)
        code = problem.status_code if problem.status_code >= 300 else status or 500
        too_long = "context" in message.lower() or "too long" in message.lower()
        if structured and code in (400, 422) and not too_long:
            return StructureUnsupported()
        return self.endpoint.error(status_reason(self.endpoint, code, message, self.state.retry_after))


def count_of(usage: Mapping[str, object], name: str) -> int:
    """A count in a usage report; 0 for what is missing, negative or no number."""
    value = usage.get(name)
    return max(value, 0) if isinstance(value, int) else 0
