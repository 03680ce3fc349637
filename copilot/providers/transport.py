"""What both SDKs share below: how long one attempt may take, what is retried, where a call may go.

Retries and their back-off are the SDKs' own (2 retries, 0.5 s doubling). Two things are added by a hook on
responses: the last status is kept for the message, and a server that asks to wait longer than our deadline
leaves is not waited for (one SDK would sleep for a requested hour).
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
    wait: str | None = None

    def begin(self, seconds: float) -> None:
        """A new call, with this long to go."""
        self.ends_at = asyncio.get_running_loop().time() + seconds
        self.last_status = None
        self.wait = None

    def hook(self) -> Callable[[HttpResponse], Awaitable[None]]:
        """The hook that looks at every response before the SDK does."""

        async def look(response: HttpResponse) -> None:
            self.last_status = response.status_code
            self.wait = response.headers.get("retry-after") if response.status_code >= 400 else None
            left = self.ends_at - asyncio.get_running_loop().time()
            if _seconds(self.wait) > left:
                response.headers["x-should-retry"] = "false"

        return look


def _seconds(wait: str | None) -> float:
    try:
        return float(wait or 0)
    except ValueError:
        return 0.0
