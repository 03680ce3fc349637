"""The server in the loop of a test, on a port of its own; in place of a cockpit a program that only waits."""

from __future__ import annotations

import shlex
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from unittest.mock import patch

from aiohttp import web
from textual_serve.app_service import AppService

from copilot.web.server import CockpitServer, bound

_WAITS = """
import os, sys, time
lingers = "".join(sys.argv[1:])
packets, out = sys.stdin.buffer, sys.stdout.buffer
out.write(b"__GANGLION__\\n")
out.flush()
while (head := packets.read(5)) and b'"quit"' not in packets.read(int.from_bytes(head[1:], "big")):
    pass
while lingers and not os.path.exists(lingers):
    time.sleep(0.01)
"""


@asynccontextmanager
async def running(token: str = "", *, ends_with: Path | None = None) -> AsyncIterator[CockpitServer]:
    """The server, answering. Programs that are told to end do so once the file `ends_with` is there."""
    started: list[Process] = []
    opening = AppService._open_app_process

    async def open_and_note(service: AppService, width: int = 80, height: int = 24) -> Process:
        started.append(await opening(service, width, height))
        return started[-1]

    with bound(0) as listening, patch.object(AppService, "_open_app_process", open_and_note):
        server = CockpitServer(["--", "cat"], listening, token=token)
        server.command = shlex.join([sys.executable, "-I", "-S", "-c", _WAITS, str(ends_with or "")])
        runner = web.AppRunner(await server._make_app(), shutdown_timeout=5)
        await runner.setup()
        try:
            await web.SockSite(runner, listening).start()
            yield server
        finally:
            await runner.cleanup()
            await _ended(started)


async def _ended(processes: list[Process]) -> None:
    """Wait for them: textual-serve does not, and what is left of them would outlive the loop."""
    for process in processes:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
