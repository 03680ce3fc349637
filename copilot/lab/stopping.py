"""Ends the trial of a worker process when its parent asks for it, in order.

The signal handler raises nothing. An exception from a handler comes up wherever the interpreter happens to
be: in a weak reference's callback or a finalizer it is printed and lost, and the trial goes on. Here the
handler cancels the coroutine at work; `checked` finds what came between two of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


class Stopping:
    """Whether this process shall end its work, and what is at work. One per process: `STOPPING`."""

    def __init__(self) -> None:
        self.asked = False
        self._cancel: Callable[[], object] = _nothing

    def ask(self) -> None:
        """End what runs. For a signal handler of the main thread."""
        self.asked = True
        self._cancel()

    def checked(self) -> None:
        """Raise KeyboardInterrupt if the process was asked to end."""
        if self.asked:
            raise KeyboardInterrupt

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """`asyncio.run`, cancelled by `ask`. Raises KeyboardInterrupt then, also if `work` ended well."""
        try:
            result = asyncio.run(self._cancellable(work))
        except asyncio.CancelledError:
            self.checked()
            raise
        self.checked()
        return result

    async def _cancellable(self, work: Coroutine[Any, Any, Result]) -> Result:
        loop, task = asyncio.get_running_loop(), asyncio.ensure_future(work)
        self._cancel = lambda: loop.call_soon_threadsafe(task.cancel)
        try:
            if self.asked:
                task.cancel()
            return await task
        finally:
            self._cancel = _nothing


def _nothing() -> None:
    """Nothing is at work."""


STOPPING = Stopping()
