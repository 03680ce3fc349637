"""`ModelServer`: a scripted model on 127.0.0.1 that speaks the vendors' protocols.

A real coding CLI that is pointed at it runs offline, without a key, and the same every time.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from copilot.evaluation.model_server.conversation import ModelRequest
from copilot.evaluation.model_server.http import Connection
from copilot.evaluation.model_server.playbook_file import load_playbook
from copilot.evaluation.model_server.script import PlaybookError, Script
from copilot.evaluation.model_server.service import Answered, Given, OtherRequest, Service
from copilot.evaluation.model_server.turns import Playbook, Turn, playbook

_LIFE_SECONDS = 10.0
"""The longest that starting or stopping the thread may take."""


class ModelServer:
    """A scripted model server on a loopback port.

    `script` is a playbook, the path of one, or its turns. `cwd` stands for `{{cwd}}` in it. `with
    ModelServer(...)` serves from a thread of its own, `async with` from the running loop. Leaving the block
    without an exception calls `check()`, unless `check_at_exit` is False. `on_request` is called on the
    server's loop with each model request, before it is answered; what it raises is a fault of the run.
    """

    def __init__(
        self,
        script: Playbook | Path | str | Sequence[Turn | str],
        *,
        cwd: Path | str = "",
        port: int = 0,
        min_tools: int | None = None,
        check_at_exit: bool = True,
        on_request: Callable[[ModelRequest], None] | None = None,
    ) -> None:
        book = _playbook(script)
        if min_tools is not None:
            book = replace(book, min_tools=min_tools)
        self.playbook = book
        self.port = port
        self._service = Service(Script(book, str(cwd)), on_request)
        self._check_at_exit = check_at_exit
        self._connections: set[Connection] = set()
        self._server: asyncio.Server | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """The base URL, without a trailing slash and without `/v1`."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def requests(self) -> list[ModelRequest]:
        """The model requests so far, oldest first, with parsed bodies."""
        with self._service.changed:
            return list(self._service.requests)

    @property
    def main_requests(self) -> list[ModelRequest]:
        """The requests of the main conversation: side requests of the CLI are left out."""
        return [request for request in self.requests if not request.side]

    @property
    def answered(self) -> list[Answered]:
        """When the main conversation was answered: then the CLI was at work, whatever its screen showed."""
        with self._service.changed:
            return list(self._service.answered)

    @property
    def given(self) -> list[Given]:
        """The turns as they were given to the main conversation, late values filled in."""
        with self._service.changed:
            return list(self._service.given)

    @property
    def started_at(self) -> float:
        """When the times of requests began to count, on this machine's monotonic clock."""
        return self._service.started_at

    @property
    def other_requests(self) -> list[OtherRequest]:
        """HTTP requests that were none to a model."""
        with self._service.changed:
            return list(self._service.others)

    def wait_for(self, condition: Callable[[Sequence[ModelRequest]], bool], seconds: float) -> None:
        """Wait until the requests so far meet `condition`. Raises TimeoutError, naming the last request.

        For the thread of a test; in a coroutine use `asyncio.to_thread`.
        """
        service = self._service
        with service.changed:
            if not service.changed.wait_for(lambda: condition(service.requests), seconds):
                last = service.requests[-1].prompt[:200] if service.requests else "none"
                count = len(service.requests)
                raise TimeoutError(f"after {seconds} s the last of {count} requests is {last!r}")

    def wait_for_turn(self, name: str, seconds: float) -> None:
        """Wait until the turn of this name was asked for. Raises TimeoutError."""
        self.wait_for(lambda requests: any(request.turn == name for request in requests), seconds)

    def problems(self) -> list[str]:
        """Everything that did not go by the playbook so far, and every fault of the server itself."""
        return [*self._service.script.failures, *self._service.faults]

    def unused(self) -> list[str]:
        """A line for each turn that should have been given and was not."""
        return self._service.script.unused()

    def check(self) -> None:
        """Raises PlaybookError that lists mismatches, unmet expectations, unused turns and server faults."""
        lines = [*self.problems(), *self.unused()]
        if lines:
            listed = "\n".join(f"- {line}" for line in lines)
            raise PlaybookError(f"the run did not go by its playbook:\n{listed}")

    async def start(self) -> None:
        """Begin to serve from the running loop. Raises OSError when the port is taken."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._connect, "127.0.0.1", self.port, backlog=512)
        self.port = self._server.sockets[0].getsockname()[1]
        self._service.start_clock()

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
        self._check_after(error)

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
        self._check_after(error)

    def _check_after(self, error: BaseException | None) -> None:
        if error is None and self._check_at_exit:
            self.check()

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
        connection = Connection(self._service.handle, self._service.note_fault, self._connections.discard)
        self._connections.add(connection)
        return connection


def _playbook(script: Playbook | Path | str | Sequence[Turn | str]) -> Playbook:
    if isinstance(script, Playbook):
        return script
    if isinstance(script, (str, Path)):
        return load_playbook(Path(script))
    return playbook(*script)
