"""How a served session ends: with its page, with the server, or by its own key; no program is left behind."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from tests.web.serving import Served, served
from tests.web.tab import Browser

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]
_PATIENCE_SECONDS = 60.0
_AT_ONCE_SECONDS = 15.0
"""aiohttp by itself waits for the sockets that are open, more than 20 seconds."""
_PROGRAM = ("--provider", "rules", "--", "sh", "-c", ": > pid-$$; echo here $((40 + 2)); exec sleep 1000")
_SAYS = b"here 42"
"""Not in the command line, which the opening screen shows."""


@asynccontextmanager
async def opened(server: Served) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    """A page's socket, by the address that was printed last."""
    async with Browser() as browser:
        tab = browser.tab()
        await tab.load(await server.address())
        async with await tab.open() as socket:
            await socket.send_json(["resize", {"width": 133, "height": 36}])  # as the page does
            yield socket


async def drawn(socket: aiohttp.ClientWebSocketResponse, wanted: bytes) -> None:
    """Read until `wanted` is drawn. Raises TimeoutError."""
    seen = b""
    async with asyncio.timeout(_PATIENCE_SECONDS):
        while wanted not in seen:
            message = await socket.receive()
            assert message.type in (aiohttp.WSMsgType.BINARY, aiohttp.WSMsgType.TEXT), message
            seen = (seen + (message.data if isinstance(message.data, bytes) else b""))[-20_000:]


async def closed(socket: aiohttp.ClientWebSocketResponse) -> None:
    """Read on, as a page does, until the server closes the socket. Raises TimeoutError."""
    async with asyncio.timeout(_PATIENCE_SECONDS):
        while (await socket.receive()).type not in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED):
            pass


def there(pid: int) -> bool:
    """Whether that process runs."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


async def gone(pid: int) -> None:
    """Wait until that process is gone. Raises TimeoutError."""
    async with asyncio.timeout(_PATIENCE_SECONDS):
        while there(pid):  # noqa: ASYNC110 - another process's end sets no event of ours
            await asyncio.sleep(0.1)


def pids(folder: Path) -> list[int]:
    return [int(path.name.removeprefix("pid-")) for path in folder.glob("pid-*")]


def outcomes(folder: Path) -> list[str]:
    manifests = sorted((folder / ".local/state/copilot/runs").glob("*/manifest.json"))
    return [json.loads(path.read_text("utf-8"))["outcome"]["word"] for path in manifests]


async def test_with_its_page(tmp_path: Path) -> None:
    async with served(tmp_path, *_PROGRAM) as server:
        async with opened(server) as first, opened(server) as second:
            await drawn(first, _SAYS)
            await drawn(second, _SAYS)
            assert len(pids(tmp_path)) == 2, "each page is a session of its own"
        for pid in pids(tmp_path):
            await gone(pid)
        assert server.process.returncode is None, "the server stays for the next page"
        async with opened(server) as socket:
            await drawn(socket, _SAYS)
    for pid in pids(tmp_path):
        await gone(pid)
    assert outcomes(tmp_path) == ["aborted"] * 3


async def test_with_the_server(tmp_path: Path) -> None:
    async with served(tmp_path, *_PROGRAM) as server, opened(server) as socket:
        await drawn(socket, _SAYS)
        (pid,) = pids(tmp_path)
        server.process.send_signal(signal.SIGINT)
        async with asyncio.timeout(_AT_ONCE_SECONDS):
            await closed(socket)
            await gone(pid)
            await server.process.wait()


@pytest.mark.parametrize(
    "ended_by", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name
)
@pytest.mark.parametrize("impatient", [False, True])
async def test_a_signal_ends_it_without_a_word(
    tmp_path: Path, ended_by: signal.Signals, impatient: bool
) -> None:
    async with served(tmp_path, *_PROGRAM) as server, opened(server) as socket:
        await drawn(socket, _SAYS)
        (pid,) = pids(tmp_path)
        server.process.send_signal(ended_by)
        async with asyncio.timeout(_AT_ONCE_SECONDS):
            while impatient and there(server.process.pid):
                server.process.send_signal(ended_by)
                await asyncio.sleep(0.05)
            out, err = await server.process.communicate()
            await gone(pid)
    # A signal that comes when Python itself is ending already is its own end.
    assert server.process.returncode in ((0, -ended_by) if impatient else (0,))
    assert err == b""
    assert b"Traceback" not in out


async def test_by_its_own_key_and_the_page_says_so(tmp_path: Path) -> None:
    async with served(tmp_path, *_PROGRAM) as server, opened(server) as socket:
        await drawn(socket, _SAYS)
        (pid,) = pids(tmp_path)
        await socket.send_str(json.dumps(["stdin", "\x1dq"]))
        await gone(pid)
        await closed(socket)
        assert server.process.returncode is None
