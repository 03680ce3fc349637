"""Boxes in the least window: what is chosen is seen, and no line of a list is out of reach."""

from __future__ import annotations

from copilot.core.reply import LEVEL_WORDS, Autonomy
from copilot.tui.screens.autonomy import LEVELS
from tests.ui.clicking import lines_of
from tests.ui.harness import LEADER, cockpit, left
from tests.ui.scenes import granted, permission

LEAST = (40, 12)


async def test_the_chosen_level_and_all_its_words_are_in_sight() -> None:
    session = permission()
    session.show(autonomy=Autonomy.WATCH)
    async with cockpit(session, (80, 24)) as (pilot, screen):
        for size in ((80, 24), (30, 8), LEAST):
            await pilot.resize_terminal(*size)
            await pilot.pause(0.1)
            await pilot.press(LEADER, "a")
            for level in LEVELS:
                await pilot.pause()
                _assert_level_is_told(lines_of(pilot), level, size)
                await pilot.press("down")
            await left(pilot, screen)


def _assert_level_is_told(drawn: list[str], level: Autonomy, size: tuple[int, int]) -> None:
    marked = [row for row in drawn if "▸" in row]
    assert len(marked) == 1 and level.value in marked[0], (level, size)
    below = drawn[drawn.index(marked[0]) :]
    told = " ".join(" ".join(row.strip("│ ▁▂▃▄▅▆▇█") for row in below).split())
    assert LEVEL_WORDS[level] in told, (level, size)
    if size == LEAST and level is LEVELS[0]:
        assert all(f" {one.value} " in "\n".join(drawn) for one in LEVELS)


async def test_the_layout_box_shows_every_switch() -> None:
    async with cockpit(permission(), LEAST) as (pilot, _):
        await pilot.press(LEADER, "w")
        drawn = lines_of(pilot)
        for key in "1234o":
            assert any(f" {key} ■ on" in row or f" {key} □ off" in row for row in drawn), key


async def test_for_how_long_is_allowed_is_never_chosen_blind() -> None:
    async with cockpit(granted(), LEAST) as (pilot, _):
        await pilot.press(LEADER, "u")
        for words in ("1 once", "2 for 30 minutes", "3 for this run"):
            await pilot.pause()
            assert any(f"▸ {words}" in row for row in lines_of(pilot)), words
            await pilot.press("down")


async def test_the_chosen_grant_is_in_sight() -> None:
    session = granted()
    async with cockpit(session, LEAST) as (pilot, _):
        await pilot.press(LEADER, "g", "down")
        await pilot.pause()
        chosen = session.view.grants[1].rule
        assert any("▸" in row and chosen[:12] in row for row in lines_of(pilot))
