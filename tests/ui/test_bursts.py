"""Keys that come faster than the cockpit draws: each means what it means after the one before, and none is typed
into the program that was meant for the cockpit.
"""

from __future__ import annotations

from typing import Any

import pytest
from textual.events import Key
from textual.pilot import Pilot

from copilot.core.reply import Autonomy, Reply
from tests.fakes.fake_session import FakeSession
from tests.ui.harness import LEADER, cockpit
from tests.ui.scenes import menu, permission, question


async def burst(pilot: Pilot[Any], *keys: str) -> None:
    """All these keys at once, as a fast typist on a slow machine gives them."""
    for key in keys:
        pilot.app.post_message(Key(key, key if len(key) == 1 else None))
    for _ in range(8):
        await pilot.pause()


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
@pytest.mark.parametrize(
    ("keys", "called"),
    [
        ((LEADER, "p", "enter"), ("send", Reply(choice="No"))),
        ((LEADER, "p", "1", "enter"), ("send", Reply(choice="Yes"))),
        ((LEADER, "tab", "d"), ("dismiss",)),
        ((LEADER, "r", *"no", "enter"), ("ask_again", "no")),
        ((LEADER, "a", "3"), ("set_autonomy", Autonomy.ASSIST)),
    ],
)
async def test_no_key_of_a_burst_reaches_the_program(
    keys: tuple[str, ...], called: tuple[Any, ...], size: tuple[int, int]
) -> None:
    session: FakeSession = permission()
    async with cockpit(session, size) as (pilot, _):
        await burst(pilot, *keys)
        assert (session.calls, session.typed) == ([called], b"")


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_what_follows_the_way_back_is_typed(size: tuple[int, int]) -> None:
    session = menu()
    async with cockpit(session, size) as (pilot, _):
        await burst(pilot, LEADER, "p", "escape", "s", "d")
        assert (session.calls, session.typed) == ([], b"sd")


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_text_that_is_written_in_one_burst_is_sent_whole(size: tuple[int, int]) -> None:
    session = question()
    async with cockpit(session, size) as (pilot, _):
        await burst(pilot, LEADER, "e", *"pnpm", "enter")
        (call,) = session.calls
        assert call[1].text.endswith("later.pnpm")
        assert session.typed == b""
