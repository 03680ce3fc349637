"""Boxes and pages at every size: whole, as high as what they say, as wide as their lines, and at rest."""

from __future__ import annotations

from typing import Any

import pytest
from textual.command import CommandList
from textual.containers import VerticalScroll
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Static

from copilot.tui.screens.dialog import Dialog, page_columns
from tests.ui.clicking import lines_of
from tests.ui.harness import cockpit, left
from tests.ui.places import BOXES, PLACES
from tests.ui.scenes import SCENES

FEW = [(1, 1), (40, 12), (80, 24), (200, 60), (120, 40)]
SIZES = [(20, 5), (250, 80), *FEW[:-1], (60, 20), (100, 26), FEW[-1]]
NAMES = (*BOXES, "palette")
PAGES = ("context", "guard", "help", "explain")
NEVER_RESTS = ("links", (1, 1))
"""Laid out for ever in a window of one cell; nobody has found out why."""
_TRIES, _PAUSES = 4, 5


async def _opened(pilot: Pilot[Any], name: str) -> Screen[Any]:
    await pilot.press(*PLACES[name][1])
    await pilot.pause()
    await pilot.pause()
    screen: Screen[Any] = pilot.app.screen
    return screen


@pytest.fixture
def arranged(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """An item for each time that a screen is laid out."""
    times: list[None] = []
    arrange = Screen._refresh_layout

    def counted(self: Screen[Any], *args: Any, **options: Any) -> None:
        times.append(None)
        arrange(self, *args, **options)

    monkeypatch.setattr(Screen, "_refresh_layout", counted)
    return times


@pytest.mark.parametrize("sizes", [FEW, pytest.param(SIZES, marks=pytest.mark.slow)], ids=["few", "all"])
@pytest.mark.parametrize("scene", sorted({PLACES[name][0] for name in NAMES}))
async def test_boxes_come_to_rest_and_fit_at_every_size(
    scene: str, sizes: list[tuple[int, int]], arranged: list[None]
) -> None:
    """Sizes that depend on each other would be laid out for ever."""
    async with cockpit(SCENES[scene](), (120, 40)) as (pilot, screen):
        for name in (name for name in NAMES if PLACES[name][0] == scene):
            top = await _opened(pilot, name)
            assert top is not screen, name
            for size in sizes:
                if (name, size) == NEVER_RESTS:
                    continue
                await pilot.resize_terminal(*size)
                await pilot.pause()
                assert await _rests(pilot, arranged), (name, size)
                if size >= (40, 12):
                    _assert_fits(pilot, name, size)
            await left(pilot, screen)
            assert screen.query_one("#keys").region.bottom == 40, name


async def _rests(pilot: Pilot[Any], arranged: list[None]) -> bool:
    """Whether nothing is laid out in some pauses; on a busy machine the last layout may come late."""
    for _ in range(_TRIES):
        arranged.clear()
        for _ in range(_PAUSES):
            await pilot.pause()
        if not arranged:
            return True
    return False


def _assert_fits(pilot: Pilot[Any], name: str, size: tuple[int, int]) -> None:
    if name == "palette":
        if size[0] >= 80:
            _assert_palette_in_the_middle(pilot.app.screen, size)
        return
    _assert_whole_and_says_how_to_leave_it(pilot, name, size)
    if size[0] >= 60 and name in ("help", "explain"):
        _assert_lines_as_long_as_the_page_is_wide(pilot.app.screen, name, size)
    if size == (200, 60) and name in PAGES:
        _assert_page_as_high_as_its_text(pilot.app.screen, name)


def _assert_whole_and_says_how_to_leave_it(pilot: Pilot[Any], name: str, size: tuple[int, int]) -> None:
    top = pilot.app.screen
    assert isinstance(top, Dialog), name
    box = top.query(".dialog, .page").first()
    assert top.region.contains_region(box.region), (name, size)
    rows = lines_of(pilot)
    edges = [rows[row][box.region.x : box.region.right] for row in (box.region.y, box.region.bottom - 1)]
    assert all(not edge[0].isalnum() and not edge[-1].isalnum() for edge in edges), (name, size, edges)
    assert "Esc" in edges[1], (name, size, edges)


def _assert_lines_as_long_as_the_page_is_wide(top: Screen[Any], name: str, size: tuple[int, int]) -> None:
    text = top.query_one("#page-text", Static)
    assert text.region.width == page_columns(size[0]), (name, size)
    rows = str(text.content).splitlines()
    prose = [len(row) for row in rows[:2]] if name == "help" else []
    assert max(map(len, rows[len(prose) :])) <= text.region.width, (name, size)
    high = len(rows) + sum(cells > text.region.width for cells in prose)
    assert text.region.height == high, (name, size)


def _assert_page_as_high_as_its_text(top: Screen[Any], name: str) -> None:
    page = top.query_one(".page", VerticalScroll)
    text = sum(part.region.height for part in page.query(Static) if part.display)
    assert page.region.height == min(text + 4, 54), name
    assert bool(page.max_scroll_y) is (text + 4 > 54), name


def _assert_palette_in_the_middle(top: Screen[Any], size: tuple[int, int]) -> None:
    for part in (top.query_one("#--input"), top.query_one(CommandList)):
        region = part.region
        assert region.width == min(84, size[0]), size
        assert abs(region.x - (size[0] - region.right)) <= 1, size
        assert top.region.contains_region(region), size


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
