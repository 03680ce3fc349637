"""Claude Code in the cockpit in a web page: `copilot serve` and headless Chromium, by the page's own keys."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.real.cockpit import NEW_SECONDS
from tests.real.run import read_run
from tests.real.scenes import REPLIES, TASK, story
from tests.real.stage import stage
from tests.web.browser import CHROMIUM, Drawn, Page, page_at
from tests.web.serving import served

pytestmark = [
    pytest.mark.real_cli("claude"),
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not CHROMIUM, reason="Chromium is not installed"),
]
LEADER = "\x1d"
SIZE = (1280, 960)


class Reader:
    """A person before the page, who keeps a picture of each moment."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.page = page
        self.drawn = Drawn(page)
        self._folder = folder

    async def sees(self, name: str, *patterns: str) -> None:
        """Wait until all are there, look as long as a person does at least, and keep the picture."""
        for pattern in patterns:
            await self.drawn.matches(pattern)
        await asyncio.sleep(NEW_SECONDS)
        (self._folder / f"{name}.png").write_bytes(await self.page.picture())

    async def sends(self) -> None:
        await self.page.type(f"{LEADER}s")


async def session_in_the_page(reader: Reader) -> None:
    await reader.sees("write", r"hello\.py", "HELD +permission")
    await reader.sends()
    await reader.sees("test", "python3 -m unittest", "HELD +permission")
    await reader.sends()
    await reader.sees("choose", "Which database", "HELD +menu")
    await reader.sends()
    await reader.sees("delete", "rm -rf build/", "HELD +permission")
    await reader.page.type(f"{LEADER}p4")
    await reader.sees("marked", r"▸ 4 No")
    await reader.page.type("\r")
    await reader.sees("refused", r"READY|TURN DONE")
    await reader.page.type("go on without deleting it")
    await reader.drawn.matches(r"go on without deleting it")
    await asyncio.sleep(NEW_SECONDS)
    await reader.page.type("\r")
    await reader.sees("ask", r"MIT or Apache-2\.0\?", "HELD +question")
    await reader.sends()
    await reader.sees("done", "The license is MIT", "TURN DONE")
    await reader.page.type(f"{LEADER}q")
    await reader.page.wait_for("document.body.innerText", "another")


async def test_a_session_in_the_browser(tmp_path: Path) -> None:
    replies, pictures = tmp_path / "replies.yaml", tmp_path / "pictures"
    replies.write_text(REPLIES)
    pictures.mkdir()
    options = ("--autonomy", "suggest", "--provider", "playbook", "--playbook", str(replies))
    with stage("claude", tmp_path, playbook=story("claude")) as on:
        child = on.recipe.with_task(TASK)
        async with (
            served(on.project, *options, "--", *child, more=on.recipe.environment) as server,
            page_at(await server.address(), size=SIZE) as page,
        ):
            await session_in_the_page(Reader(page, pictures))
        on.assert_files()
        assert [request.turn for request in on.model.main_requests][-1] == "done"
        folder = read_run(on.recipe.home / ".state")
    folder.assert_keys_follow_their_decisions()
    assert {decision["by"] for decision in folder.decisions if decision["verdict"] == "send"} == {"person"}
