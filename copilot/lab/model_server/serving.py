"""`Serving`: an HTTP server on 127.0.0.1, in a thread of its own or in the running loop. What it answers is
a subclass's own.
"""

from __future__ import annotations

import asyncio
import threading
import traceback
from types import TracebackType
from typing import Self

from copilot.lab.model_server.http import Answer, Connection, HttpRequest

_LIFE_SECONDS = 10.0
"""The longest that starting or stopping the thread may take."""


class Serving:
    """`with` serves from a thread, `async with` from the running loop; leaving in order checks."""

    def __init__(self, port: int = 0) -> None:
        self.port = port
        self.faults: list[str] = []
        self._connections: set[Connection] = set()
        self._server: asyncio.Server | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """The base URL, without a trailing slash and without `/v1`."""
        return f"http://127.0.0.1:{self.port}"

    async def handle(self, http: HttpRequest, answer: Answer) -> None:
        """Answer one HTTP request. Raises ClientGone and BadRequest."""
        raise NotImplementedError

    def note_fault(self, error: BaseException) -> None:
        """Keep an exception that nobody else would see."""
        lines = "".join(traceback.format_exception(error)).strip()
        self.faults.append(f"fault of the model server: {lines}")

    def check_at_exit(self) -> None:
        """Called when the block is left without an exception."""

    def started(self) -> None:
        """Called when it serves."""

    async def start(self) -> None:
        """Begin to serve from the running loop. Raises OSError when the port is taken."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._connect, "127.0.0.1", self.port, backlog=512)
        self.port = self._server.sockets[0].getsockname()[1]
        self.started()

    async def stop(self) -> None:
        """Stop serving; answers under way are cut. Harmless when repeated."""
        server, self._server = self._server, None
        if server is None:
            return
        server.close()
        under_way = [task for connection in self._connections if (task := connection.abort()) is not None]
        await asyncio.gather(*under_way, return_exceptions=True)
        await server.wait_closed()

    def close(self) -> None:
        """End the thread that serves. Harmless when repeated."""
        thread, self._thread = self._thread, None
        if thread is None or self._loop is None:
            return
        self._loop.call_soon_threadsafe(self._loop.stop)
        thread.join(_LIFE_SECONDS)

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()
        if error is None:
            self.check_at_exit()

    def __enter__(self) -> Self:
        outcome: list[Exception] = []
        ready = threading.Event()
        self._thread = threading.Thread(
            target=self._serve, args=(outcome, ready), name="model-server", daemon=True
        )
        self._thread.start()
        if not ready.wait(_LIFE_SECONDS):
            raise TimeoutError("the model server did not start")
        if outcome:
            raise outcome[0]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        if error is None:
            self.check_at_exit()

    def _serve(self, outcome: list[Exception], ready: threading.Event) -> None:
        with asyncio.Runner() as runner:
            self._loop = runner.get_loop()
            try:
                runner.run(self.start())
            except Exception as error:
                outcome.append(error)
            ready.set()
            if not outcome:
                self._loop.run_forever()
                runner.run(self.stop())

    def _connect(self) -> asyncio.Protocol:
        connection = Connection(self.handle, self.note_fault, self._connections.discard)
        self._connections.add(connection)
        return connection
