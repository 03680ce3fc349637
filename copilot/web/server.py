"""textual-serve on the loopback address, for pages that were opened by a printed address only.

Other programs of this machine can reach the port, and so can every web page that is open in the browser; some
come from servers under the same host name, to which a browser gives the same cookies. So there is no cookie.
A request counts only under our own host name (else another name could be made to lead here) and not from
another page; a socket only from a page of ours that is admitted (`pages.py`). The page holds no secret.
"""

from __future__ import annotations

import asyncio
import logging
import shlex
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from aiohttp import web
from aiohttp.hdrs import SEC_WEBSOCKET_PROTOCOL
from textual_serve.app_service import AppService
from textual_serve.server import Server

from copilot.errors import InputError
from copilot.web.pages import PROTOCOL, Admission, NotAdmitted, Pages

ADDRESS = "127.0.0.1"
_FILES = Path(__file__).parent / "page"
_SHOWN = ("/", "/page.js")
_SOCKET = "/ws"
_STATIC = "/static/"
_WAITING = 128
_END_SECONDS = 10.0
"""Longer than a session takes to end its program in order, and then at once."""
_ENDED_BY = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'self'; connect-src ws://{host}; img-src 'self' data:; "
    "style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}
"""Of every answer. The terminal's own script makes styles as it runs."""
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class CockpitServer(Server):
    """Serves one cockpit per page that is opened; each page is a session of its own."""

    def __init__(self, arguments: Sequence[str], listening: socket.socket, *, token: str = "") -> None:
        port = listening.getsockname()[1]
        command = shlex.join([sys.executable, "-m", "copilot", *arguments])
        super().__init__(command, ADDRESS, port, title="copilot", templates_path=_FILES)
        self._listening = listening
        self._own_host = self.public_url.partition("://")[2]
        self._headers = {name: value.format(host=self._own_host) for name, value in _HEADERS.items()}
        self._admitted = Pages(self._address_used, token=token)
        self._pages: dict[asyncio.Task[Any], Admission] = {}

    @property
    def address(self) -> str:
        """What is opened in the browser next. A browser sends no server what is behind the `#`."""
        return f"http://{self._own_host}/#{self._admitted.token}"

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
            await web.SockSite(runner, self._listening).start()
            self._say(f"open {self.address}")
            self._say("for this machine alone, one page for each address; Ctrl+C ends it")
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
        """Say nothing: the address is said once there is an answer."""

    async def on_shutdown(self, app: web.Application) -> None:
        """End the sessions of the pages that are open, before the sockets are waited for."""
        pages = set(self._pages)
        for page in pages:
            page.cancel()
        if pages:
            await asyncio.wait(pages, timeout=_END_SECONDS)

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """A page and its session, until one of them ends."""
        try:
            page = await self._admitted.enter(_offered(request))
        except NotAdmitted as refused:
            raise web.HTTPForbidden(text=f"copilot: {refused}\n") from None
        task = asyncio.current_task()
        assert task is not None
        self._pages[task] = page
        try:
            return await super().handle_websocket(_without_secrets(request))
        finally:
            del self._pages[task]
            await self._admitted.leave(page)

    async def _process_messages(self, websocket: web.WebSocketResponse, app_service: AppService) -> None:
        """Until the socket ends: its page may open another while the session still ends in order."""
        task = asyncio.current_task()
        assert task is not None
        try:
            await super()._process_messages(websocket, app_service)
        finally:
            await self._admitted.leave(self._pages[task])

    def _address_used(self, valid: bool) -> None:
        if not valid:
            self._say("a used address was opened again; if that was not you, end all pages with Ctrl+C")
        self._say(f"opened; another page: {self.address}" if valid else f"another page: {self.address}")

    def _say(self, line: str) -> None:
        with suppress(OSError):
            self.console.print(f"copilot: {line}", soft_wrap=True, highlight=False, markup=False)

    async def _make_app(self) -> web.Application:
        app = await super()._make_app()
        app.middlewares.append(self.guard)
        app.on_response_prepare.append(self._add_headers)
        app.router.add_get(_SHOWN[1], self._script)
        return app

    async def _script(self, request: web.Request) -> web.StreamResponse:
        return web.FileResponse(_FILES / "page.js")

    @web.middleware
    async def guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Let through what comes from our own page, and what a person opens."""
        own, origin = f"http://{self._own_host}", request.headers.get("Origin")
        if request.host != self._own_host or origin not in (None, own):
            raise web.HTTPForbidden(text="copilot: not from here\n")
        if request.path == _SOCKET:
            if origin is None:
                raise web.HTTPForbidden(text="copilot: sockets are for pages\n")
        elif request.path not in _SHOWN and not request.path.startswith(_STATIC):
            raise web.HTTPNotFound(text="copilot: nothing here\n")
        return await handler(request)

    async def _add_headers(self, request: web.Request, response: web.StreamResponse) -> None:
        response.headers.update(self._headers)
        if isinstance(response, web.WebSocketResponse):
            # A browser that has offered protocols closes a socket whose server names none.
            response.headers[SEC_WEBSOCKET_PROTOCOL] = PROTOCOL


def _offered(request: web.Request) -> list[str]:
    """The WebSocket subprotocols that a page offers."""
    lines = request.headers.getall(SEC_WEBSOCKET_PROTOCOL, [])
    return [word.strip() for line in lines for word in line.split(",")]


def _without_secrets(request: web.Request) -> web.Request:
    """The same without what its page offered: aiohttp logs protocols that it does not know."""
    headers = request.headers.copy()
    headers.popall(SEC_WEBSOCKET_PROTOCOL, None)
    return request.clone(headers=headers)


def bound(wanted: int) -> socket.socket:
    """A socket that listens on the port `wanted`, or on any free one for 0. Raises InputError if it is taken.

    It listens from the start, so that no other program gets the port before the address is printed.
    """
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((ADDRESS, wanted))
        listening.listen(_WAITING)
    except OSError as problem:
        listening.close()
        raise InputError(f"--port {wanted}: {problem.strerror}; take another one, or none") from None
    return listening
