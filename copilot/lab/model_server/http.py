"""HTTP/1.1 on 127.0.0.1 with asyncio and h11, in control of every byte: late, cut and silent answers.

A server of an ASGI framework takes this control away: it cuts no connection before the first byte.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import threading
import traceback
import zlib
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import urlsplit

import h11

from copilot.documents import parse_json

_HEADER_LIMIT = 64 * 1024
_BODY_LIMIT = 256 * 1024 * 1024
_DEFAULT_PORT = 80
"""Clients leave it out of the host."""
_FORBIDDEN = 403
_MOST_SHOWN = 80
_ADDRESS = "127.0.0.1"
_OTHER_PAGES = ("cross-site", "same-site")
_LIFE_SECONDS = 10.0
"""The longest that starting or stopping the thread may take."""


class ClientGone(Exception):
    """The connection ended before the answer was complete."""


class BadRequest(Exception):
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
            return parse_json(self._unpacked() or b"{}")
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


class Connection:
    """One client: its requests one after the other, and their answers.

    Exactly one of `send_json`, `start_stream` and `cut` begins an answer. What waits or writes raises
    ClientGone.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=_HEADER_LIMIT)
        self._arrived = asyncio.Event()
        self._gone = asyncio.Event()
        self._is_head = False
        self._begun = False

    async def serve(self, handle: Handler, on_fault: Callable[[BaseException], None]) -> None:
        """Have each request answered by `handle`, as long as the connection may be kept."""
        reading = asyncio.create_task(self._read())
        try:
            while True:
                await self._answer(await self._request(), handle, on_fault)
                if self._http.our_state is not h11.DONE or self._http.their_state is not h11.DONE:
                    break
                self._http.start_next_cycle()
        except (ClientGone, h11.RemoteProtocolError):
            pass
        finally:
            reading.cancel()
            self._writer.close()

    async def send_json(self, body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        data = json.dumps(body, ensure_ascii=False).encode("utf-8", "surrogatepass")
        fields = {"content-type": "application/json", "content-length": str(len(data)), **(headers or {})}
        content = [] if self._is_head else [h11.Data(data=data)]
        head = h11.Response(status_code=status, headers=list(fields.items()))
        await self._send(head, *content, h11.EndOfMessage())

    async def start_stream(
        self, content_type: str = "text/event-stream; charset=utf-8", status: int = 200
    ) -> None:
        headers = [("content-type", content_type), ("cache-control", "no-cache")]
        await self._send(h11.Response(status_code=status, headers=headers))

    async def send(self, data: bytes) -> None:
        """More of a streamed answer; waits while the client reads too slowly."""
        await self._send(h11.Data(data=data))

    async def end_stream(self) -> None:
        await self._send(h11.EndOfMessage())

    def cut(self) -> None:
        """Close at once, whatever was promised to the client."""
        self._writer.close()

    async def pause(self, seconds: float) -> None:
        """Do nothing for so long, or until the client leaves."""
        if seconds <= 0:
            return
        with suppress(TimeoutError):
            await asyncio.wait_for(self._gone.wait(), seconds)
            raise ClientGone

    async def _send(self, *events: h11.Event) -> None:
        if self._gone.is_set() or self._writer.is_closing():
            raise ClientGone
        self._begun = True
        self._writer.write(b"".join(self._http.send(event) or b"" for event in events))
        try:
            await self._writer.drain()
        except OSError as error:
            raise ClientGone from error

    async def _read(self) -> None:
        """Take what arrives, also while an answer is under way: else a client that leaves goes unnoticed."""
        with suppress(OSError):
            while data := await self._reader.read(_HEADER_LIMIT):
                self._http.receive_data(data)
                self._arrived.set()
        self._gone.set()
        self._arrived.set()

    async def _event(self) -> object:
        while True:
            event = self._http.next_event()
            if event is not h11.NEED_DATA:
                return event
            if self._gone.is_set():
                raise ClientGone
            self._arrived.clear()
            await self._arrived.wait()

    async def _request(self) -> HttpRequest:
        head = await self._event()
        assert isinstance(head, h11.Request)
        if self._http.they_are_waiting_for_100_continue:
            go_on = h11.InformationalResponse(status_code=100, headers=[])
            self._writer.write(self._http.send(go_on) or b"")
        body = bytearray()
        while isinstance(part := await self._event(), h11.Data):
            body += part.data
            if len(body) > _BODY_LIMIT:
                raise ClientGone
        target = urlsplit(head.target.decode("ascii", "replace"))
        headers = {name.decode("ascii", "replace"): value.decode("latin-1") for name, value in head.headers}
        method = head.method.decode("ascii", "replace")
        self._is_head = method == "HEAD"
        return HttpRequest(method, target.path, target.query, headers, bytes(body))

    async def _answer(
        self, request: HttpRequest, handle: Handler, on_fault: Callable[[BaseException], None]
    ) -> None:
        self._begun = False
        try:
            await handle(request, self)
        except ClientGone:
            raise
        except BadRequest as error:
            await self._excuse(error.status, str(error))
        except Exception as error:
            on_fault(error)
            await self._excuse(500, f"the model server failed: {error!r}")

    async def _excuse(self, status: int, message: str) -> None:
        if self._begun:
            self.cut()
        else:
            await self.send_json({"error": {"message": message}}, status)


Handler = Callable[[HttpRequest, Connection], Awaitable[None]]


def _refused(why: str) -> dict[str, Any]:
    """An error in the words of every vendor's protocol at once: any CLI shows its message."""
    words = {"type": "permission_error", "code": _FORBIDDEN, "status": "PERMISSION_DENIED", "param": None}
    return {"type": "error", "error": {"message": why, **words}}


class Serving:
    """An HTTP server on 127.0.0.1; subclasses say what it answers, in `handle`.

    Every page that is open in a browser of this machine can reach the port, and a foreign name can be made to
    lead here. So a request counts only under our own name, and never from a page: no CLI sends an Origin.

    `with` serves from a thread, `async with` from the running loop; leaving without an exception checks.
    """

    def __init__(self, port: int = 0) -> None:
        self.port = port
        self.faults: list[str] = []
        self._clients: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self._server: asyncio.Server | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """The base URL, without a trailing slash and without `/v1`."""
        return f"http://{_ADDRESS}:{self.port}"

    def refusal(self, http: HttpRequest) -> str:
        """Why this request comes from elsewhere than from a CLI of this machine; empty if it does not."""
        port = "" if self.port == _DEFAULT_PORT else f":{self.port}"
        host = http.headers.get("host", "").lower()
        if host not in (f"{_ADDRESS}{port}", f"localhost{port}"):
            return (
                f"the model server answers to {_ADDRESS}{port} only, not to the host {host[:_MOST_SHOWN]!r}"
            )
        if "origin" in http.headers or http.headers.get("sec-fetch-site", "") in _OTHER_PAGES:
            return "the model server answers no web page (the request has an Origin)"
        return ""

    async def handle(self, http: HttpRequest, answer: Connection) -> None:
        """Answer one HTTP request. Raises ClientGone and BadRequest."""
        raise NotImplementedError

    def check_at_exit(self) -> None:
        """Called when the block is left without an exception."""

    async def start(self) -> None:
        """Begin to serve from the running loop. Raises OSError when the port is taken."""
        self._server = await asyncio.start_server(self._connected, _ADDRESS, self.port, backlog=512)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Stop serving; answers under way are cut. Harmless when repeated."""
        server, self._server = self._server, None
        if server is None:
            return
        server.close()
        clients = dict(self._clients)
        for task, writer in clients.items():
            task.cancel()
            writer.transport.abort()
        await asyncio.gather(*clients, return_exceptions=True)
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

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        await self.stop()
        if kind is None:
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

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close()
        if kind is None:
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

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._clients[task] = writer
        try:
            with suppress(asyncio.CancelledError):  # by `stop`, and logged by asyncio unless caught here
                await Connection(reader, writer).serve(self._handle_ours, self._note_fault)
        finally:
            del self._clients[task]

    async def _handle_ours(self, http: HttpRequest, answer: Connection) -> None:
        if why := self.refusal(http):
            await answer.send_json(_refused(why), _FORBIDDEN)
        else:
            await self.handle(http, answer)

    def _note_fault(self, error: BaseException) -> None:
        """Keep an exception that no caller would see."""
        lines = "".join(traceback.format_exception(error)).strip()
        self.faults.append(f"fault of the model server: {lines}")
