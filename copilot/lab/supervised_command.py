"""Runs one program of a trial under the supervisor, to its end or its limit: nothing of it is left."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from copilot.supervision.supervised import Supervised

MOST_BYTES = 10_000_000


@dataclass(frozen=True, slots=True)
class Ran:
    """How a program ended: its exit status, None if it took too long, and what it printed."""

    status: int | None
    output: str
    complaint: str


async def run_supervised(
    program: str, argv: Sequence[str], folder: Path, environment: Mapping[str, str], seconds: float
) -> Ran:
    """Run it, read what it prints up to the bound and drain the rest, end its tree.

    Raises InputError or CopilotError if it cannot be started.
    """
    null = os.open(os.devnull, os.O_RDONLY)
    pipes = [os.pipe(), os.pipe()]
    theirs = (null, pipes[0][1], pipes[1][1])
    readers = [asyncio.create_task(_drained(read)) for read, _ in pipes]
    try:
        child = await Supervised.start(
            program,
            argv,
            folder=str(folder),
            environment=environment,
            descriptors=theirs,
            on_exit=lambda status: None,
        )
    finally:
        for descriptor in theirs:
            os.close(descriptor)
    status = None
    try:
        async with asyncio.timeout(seconds):
            status = await child.wait()
    except TimeoutError:
        pass
    finally:
        await child.end(0.0 if status is None else 0.2)
    return Ran(status, *await asyncio.gather(*readers))


async def _drained(descriptor: int) -> str:
    """Everything from a pipe until its end, the first part of it kept."""
    loop = asyncio.get_running_loop()
    kept, size = bytearray(), 0
    try:
        while data := await loop.run_in_executor(None, os.read, descriptor, 65536):
            kept += data[: MOST_BYTES - len(kept)]
            size += len(data)
    finally:
        os.close(descriptor)
    cut = f"\n[cut: {size - len(kept)} of {size} bytes]" if size > len(kept) else ""
    return kept.decode("utf-8", "replace") + cut
