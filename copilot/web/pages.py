"""Which pages may open a session: by the address that was printed last, once, then by a secret of their own.

A cookie would go to every server under this host name, whatever its port. So a page makes a secret that stays
in its tab (`page/page.js`) and shows it as it opens its socket. The address that was printed is good for one
page: it may be read later in a browser's history, or in the list of processes.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from copilot.errors import CopilotError

PROTOCOL = "copilot"
"""The WebSocket subprotocol that is spoken. A page offers its secrets beside it, as it can set no header."""
_PAGE, _ADDRESS = "page.", "address."
_TOKEN_BYTES = 24
_LEAST_LENGTH = 32
_PATIENCE_SECONDS = 2.0
"""A page that is loaded again may be faster than the end of its old socket."""


class NotAdmitted(CopilotError):
    """This page gets no session; the text says why."""


@dataclass(frozen=True, eq=False, slots=True)
class Admission:
    """One socket of a page that was admitted."""

    page: str


class Pages:
    """The pages that may open a session. `on_used` is called when an address is used: was it valid?"""

    def __init__(self, on_used: Callable[[bool], None], *, token: str = "") -> None:
        self._on_used = on_used
        self.token = token or secrets.token_urlsafe(_TOKEN_BYTES)
        """What the next page needs."""
        self._known: set[str] = set()
        self._open: dict[str, Admission] = {}
        self._used: set[str] = set()
        self._changed = asyncio.Condition()

    async def enter(self, offered: Iterable[str]) -> Admission:
        """Admit the page that offers these subprotocols. What is returned is to be given to `leave`.

        One socket at a time: a second one waits a moment for the end of the first. Raises NotAdmitted.
        """
        words = list(offered)
        secret, token = _after(_PAGE, words), _after(_ADDRESS, words)
        page = _digest(secret)
        if len(secret) < _LEAST_LENGTH or not (page in self._known or self._takes(token, page)):
            raise NotAdmitted(
                "open the address that `copilot serve` has printed last; each is good for one page"
            )
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS), self._changed:
                await self._changed.wait_for(lambda: page not in self._open)
                self._open[page] = admission = Admission(page)
        except TimeoutError:
            raise NotAdmitted("this page is open already; close it there") from None
        return admission

    async def leave(self, admission: Admission) -> None:
        """That socket has ended. Harmless when repeated, also while the page has another one."""
        async with self._changed:
            if self._open.get(admission.page) is admission:
                del self._open[admission.page]
                self._changed.notify_all()

    def _takes(self, token: str, page: str) -> bool:
        """Whether the token is the one of the printed address; then it is used up, and the page is known."""
        if not hmac.compare_digest(_bytes(token), _bytes(self.token)):
            if _digest(token) in self._used:
                self._on_used(False)
            return False
        self._used.add(_digest(token))
        self._known.add(page)
        self.token = secrets.token_urlsafe(_TOKEN_BYTES)
        self._on_used(True)
        return True


def _after(beginning: str, words: Iterable[str]) -> str:
    return next((word.removeprefix(beginning) for word in words if word.startswith(beginning)), "")


def _digest(secret: str) -> str:
    """What is kept of a secret: how long it takes to find it says nothing of it."""
    return hashlib.sha256(_bytes(secret)).hexdigest()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
