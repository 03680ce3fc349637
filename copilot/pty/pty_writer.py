"""Writing to a pseudo-terminal whose reader may be slow, or may never read.

The kernel takes about 18 KB for a child that does not read, then no more. So nothing here blocks: what is not
taken waits in a queue, and if nothing at all was taken for the deadline, the rest is dropped and reported.
"""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Callable

from copilot.errors import CopilotError

MOST_WAITING_BYTES = 4 * 1024 * 1024
"""More than this is never kept for a child that does not read."""
_RETRY_SECONDS = 0.01


class WriteFailed(CopilotError):
    """What was written did not reach the child; the message says how much of it did not, and why."""


class PtyWriter:
    """A queue before a non-blocking descriptor. `on_failed` is called once per failure, with a message."""

    def __init__(self, descriptor: int, *, deadline_seconds: float, on_failed: Callable[[str], None]) -> None:
        self._descriptor = descriptor
        self._deadline_seconds = deadline_seconds
        self._on_failed = on_failed
        self._loop = asyncio.get_running_loop()
        self._waiting = bytearray()
        self._empty = asyncio.Event()
        self._empty.set()
        self._failure = ""
        self._closed = ""
        self._watching = False
        self._deadline: asyncio.TimerHandle | None = None
        self._retry: asyncio.TimerHandle | None = None

    def write(self, data: bytes) -> None:
        """Send `data` after all that was written before. Returns at once; failures go to `on_failed`."""
        if not data:
            return
        if self._closed:
            self._fail(self._closed, len(data))
            return
        if len(self._waiting) + len(data) > MOST_WAITING_BYTES:
            self._waiting += data
            self._give_up("the child does not read what is typed")
            return
        self._failure = ""
        self._waiting += data
        if not self._watching and self._retry is None:
            self._push()

    async def drain(self) -> None:
        """Return when the child's terminal has taken everything. Raises WriteFailed if it was given up."""
        await self._empty.wait()
        if self._failure:
            raise WriteFailed(self._failure)

    def close(self, reason: str) -> None:
        """Write no more; the queue is dropped and reported with this reason."""
        if not self._closed:
            self._closed = reason
            self._give_up(reason)

    def _push(self) -> None:
        """Write as much as is taken, and watch for room for the rest."""
        self._retry = None
        try:
            taken = os.write(self._descriptor, memoryview(self._waiting)[:65536].tobytes())
        except (BlockingIOError, InterruptedError):
            taken = 0
        except OSError as error:
            gone = error.errno in (errno.EIO, errno.EBADF, errno.ENXIO)
            self._give_up("the child's terminal is closed" if gone else os.strerror(error.errno or 0))
            return
        if taken:
            del self._waiting[:taken]
            self._cancel_deadline()
        if not self._waiting:
            self._rest()
            return
        self._empty.clear()
        if self._deadline is None:
            self._deadline = self._loop.call_later(self._deadline_seconds, self._too_late)
        if taken:
            self._watch()
        else:
            # The poll says "room" where a write still takes nothing: look again later rather than spin.
            self._unwatch()
            self._retry = self._loop.call_later(_RETRY_SECONDS, self._push)

    def _too_late(self) -> None:
        self._deadline = None
        self._give_up(f"the child has not read for {self._deadline_seconds:g} s")

    def _give_up(self, reason: str) -> None:
        lost = len(self._waiting)
        self._waiting.clear()
        if lost:
            self._fail(reason, lost)
        self._rest()

    def _fail(self, reason: str, lost: int) -> None:
        self._failure = f"{lost} bytes were not typed: {reason}"
        self._on_failed(self._failure)

    def _rest(self) -> None:
        self._cancel_deadline()
        self._unwatch()
        if self._retry is not None:
            self._retry.cancel()
            self._retry = None
        self._empty.set()

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _watch(self) -> None:
        if not self._watching:
            self._loop.add_writer(self._descriptor, self._push)
            self._watching = True

    def _unwatch(self) -> None:
        if self._watching:
            self._loop.remove_writer(self._descriptor)
            self._watching = False
