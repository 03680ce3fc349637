"""The one way out with `model-only`: a CONNECT proxy that listens inside, and is answered by us outside.

`inside.py` opens the sockets within the envelope's own network and hands them over, so what connects there
reaches this process. The first one is the proxy; the others stand for servers of this machine that the CLI's
own addresses name, and lead there. A host is told once, with what became of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable, Sequence

from copilot.envelope.hosts import HostList

_MOST_HEAD = 16 * 1024
_HEAD_SECONDS = 30.0
_CONNECT_SECONDS = 30.0
_PIECE = 64 * 1024
_MOST_TOLD = 500
"""So many hosts are told; a program that makes names up would fill the run's records."""
_MOST_NAME = 253
"""The longest name of DNS."""


class Proxy:
    """Answers for what listens inside, from `serve` to `close`. `say` gets one line for each new host."""

    def __init__(self, hosts: HostList, ports: Sequence[int], say: Callable[[str], None]) -> None:
        self._hosts, self._ports, self._say = hosts, tuple(ports), say
        self._servers: list[asyncio.Server] = []
        self._open: set[asyncio.StreamWriter] = set()
        self._told: set[str] = set()

    async def serve(self, listening: Sequence[socket.socket]) -> None:
        """Answer on these sockets: the proxy's, then one for each port."""
        handlers = [self._answer, *(self._lead_to(port) for port in self._ports)]
        for one, handler in zip(listening, handlers, strict=True):
            one.setblocking(False)
            self._servers.append(await asyncio.start_server(handler, sock=one, limit=_MOST_HEAD))

    async def close(self) -> None:
        """Answer no more, and cut what is open."""
        for server in self._servers:
            server.close()
        for writer in [*self._open]:
            writer.transport.abort()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(_HEAD_SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            writer.transport.abort()
            return
        host, port = _target(head)
        if not host:
            await _refuse(writer, "400 Bad Request", "only CONNECT HOST:PORT is answered (https)")
        elif self._hosts.allows(host, port):
            self._tell(f"network: {_name(host, port)} reached")
            await self._join(reader, writer, host, port, b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            self._tell(f"envelope: no network to {_name(host, port)} (envelope_hosts lifts it)")
            await _refuse(writer, "403 Forbidden", f"copilot's envelope: no network to {_name(host, port)}")

    def _lead_to(
        self, port: int
    ) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], asyncio.Future[None]]:
        def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> asyncio.Future[None]:
            self._tell(f"network: {_name('127.0.0.1', port)} reached")
            return asyncio.ensure_future(self._join(reader, writer, "127.0.0.1", port, b""))

        return answer

    async def _join(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        host: str,
        port: int,
        greeting: bytes,
    ) -> None:
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                from_there, to_there = await asyncio.open_connection(host, port)
        except (TimeoutError, OSError):
            await _refuse(writer, "502 Bad Gateway", f"{_name(host, port)} cannot be reached")
            return
        both = {writer, to_there}
        self._open |= both
        try:
            writer.write(greeting)
            await asyncio.gather(_pour(reader, to_there), _pour(from_there, writer))
        finally:
            self._open -= both
            for one in both:
                one.transport.abort()

    def _tell(self, line: str) -> None:
        if line not in self._told and len(self._told) < _MOST_TOLD:
            self._told.add(line)
            self._say(line)


def _name(host: str, port: int) -> str:
    return host if port == 443 else f"{host}:{port}"


def _target(head: bytes) -> tuple[str, int]:
    """The host and port of a CONNECT request; no host for anything else."""
    words = head.split(b"\r\n", 1)[0].decode("ascii", "replace").split(" ")
    if len(words) != 3 or words[0] != "CONNECT":
        return "", 0
    host, _, port = words[1].rpartition(":")
    host = host.strip("[]")
    plain = (
        host.isascii() and host.replace("-", "").replace(".", "").replace(":", "").replace("_", "").isalnum()
    )
    if not plain or not port.isdecimal() or len(host) > _MOST_NAME or not 0 < int(port[:6]) < 65536:
        return "", 0
    return host, int(port)


async def _refuse(writer: asyncio.StreamWriter, status: str, words: str) -> None:
    with contextlib.suppress(OSError):
        body = f"{words}\n".encode()
        head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {len(body)}\r\n"
        writer.write(f"{head}Connection: close\r\n\r\n".encode() + body)
        await writer.drain()
        writer.close()


async def _pour(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    """Pass on until the end, then say that it is one."""
    with contextlib.suppress(OSError):
        while data := await source.read(_PIECE):
            target.write(data)
            await target.drain()
        if target.can_write_eof():
            target.write_eof()
