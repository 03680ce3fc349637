"""Chromium without a window, driven by its own protocol: just what the tests of web pages need."""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
import re
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from copilot.screen import TerminalScreen

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""
_WAIT_SECONDS = 120.0
_BINARY = 2
_COLUMNS, _LINES = 200, 80
"""More than fits into a page: what is drawn at the right and below has room."""


class Page:
    """One page. Raises TimeoutError if the browser does not answer."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self.requested: list[str] = []
        """Addresses that the page has asked for."""
        self.received = bytearray()
        """What the page's sockets were sent, as it is drawn on a canvas, where nothing can be read."""

    async def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One command of the protocol and its result."""
        number = next(self._numbers)
        await self._socket.send_json({"id": number, "method": method, "params": parameters})
        async with asyncio.timeout(_WAIT_SECONDS):
            while True:
                message = json.loads((await self._socket.receive()).data)
                if message.get("method") == "Network.requestWillBeSent":
                    self.requested.append(message["params"]["request"]["url"])
                if message.get("method") == "Network.webSocketFrameReceived":
                    frame = message["params"]["response"]
                    if frame["opcode"] == _BINARY:
                        self.received += base64.b64decode(frame["payloadData"])
                if message.get("id") == number:
                    assert "error" not in message, message["error"]
                    result: dict[str, Any] = message["result"]
                    return result

    async def value(self, expression: str) -> Any:
        result = await self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        return result["result"].get("value")

    async def type(self, text: str) -> None:
        """Press the keys of `text`."""
        for character in text:
            await self.call("Input.dispatchKeyEvent", type="char", text=character)

    async def wait_for(self, expression: str, wanted: str, seconds: float = _WAIT_SECONDS) -> str:
        """The expression's text once it holds `wanted`."""
        shown = ""
        async with asyncio.timeout(seconds):
            while wanted not in shown:
                await asyncio.sleep(0.2)
                shown = str(await self.value(expression))
        return shown

    async def picture(self) -> bytes:
        shot = await self.call("Page.captureScreenshot", format="png")
        return base64.b64decode(shot["data"])


class Drawn:
    """The page's terminal, by our own emulator: what the page was sent to draw."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._screen = TerminalScreen(_COLUMNS, _LINES)

    async def holds(self, wanted: str) -> None:
        """Wait until the screen holds `wanted`. Raises TimeoutError."""
        await self.matches(re.escape(wanted))

    async def matches(self, pattern: str) -> None:
        """Wait until the screen matches. Raises TimeoutError."""
        expression = re.compile(pattern, re.MULTILINE)
        async with asyncio.timeout(_WAIT_SECONDS):
            while not expression.search("\n".join(self._screen.display)):
                await asyncio.sleep(0.2)
                await self._page.value("1")
                self._screen.feed(bytes(self._page.received))
                self._page.received.clear()


@asynccontextmanager
async def page_at(address: str, *, size: tuple[int, int] = (1200, 800)) -> AsyncIterator[Page]:
    """A page at this address, in a fresh profile."""
    with tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True) as folder:
        process = await asyncio.create_subprocess_exec(
            CHROMIUM,
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--remote-debugging-port=0",
            f"--window-size={size[0]},{size[1]}",
            f"--user-data-dir={folder}",
            "about:blank",
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            async with aiohttp.ClientSession() as http:
                base = await _debugger(process)
                async with http.get(f"{base}/json") as answer:
                    pages = [one for one in await answer.json() if one["type"] == "page"]
                async with http.ws_connect(pages[0]["webSocketDebuggerUrl"], max_msg_size=0) as socket:
                    page = Page(socket)
                    await page.call("Network.enable")
                    await page.call("Page.navigate", url=address)
                    yield page
        finally:
            process.terminate()
            await process.wait()


async def _debugger(process: asyncio.subprocess.Process) -> str:
    """Where the browser's protocol is spoken: it says so on its error output."""
    assert process.stderr is not None
    async with asyncio.timeout(_WAIT_SECONDS):
        while line := (await process.stderr.readline()).decode("utf-8", "replace"):
            if found := re.search(r"ws://([0-9.:]+)/", line):
                return f"http://{found.group(1)}"
    raise AssertionError("the browser has ended")
