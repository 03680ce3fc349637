"""textual-serve on the loopback address, for holders of the token only.

Other programs of this machine can reach the port, and so can every web page that is open in the browser. So a
request counts only with the cookie that the token was exchanged for, under our own host name (else another
name could be made to lead here) and, where the browser sends its origin, from a page of ours.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import secrets
import shlex
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from aiohttp import web
from textual_serve.server import Server

from copilot.errors import InputError

ADDRESS = "127.0.0.1"
COOKIE = "copilot_token"
_TOKEN_BYTES = 24
_LOOK_SECONDS = 0.05
_END_SECONDS = 10.0
"""Longer than a session takes to end its program in order, and then at once."""
_ENDED_BY = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
}
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class CockpitServer(Server):
    """Serves one cockpit per page that is opened; each page is a session of its own."""

    def __init__(self, arguments: Sequence[str], *, port: int = 0, token: str = "") -> None:
        port = free_port(port)
        command = shlex.join([sys.executable, "-m", "copilot", *arguments])
        pages = Path(__file__).parent / "page"
        super().__init__(command, ADDRESS, port, title="copilot", templates_path=pages)
        self.token = token or secrets.token_urlsafe(_TOKEN_BYTES)
        self._own_host = f"{ADDRESS}:{port}"
        self._pages: set[asyncio.Task[Any]] = set()

    @property
    def address(self) -> str:
        """What is opened in the browser."""
        return f"http://{self._own_host}/?token={self.token}"

    def serve(self, debug: bool = False) -> None:
        """Serve until Ctrl+C or a polite signal; a second one does not wait for sessions to end in order.

        The base class ends itself by an exception out of a signal's handler: one that comes while it ends
        already is a traceback.
        """
        self.initialize_logging()
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        loop, asked = asyncio.get_running_loop(), asyncio.Event()
        for number in _ENDED_BY:
            loop.add_signal_handler(number, asked.set)
        runner = web.AppRunner(await self._make_app(), shutdown_timeout=_END_SECONDS, access_log=None)
        await runner.setup()
        try:
            await web.TCPSite(runner, self.host, self.port).start()
            await asked.wait()
        finally:
            ending = loop.create_task(runner.cleanup())
            for number in _ENDED_BY:
                loop.add_signal_handler(number, ending.cancel)
            with suppress(asyncio.CancelledError):
                await ending

    def initialize_logging(self) -> None:
        """Faults only; addresses, which hold the token, are never logged."""
        logging.basicConfig(level=logging.ERROR, format="copilot: %(message)s")

    async def on_startup(self, app: web.Application) -> None:
        """Say where the cockpit is, once it is there."""
        self._saying = asyncio.create_task(self._say_when_open())

    async def on_shutdown(self, app: web.Application) -> None:
        """End the sessions of the pages that are open, before the sockets are waited for."""
        pages = set(self._pages)
        for page in pages:
            page.cancel()
        if pages:
            await asyncio.wait(pages, timeout=_END_SECONDS)

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """A page and its session, until one of them ends."""
        page = asyncio.current_task()
        assert page is not None
        self._pages.add(page)
        try:
            return await super().handle_websocket(request)
        finally:
            self._pages.discard(page)

    async def _say_when_open(self) -> None:
        while True:
            with suppress(OSError):
                _, writer = await asyncio.open_connection(ADDRESS, self.port)
                writer.close()
                break
            await asyncio.sleep(_LOOK_SECONDS)
        self.console.print(f"copilot: open {self.address}", soft_wrap=True, highlight=False)
        self.console.print("copilot: for this machine alone; Ctrl+C ends it", highlight=False)

    async def _make_app(self) -> web.Application:
        app = await super()._make_app()
        app.middlewares.append(self.guard)
        return app

    @web.middleware
    async def guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Let through what comes from our own page; exchange the token for the cookie."""
        origin = request.headers.get("Origin")
        if request.host != self._own_host or origin not in (None, f"http://{self._own_host}"):
            raise web.HTTPForbidden(text="copilot: not from here\n")
        given = request.query.get("token")
        if request.path == "/" and given is not None and self._matches(given):
            answer = web.HTTPFound("/", headers=_HEADERS)
            answer.set_cookie(COOKIE, self.token, httponly=True, samesite="Strict", path="/")
            raise answer
        if not self._matches(request.cookies.get(COOKIE, "")):
            raise web.HTTPForbidden(text="copilot: open the address that `copilot serve` has printed\n")
        response = await handler(request)
        if not response.prepared:
            response.headers.update(_HEADERS)
        return response

    def _matches(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.token.encode())


def free_port(wanted: int) -> int:
    """`wanted`, or any free port for 0. Raises InputError if it is taken."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((ADDRESS, wanted))
        except OSError as problem:
            raise InputError(f"--port {wanted}: {problem.strerror}; take another one, or none") from None
        return int(probe.getsockname()[1])
