"""Running real small programs in a terminal, for the tests of this room."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from copilot.pty.programs import child_environment
from copilot.pty.pty_child import PtyChild
from copilot.supervision import process_tree

PATIENCE_SECONDS = 100.0


class Watched:
    """What a child wrote and how it ended."""

    def __init__(self) -> None:
        self.output = bytearray()
        self.statuses: list[int] = []
        self.failures: list[str] = []
        self.child: PtyChild

    @property
    def text(self) -> str:
        return self.output.decode("utf-8", "replace")

    async def until_text(self, wanted: str) -> None:
        await until(lambda: wanted in self.text, lambda: f"no {wanted!r} in {self.text[-500:]!r}")


async def until(condition: Callable[[], bool], told: Callable[[], str] = lambda: "") -> None:
    """Wait for the condition; fail after a time that no sound machine needs."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < end, told()
        await asyncio.sleep(0.005)


@asynccontextmanager
async def running(
    *argv: str, cwd: str | Path = "/", deadline: float = 5.0, grace: float = 0.2
) -> AsyncIterator[Watched]:
    """The program in a 80x24 terminal, ended whatever happens."""
    watched = Watched()
    watched.child = await PtyChild.start(
        argv,
        cwd=cwd,
        environment=child_environment(os.environ),
        columns=80,
        lines=24,
        on_output=watched.output.extend,
        on_exit=watched.statuses.append,
        on_write_failed=watched.failures.append,
        write_deadline_seconds=deadline,
    )
    try:
        yield watched
    finally:
        await watched.child.end(grace)


def python(code: str) -> tuple[str, ...]:
    """The argv that runs this code in a bare interpreter."""
    return (sys.executable, "-I", "-S", "-u", "-c", code)


def alive(pid: int) -> bool:
    one = process_tree.process(pid)
    return one is not None and not one.dead


def changed(one: process_tree.Process, **fields: Any) -> process_tree.Process:
    """The process with other values in these fields."""
    return process_tree.Process(**{name: getattr(one, name) for name in one.__slots__} | fields)


def pids_in(text: str) -> list[int]:
    """The numbers after `pid=` in a child's output."""
    return [int(piece.split()[0]) for piece in text.split("pid=")[1:] if piece.split()]
