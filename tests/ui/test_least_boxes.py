"""Boxes in the least window: what is chosen is seen, and no line of a list is out of reach."""

from __future__ import annotations

import pytest

from copilot.core.reply import LEVEL_WORDS, Autonomy
from copilot.tui.screens.autonomy import LEVELS
from tests.ui.harness import LEADER, cockpit
from tests.ui.scenes import granted, permission
from tests.ui.test_looks import rows

LEAST = (40, 12)


@pytest.mark.parametrize("size", [LEAST, (30, 8), (80, 24)])
@pytest.mark.parametrize("downs", range(len(LEVELS)))
async def test_the_chosen_level_and_all_its_words_are_in_sight(downs: int, size: tuple[int, int]) -> None:
    session = permission()
    session.show(autonomy=Autonomy.WATCH)
    async with cockpit(session, size) as (pilot, _):
        await pilot.press(LEADER, "a", *["down"] * downs)
        await pilot.pause()
        drawn = rows(pilot.app.screen)
        level = LEVELS[downs]
        marked = [row for row in drawn if "▸" in row]
        assert len(marked) == 1 and level.value in marked[0]
        below = drawn[drawn.index(marked[0]) :]
        told = " ".join(" ".join(row.strip("│ ▁▂▃▄▅▆▇█") for row in below).split())
        assert LEVEL_WORDS[level] in told


async def test_every_level_is_told_in_the_least_window() -> None:
    async with cockpit(permission(), LEAST) as (pilot, _):
        await pilot.press(LEADER, "a")
        drawn = "\n".join(rows(pilot.app.screen))
        assert all(f" {level.value} " in drawn for level in LEVELS)


async def test_the_layout_box_shows_every_switch() -> None:
    async with cockpit(permission(), LEAST) as (pilot, _):
        await pilot.press(LEADER, "w")
        drawn = rows(pilot.app.screen)
        for key in "1234o":
            assert any(f" {key} ■ on" in row or f" {key} □ off" in row for row in drawn), key


@pytest.mark.parametrize(("downs", "words"), [(0, "1 once"), (1, "2 for 30 minutes"), (2, "3 for this run")])
async def test_for_how_long_is_allowed_is_never_chosen_blind(downs: int, words: str) -> None:
    async with cockpit(granted(), LEAST) as (pilot, _):
        await pilot.press(LEADER, "u", *["down"] * downs)
        await pilot.pause()
        assert any(f"▸ {words}" in row for row in rows(pilot.app.screen))


async def test_the_chosen_grant_is_in_sight() -> None:
    session = granted()
    async with cockpit(session, LEAST) as (pilot, _):
        await pilot.press(LEADER, "g", "down")
        await pilot.pause()
        chosen = session.view.grants[1].rule
        assert any("▸" in row and chosen[:12] in row for row in rows(pilot.app.screen))
