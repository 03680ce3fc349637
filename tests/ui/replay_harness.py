"""A replay of a golden run, or of any recording, as the application that a person has."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Static

from copilot.replay.player import Player
from copilot.replay.recorded import open_recorded
from copilot.replay.redetect import Change
from copilot.replay.verdicts import VerdictBook
from copilot.tui.replay.app import ReplayApp
from copilot.tui.replay.model import ReplayModel
from copilot.tui.replay.picture import ReplayPicture
from copilot.tui.replay.run import profile_of
from copilot.tui.replay.screen import ReplayScreen
from copilot.tui.themes import THEMES
from tests.replay.golden import GOLDEN


def replay_of(path: Path, *, theme: str = "dark", changes: Sequence[Change] = ()) -> ReplayApp:
    recorded = open_recorded(path)
    model = ReplayModel(recorded, Player(recorded.cast), recorded.review)
    book = VerdictBook(recorded, lambda text: text.replace("hunter2", "[secret]"))
    app = ReplayApp(model, book, profile=profile_of(recorded, None), changes=changes, theme=THEMES[theme])
    app.animation_level = "none"
    return app


def copy_of(name: str, folder: Path) -> Path:
    """A golden run that may be written to."""
    return Path(shutil.copytree(GOLDEN / name, folder / name))


@asynccontextmanager
async def replaying(
    path: Path, size: tuple[int, int] = (120, 40), **options: Any
) -> AsyncIterator[tuple[Pilot[Any], ReplayScreen]]:
    app = replay_of(path, **options)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, ReplayScreen)
        yield pilot, screen


async def until(pilot: Pilot[Any], holds: Callable[[], bool], what: str) -> None:
    """Wait for work in a thread."""
    for _ in range(400):
        if holds():
            return
        await pilot.pause(0.02)
    raise AssertionError(f"waited in vain for {what}")


def text_of(screen: ReplayScreen, name: str) -> str:
    return str(screen.query_one(name, Static).content)


def terminal_of(screen: ReplayScreen) -> str:
    picture = screen.query_one(ReplayPicture)
    return "\n".join(picture.render_line(y).text.rstrip() for y in range(picture.size.height))
