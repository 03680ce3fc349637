"""Keys that come faster than the cockpit draws: each means what it means after the one before, and none is typed
into the program that was meant for the cockpit.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from textual.events import Key
from textual.pilot import Pilot

from copilot.core.reply import Autonomy, Reply
from tests.ui.harness import LEADER, begin_again, cockpit
from tests.ui.scenes import menu, permission, question


async def burst(pilot: Pilot[Any], *keys: str) -> None:
    """All these keys at once, as a fast typist on a slow machine gives them."""
    for key in keys:
        pilot.app.post_message(Key(key, key if len(key) == 1 else None))
    for _ in range(8):
        await pilot.pause()


BURSTS: dict[tuple[str, ...], tuple[object, ...]] = {
    ("p", "enter"): ("send", Reply(choice="No")),
    ("p", "1", "enter"): ("send", Reply(choice="Yes")),
    ("tab", "d"): ("dismiss",),
    ("r", *"no", "enter"): ("ask_again", "no"),
    ("a", "3"): ("set_autonomy", Autonomy.ASSIST),
}


async def test_no_key_of_a_burst_reaches_the_program() -> None:
    session = permission()
    view = session.view
    async with cockpit(session) as (pilot, _):
        for size in ((80, 24), (120, 40), (200, 60)):
            await pilot.resize_terminal(*size)
            await pilot.pause(0.1)
            for keys, called in BURSTS.items():
                another = replace(view.detection, identity=f"{size} {keys}")
                await begin_again(pilot, session, replace(view, detection=another))
                await burst(pilot, LEADER, *keys)
                assert (session.calls, session.typed) == ([called], b""), (keys, size)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_what_follows_the_way_back_is_typed_and_a_written_text_is_sent_whole(
    size: tuple[int, int],
) -> None:
    session = menu()
    async with cockpit(session, size) as (pilot, _):
        await burst(pilot, LEADER, "p", "escape", "s", "d")
        assert (session.calls, session.typed) == ([], b"sd")
        await begin_again(pilot, session, question().view)
        await burst(pilot, LEADER, "e", *"pnpm", "enter")
        (call,) = session.calls
        assert call[1].text.endswith("later.pnpm")
        assert session.typed == b""
