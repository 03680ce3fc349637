"""Reading a boxed command's two output pipes: told apart, never waiting for an end that may not come."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from enum import StrEnum

_READ_BYTES = 1 << 16
_MOST_READS = 64
"""Of what stands in a pipe when nothing writes any more: more than any pipe holds."""


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
        self.fault: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Holds what `take` raised first; output is dropped from there on."""
        for stream in Stream:
            reading, writing = os.pipe2(os.O_CLOEXEC) if hasattr(os, "pipe2") else os.pipe()
            os.set_blocking(reading, False)
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
        loop = asyncio.get_running_loop()
        for descriptor in self._open:
            loop.add_reader(descriptor, self._read, descriptor)

    def read_waiting(self) -> None:
        """Take what stands in the pipes now."""
        for descriptor in list(self._open):
            for _ in range(_MOST_READS):
                if not self._read(descriptor):
                    break

    async def ended(self, seconds: float) -> bool:
        """Whether all writers are gone within this time. False: something holds a pipe open."""
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

    def _read(self, descriptor: int) -> bool:
        """Read once. False when there is nothing more for now."""
        if descriptor not in self._open:
            return False
        try:
            data = os.read(descriptor, _READ_BYTES)
        except (BlockingIOError, InterruptedError):
            return False
        except OSError:
            data = b""
        if not data:
            self._forget(descriptor)
            return False
        if not self.fault.done():
            try:
                self._take(self._open[descriptor], data)
            except Exception as fault:
                self.fault.set_exception(fault)
        return True

    def _forget(self, descriptor: int) -> None:
        asyncio.get_running_loop().remove_reader(descriptor)
        os.close(descriptor)
        del self._open[descriptor]
        if not self._open:
            self._closed.set()
