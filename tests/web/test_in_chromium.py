"""The served cockpit in headless Chromium: drawn, typed into, led by its keys; no other host is asked."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from copilot.screen import TerminalScreen
from tests.web.browser import CHROMIUM, Page, page_at
from tests.web.serving import served

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not CHROMIUM, reason="Chromium is not installed"),
]
_COLUMNS, _LINES = 200, 80
"""More than fits into the page: what is drawn at the right and below has room."""
_PATIENCE_SECONDS = 120.0


class Drawn:
    """The page's terminal, by our own emulator: what the page was sent to draw."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._screen = TerminalScreen(_COLUMNS, _LINES)

    async def holds(self, wanted: str) -> None:
        """Wait until the screen holds `wanted`. Raises TimeoutError."""
        async with asyncio.timeout(_PATIENCE_SECONDS):
            while wanted not in "\n".join(self._screen.display):
                await asyncio.sleep(0.2)
                await self._page.value("1")
                self._screen.feed(bytes(self._page.received))
                self._page.received.clear()


async def test_the_cockpit_in_a_web_page(tmp_path: Path) -> None:
    script = "printf 'say something: '; read it; echo \"heard $it\"; printf 'Continue? [y/n] '; read x"
    command = ("--provider", "rules", "--", "sh", "-c", script)
    async with served(tmp_path, *command) as server, page_at(server.address) as page:
        drawn = Drawn(page)
        await drawn.holds("say something:")
        await drawn.holds("TERMINAL")
        await drawn.holds("step 0/50")
        assert "token" not in str(await page.value("location.href"))
        await page.value("document.querySelector('.xterm-helper-textarea').focus()")
        await page.type("blue\r")
        await drawn.holds("heard blue")
        await page.type("\x1d")
        await drawn.holds("CO-PILOT")
        await page.type("?")
        await drawn.holds("every key goes to the program")
        hosts = {urlsplit(one).hostname for one in page.requested if one.startswith(("http", "ws"))}
        assert hosts == {"127.0.0.1"}


async def test_without_the_token_the_page_shows_nothing(tmp_path: Path) -> None:
    async with served(tmp_path, "--", "cat") as server, page_at(server.address.partition("?")[0]) as page:
        await page.wait_for("document.body ? document.body.innerText : ''", "open the address that")
