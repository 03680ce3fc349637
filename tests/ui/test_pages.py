"""Boxes and pages at every size: as high as what they say, as wide as their lines, and at rest."""

from __future__ import annotations

from typing import Any

import pytest
from textual.command import CommandList
from textual.containers import VerticalScroll
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Static

from copilot.tui.screens.dialog import page_columns
from tests.ui.harness import cockpit
from tests.ui.places import BOXES, PLACES
from tests.ui.scenes import SCENES

SIZES = [(20, 5), (40, 12), (80, 24), (100, 26), (120, 40), (200, 60), (250, 80)]
PAGES = ("context", "guard", "help", "explain")


async def _opened(pilot: Pilot[Any], name: str) -> Screen[Any]:
    await pilot.press(*PLACES[name][1])
    await pilot.pause()
    await pilot.pause()
    screen: Screen[Any] = pilot.app.screen
    return screen


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", [*BOXES, "palette"])
async def test_a_box_comes_to_rest(name: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Sizes that depend on each other would be worked out anew for ever."""
    arranged: list[None] = []
    arrange = Screen._refresh_layout

    def counted(self: Screen[Any], *args: Any, **options: Any) -> None:
        arranged.append(None)
        arrange(self, *args, **options)

    async with cockpit(SCENES[PLACES[name][0]](), size) as (pilot, _):
        await _opened(pilot, name)
        monkeypatch.setattr(Screen, "_refresh_layout", counted)
        for _ in range(10):
            await pilot.pause()
        assert not arranged


@pytest.mark.parametrize("name", PAGES)
async def test_a_page_is_as_high_as_its_text(name: str) -> None:
    async with cockpit(SCENES[PLACES[name][0]](), (200, 60)) as (pilot, _):
        page = (await _opened(pilot, name)).query_one(".page", VerticalScroll)
        text = sum(part.region.height for part in page.query(Static) if part.display)
        assert page.region.height == min(text + 4, 54)
        assert bool(page.max_scroll_y) is (text + 4 > 54)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30), (200, 60)], ids=str)
@pytest.mark.parametrize("name", ["help", "explain"])
async def test_lines_are_as_long_as_the_page_is_wide_whatever_the_window(
    name: str, size: tuple[int, int]
) -> None:
    async with cockpit(SCENES["permission"](), (120, 40)) as (pilot, _):
        text = (await _opened(pilot, name)).query_one(f"#{name}", Static)
        await pilot.resize_terminal(*size)
        await pilot.pause()
        await pilot.pause()
        assert text.region.width == page_columns(size[0])
        rows = str(text.content).splitlines()
        prose = [len(row) for row in rows[:2]] if name == "help" else []
        assert max(map(len, rows[len(prose) :])) <= text.region.width
        assert text.region.height == len(rows) + sum(cells > text.region.width for cells in prose)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)], ids=str)
async def test_the_palette_is_no_wider_than_a_dialog_and_stands_in_the_middle(size: tuple[int, int]) -> None:
    async with cockpit(SCENES["permission"](), size) as (pilot, _):
        screen = await _opened(pilot, "palette")
        for part in (screen.query_one("#--input"), screen.query_one(CommandList)):
            region = part.region
            assert region.width == min(84, size[0])
            assert abs(region.x - (size[0] - region.right)) <= 1
            assert screen.region.contains_region(region)
        await pilot.press(*"theme")
        await pilot.pause()
        await pilot.press("escape")
        assert pilot.app.screen is not screen


async def test_what_is_allowed_is_drawn_only_when_it_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    updates: list[object] = []
    async with cockpit(SCENES["granted"](), (120, 40)) as (pilot, _):
        screen = await _opened(pilot, "guard")
        update = Static.update

        def counted(self: Static, *args: Any, **options: Any) -> None:
            updates.append(self)
            update(self, *args, **options)

        monkeypatch.setattr(Static, "update", counted)
        screen._show()  # type: ignore[attr-defined]
        assert not updates
        await pilot.press("down")
        assert [str(one.id) for one in updates if isinstance(one, Static)] == ["guard-grants"]


async def test_a_dialog_over_a_window_that_changes_and_back() -> None:
    for name in (*BOXES, "palette"):
        async with cockpit(SCENES[PLACES[name][0]](), (120, 40)) as (pilot, screen):
            await _opened(pilot, name)
            for size in ((20, 5), (250, 80), (1, 1), (40, 12), (120, 40)):
                await pilot.resize_terminal(*size)
                await pilot.pause()
            await pilot.press("escape")
            if name == "governing":
                await pilot.press("escape")
            await pilot.pause()
            assert screen.is_current
            assert screen.query_one("#keys").region.bottom == 40
