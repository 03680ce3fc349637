"""`copilot serve` as a process of its own, with a home of its own."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_START_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Served:
    """The process that serves, and how its output is read."""

    process: asyncio.subprocess.Process

    async def address(self) -> str:
        """The next address that is printed; each is good for one page. Raises TimeoutError."""
        assert self.process.stdout is not None
        async with asyncio.timeout(_START_SECONDS):
            while line := (await self.process.stdout.readline()).decode():
                if found := re.search(r"http://\S+", line):
                    return found.group()
        raise AssertionError("the server has ended")


@asynccontextmanager
async def served(
    folder: Path, *arguments: str, more: Mapping[str, str] | None = None
) -> AsyncIterator[Served]:
    """`copilot serve` in that folder; ended by Ctrl+C, as a person would, if it runs still.

    `more` are variables of its environment that a program needs.
    """
    environment = {
        "HOME": str(folder),
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "PYTHONPATH": str(_ROOT),
        "PYTHONUNBUFFERED": "1",
        **(more or {}),
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "copilot", "serve", *arguments),
        cwd=folder,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield Served(process)
    finally:
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGINT)
        await process.wait()
