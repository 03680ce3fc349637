"""The served cockpit in headless Chromium: drawn, typed into, led by its keys; no other host is asked."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.web.browser import CHROMIUM, Drawn, page_at
from tests.web.serving import served

_WORDS = "document.body ? document.body.innerText : ''"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not CHROMIUM, reason="Chromium is not installed"),
]


async def test_the_cockpit_in_a_web_page(tmp_path: Path) -> None:
    script = "printf 'say something: '; read it; echo \"heard $it\"; printf 'Continue? [y/n] '; read x"
    command = ("--provider", "rules", "--autonomy", "suggest", "--", "sh", "-c", script)
    async with served(tmp_path, *command) as server, page_at(await server.address()) as page:
        drawn = Drawn(page)
        await drawn.holds("say something:")
        await drawn.holds("TERMINAL")
        await drawn.holds("sent 0/50")
        assert urlsplit(str(await page.value("location.href")))[2:] == ("/", "", ""), "the token is gone"
        assert await page.value("document.cookie") == ""
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
    async with served(tmp_path, "--", "cat") as server:
        address, _, token = (await server.address()).partition("#")
        for place in (address, f"{address}#{'a' * len(token)}"):
            async with page_at(place) as page:
                await page.wait_for(_WORDS, "open the address that")


def begun(file: Path) -> int:
    """How many sessions have begun."""
    return file.read_text().count("begun") if file.exists() else 0


async def until_begun(file: Path, count: int) -> None:
    """Wait for so many sessions: the last frame of an ended one may still come. Raises TimeoutError."""
    async with asyncio.timeout(120):
        while begun(file) < count:  # noqa: ASYNC110 - another process writes it
            await asyncio.sleep(0.1)


async def test_a_page_that_is_loaded_anew_has_a_new_session(tmp_path: Path) -> None:
    script = "echo begun >> begun; echo here $((40 + 2)); exec sleep 1000"
    async with (
        served(tmp_path, "--provider", "rules", "--", "sh", "-c", script) as server,
        page_at(used := await server.address()) as page,
    ):
        for count in (1, 2):
            await until_begun(tmp_path / "begun", count)
            await Drawn(page).holds("here 42")
            assert begun(tmp_path / "begun") == count
            await page.call("Page.reload")
        await page.call("Page.navigate", url="about:blank")
        await page.call("Page.navigate", url=used)
        await Drawn(page).holds("here 42")  # by the page's own secret, in the tab that has it
        async with page_at(used) as other:
            await other.wait_for(_WORDS, "open the address that")
