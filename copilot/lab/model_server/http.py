"""One HTTP/1.1 connection on asyncio and h11, with control of every byte: late, cut and silent answers."""

from __future__ import annotations

import asyncio
import gzip
import json
import threading
import traceback
import zlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import h11

_HEADER_LIMIT = 64 * 1024
_BODY_LIMIT = 256 * 1024 * 1024


class ClientGone(Exception):
    """The client closed the connection before the answer was complete."""


class BadRequest(Exception):
    """The request cannot be read; the message says why."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request. Header names are lower case; `path` is without the query."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    raw_body: bytes

    def json(self) -> Any:
        """The body as JSON, unpacked if it was packed; an empty body is an empty object.

        Raises BadRequest for another content coding or for anything that is not JSON.
        """
        try:
            return json.loads(self._unpacked() or b"{}")
        except (ValueError, OSError, EOFError, zlib.error) as error:
            raise BadRequest(400, f"the body is not JSON: {error}") from error

    def _unpacked(self) -> bytes:
        coding = self.headers.get("content-encoding", "identity").strip().lower()
        if coding == "gzip":
            return gzip.decompress(self.raw_body)
        if coding == "deflate":
            return zlib.decompress(self.raw_body)
        if coding not in ("", "identity"):
            raise BadRequest(415, f"content-encoding {coding} is not understood")
        return self.raw_body


Handler = Callable[["HttpRequest", "Answer"], Awaitable[None]]


class Answer:
    """The answer to one request; exactly one of `send_json`, `start_stream` or `cut` begins it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.status: int | None = None

    async def send_json(self, body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        """Answer with a JSON document. Raises ClientGone."""
        data = json.dumps(body, ensure_ascii=False).encode("utf-8", "surrogatepass")
        self.status = status
        fields = {"content-type": "application/json", "content-length": str(len(data)), **(headers or {})}
        head = h11.Response(status_code=status, headers=list(fields.items()))
        parts: list[h11.Event] = [head, h11.Data(data=data), h11.EndOfMessage()]
        if self._connection.is_head:
            del parts[1]
        await self._connection.send(*parts)

    async def start_stream(
        self, content_type: str = "text/event-stream; charset=utf-8", status: int = 200
    ) -> None:
        """Begin a streamed answer. Raises ClientGone."""
        self.status = status
        headers = [("content-type", content_type), ("cache-control", "no-cache")]
        await self._connection.send(h11.Response(status_code=status, headers=headers))

    async def send(self, data: bytes) -> None:
        """More of a streamed answer. Raises ClientGone."""
        await self._connection.send(h11.Data(data=data))

    async def end_stream(self) -> None:
        """End a streamed answer in order. Raises ClientGone."""
        await self._connection.send(h11.EndOfMessage())

    def cut(self) -> None:
        """Close the connection at once, whatever was promised to the client."""
        self._connection.close()

    async def pause(self, seconds: float) -> None:
        """Do nothing for so long. Raises ClientGone as soon as the client leaves."""
        if seconds > 0:
            await self._connection.wait_gone(seconds)


class Connection(asyncio.Protocol):
    """Reads requests one after the other, has each answered by `handle`, keeps the connection if it may."""

    def __init__(
        self,
        handle: Handler,
        on_fault: Callable[[BaseException], None],
        on_lost: Callable[[Connection], None],
    ) -> None:
        self._handle = handle
        self._on_fault = on_fault
        self._on_lost = on_lost
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=_HEADER_LIMIT)
        self._transport: asyncio.Transport | None = None
        self._request: h11.Request | None = None
        self._body = bytearray()
        self._task: asyncio.Task[None] | None = None
        self._gone = asyncio.Event()
        self._writable = asyncio.Event()
        self._writable.set()
        self.is_head = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._feed(data)

    def eof_received(self) -> bool:
        self._gone.set()
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self._gone.set()
        self._writable.set()
        self._on_lost(self)

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    def close(self) -> None:
        """Close without ending the answer."""
        if self._transport is not None:
            self._transport.close()

    def abort(self) -> asyncio.Task[None] | None:
        """Close, and stop the answer under way; its task is given back to be awaited."""
        if self._task is not None:
            self._task.cancel()
        if self._transport is not None:
            self._transport.abort()
        return self._task

    async def send(self, *events: h11.Event) -> None:
        """Write the events; waits while the client reads too slowly. Raises ClientGone."""
        if self._gone.is_set() or self._transport is None or self._transport.is_closing():
            raise ClientGone
        self._transport.write(b"".join(self._http.send(event) or b"" for event in events))
        if not self._writable.is_set():
            await self._writable.wait()

    async def wait_gone(self, seconds: float) -> None:
        """Wait so long. Raises ClientGone if the client leaves before."""
        try:
            async with asyncio.timeout(seconds):
                await self._gone.wait()
        except TimeoutError:
            return
        raise ClientGone

    def _feed(self, data: bytes) -> None:
        try:
            self._http.receive_data(data)
            self._read_events()
        except h11.RemoteProtocolError:
            self.close()

    def _read_events(self) -> None:
        while True:
            event = self._http.next_event()
            if isinstance(event, h11.Request):
                self._request, self._body = event, bytearray()
                if self._http.they_are_waiting_for_100_continue and self._transport is not None:
                    go_on = h11.InformationalResponse(status_code=100, headers=[])
                    self._transport.write(self._http.send(go_on) or b"")
            elif isinstance(event, h11.Data):
                self._body += event.data
                if len(self._body) > _BODY_LIMIT:
                    self.close()
                    return
            elif isinstance(event, h11.EndOfMessage):
                self._task = asyncio.get_running_loop().create_task(self._answer(self._whole_request()))
                return
            else:
                return

    def _whole_request(self) -> HttpRequest:
        assert self._request is not None
        target = urlsplit(self._request.target.decode("ascii", "replace"))
        headers = {
            name.decode("ascii", "replace"): value.decode("latin-1") for name, value in self._request.headers
        }
        method = self._request.method.decode("ascii", "replace")
        self.is_head = method == "HEAD"
        return HttpRequest(method, target.path, target.query, headers, bytes(self._body))

    async def _answer(self, request: HttpRequest) -> None:
        answer = Answer(self)
        try:
            await self._handle(request, answer)
        except ClientGone:
            self.close()
        except BadRequest as error:
            await self._excuse(answer, error.status, str(error))
        except Exception as error:
            self._on_fault(error)
            await self._excuse(answer, 500, f"the model server failed: {error!r}")
        self._go_on()

    async def _excuse(self, answer: Answer, status: int, message: str) -> None:
        try:
            if answer.status is None:
                await answer.send_json({"error": {"message": message}}, status)
            else:
                answer.cut()
        except ClientGone:
            self.close()

    def _go_on(self) -> None:
        self._task = None
        if self._http.our_state is h11.DONE and self._http.their_state is h11.DONE:
            self._http.start_next_cycle()
            self._feed_rest()
        else:
            self.close()

    def _feed_rest(self) -> None:
        try:
            self._read_events()
        except h11.RemoteProtocolError:
            self.close()


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
