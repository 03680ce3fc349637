"""Reading a boxed command's two output pipes: kept apart, never waiting for an end that may not come.

What comes is read at once. But of a command that writes without end, in small pieces, we would wake for every
piece: while much comes, it gathers for some milliseconds and is read in one.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum

_READ_BYTES = 1 << 16
_PIPE_BYTES = 1 << 20
"""Room for what gathers: the most that Linux gives without privilege. Source: pipe(7)."""
_LEAST_ROOM_BYTES = 1 << 14
_GATHER_SECONDS = 0.04
_MUCH_BYTES = 1 << 16
"""So much within `_GATHER_SECONDS`, and what follows may wait for more."""
_MOST_READS = 64
"""The most bytes read from a pipe without a writer: more than any pipe holds."""


class Stream(StrEnum):
    """Which of the two outputs."""

    STDOUT = "stdout"
    STDERR = "stderr"


class Pipes:
    """The pipes of one command. `take` gets what comes, in the order of arrival."""

    def __init__(self, take: Callable[[Stream, bytes], None]) -> None:
        self._take = take
        self._open: dict[int, Stream] = {}
        self._closed = asyncio.Event()
        self._writing: list[int] = []
        self._room: dict[int, int] = {}
        self._recent: dict[int, tuple[float, int]] = {}
        """Since when, and how many bytes came through a pipe since."""
        self.fault: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Holds what `take` raised first; output is dropped from there on."""
        for stream in Stream:
            reading, writing = os.pipe2(os.O_CLOEXEC) if hasattr(os, "pipe2") else os.pipe()
            os.set_blocking(reading, False)
            self._room[reading] = _make_room(reading)
            self._open[reading] = stream
            self._writing.append(writing)

    @property
    def child_ends(self) -> tuple[int, int]:
        """The descriptors for the command: its stdout and its stderr."""
        return self._writing[0], self._writing[1]

    def close_child_ends(self) -> None:
        """Let go of the command's ends, once it has them."""
        while self._writing:
            os.close(self._writing.pop())

    def listen(self) -> None:
        """Begin to read."""
        for descriptor in self._open:
            self._listen_to(descriptor)

    def read_waiting(self) -> None:
        """Read what the pipes hold now."""
        for descriptor in list(self._open):
            for _ in range(_MOST_READS):
                if not self._read(descriptor):
                    break

    async def ended(self, seconds: float) -> bool:
        """Whether all writers are gone within this time. False: something holds a pipe open."""
        self.read_waiting()
        try:
            async with asyncio.timeout(seconds):
                await self._closed.wait()
        except TimeoutError:
            return self._closed.is_set()
        return True

    def close(self) -> None:
        """Stop reading and let go of everything."""
        self.close_child_ends()
        for descriptor in list(self._open):
            self._forget(descriptor)
        if self.fault.done():
            self.fault.exception()

    def _listen_to(self, descriptor: int) -> None:
        asyncio.get_running_loop().add_reader(descriptor, self._readable, descriptor)

    def _readable(self, descriptor: int) -> None:
        size, loop = self._read(descriptor), asyncio.get_running_loop()
        since, before = self._recent.get(descriptor, (0.0, 0))
        now = loop.time()
        if now - since > _GATHER_SECONDS:
            since, before = now, 0
        self._recent[descriptor] = (since, before + size)
        if before + size >= _MUCH_BYTES and descriptor in self._open:
            loop.remove_reader(descriptor)
            loop.call_later(_GATHER_SECONDS, self._read_gathered, descriptor)

    def _read_gathered(self, descriptor: int) -> None:
        size = piece = self._read(descriptor)
        while piece == _READ_BYTES and size < _PIPE_BYTES:
            piece = self._read(descriptor)
            size += piece
        loop = asyncio.get_running_loop()
        if descriptor not in self._open:
            return
        if size > self._room[descriptor] // 2:
            loop.call_soon(self._read_gathered, descriptor)  # else the command would wait for us
        elif size >= _MUCH_BYTES:
            loop.call_later(_GATHER_SECONDS, self._read_gathered, descriptor)
        else:
            self._listen_to(descriptor)

    def _read(self, descriptor: int) -> int:
        """Read once: how many bytes. 0 when there is nothing more for now, or ever."""
        if descriptor not in self._open:
            return 0
        try:
            data = os.read(descriptor, _READ_BYTES)
        except (BlockingIOError, InterruptedError):
            return 0
        except OSError:
            data = b""
        if not data:
            self._forget(descriptor)
            return 0
        if not self.fault.done():
            try:
                self._take(self._open[descriptor], data)
            except Exception as fault:
                self.fault.set_exception(fault)
        return len(data)

    def _forget(self, descriptor: int) -> None:
        asyncio.get_running_loop().remove_reader(descriptor)
        os.close(descriptor)
        del self._open[descriptor]
        if not self._open:
            self._closed.set()


def _make_room(pipe: int) -> int:
    """Let the pipe hold more, where that can be had. How many bytes it holds."""
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        with suppress(OSError):  # a user's share of such memory may be used up
            return fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    return _LEAST_ROOM_BYTES
