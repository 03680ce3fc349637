"""The served cockpit in headless Chromium: drawn, typed into, led by its keys; no other host is asked."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.web.browser import CHROMIUM, Drawn, page_at
from tests.web.serving import served

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not CHROMIUM, reason="Chromium is not installed"),
]


async def test_the_cockpit_in_a_web_page(tmp_path: Path) -> None:
    script = "printf 'say something: '; read it; echo \"heard $it\"; printf 'Continue? [y/n] '; read x"
    command = ("--provider", "rules", "--autonomy", "suggest", "--", "sh", "-c", script)
    async with served(tmp_path, *command) as server, page_at(server.address) as page:
        drawn = Drawn(page)
        await drawn.holds("say something:")
        await drawn.holds("TERMINAL")
        await drawn.holds("sent 0/50")
        assert "token" not in str(await page.value("location.href"))
        # Nothing is clicked: keys go to the program from the start.
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
