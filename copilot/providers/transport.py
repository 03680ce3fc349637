"""HTTP settings that both SDKs share: how long one attempt may take, and what is retried.

Retries and their back-off are the SDKs' own (2 retries, 0.5 s doubling). Two things are added by a hook on
responses: the last status is kept for the message, and if the server asks for a longer wait than our deadline
allows, we do not retry (one SDK would sleep for a requested hour).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol

ATTEMPT_SECONDS = 20.0
CONNECT_SECONDS = 5.0
MAX_RETRIES = 2


class HttpResponse(Protocol):
    """The little that is read of a response."""

    status_code: int
    headers: Any


@dataclass(slots=True)
class CallState:
    """What is known of the call under way. One call at a time per provider: the session asks one by one."""

    ends_at: float = 0.0
    last_status: int | None = None
    retry_after: str | None = None

    def begin(self, seconds: float) -> None:
        """A new call, with this long to go."""
        self.ends_at = asyncio.get_running_loop().time() + seconds
        self.last_status = None
        self.retry_after = None

    def response_hook(self) -> Callable[[HttpResponse], Awaitable[None]]:
        """The hook that looks at every response before the SDK does."""

        async def look(response: HttpResponse) -> None:
            self.last_status = response.status_code
            self.retry_after = response.headers.get("retry-after") if response.status_code >= 400 else None
            left = self.ends_at - asyncio.get_running_loop().time()
            if _seconds(self.retry_after) > left:
                response.headers["x-should-retry"] = "false"

        return look


def _seconds(retry_after: str | None) -> float:
    try:
        return float(retry_after or 0)
    except ValueError:
        return 0.0
