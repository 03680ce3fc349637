"""What a person sets of the layout: panels shown and hidden, resized, zoomed; one line; found again next time."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from copilot.core.reply import Reply
from copilot.tui.keymap import Place
from copilot.tui.layout import HIDEABLE, PANELS, Form, LayoutPreferences, layout_for, resized, terminal_size
from copilot.tui.preferences import PreferenceKeeper, Preferences, load, save
from copilot.tui.screens.layout_dialog import LayoutScreen, why_unseen
from copilot.tui.screens.session import SessionScreen
from copilot.tui.widgets.panels import SidePanels
from copilot.tui.widgets.reply_box import ReplyBox
from copilot.tui.widgets.status_bar import StatusBar
from copilot.tui.widgets.terminal import TerminalView
from tests.ui.harness import LEADER, begin_again, cockpit, left
from tests.ui.scenes import SCENES, busy, countdown, permission

WIDE, TALL, SMALL = (160, 40), (100, 40), (80, 24)


def test_all_panels_hidden_leave_two_lines() -> None:
    preferences = LayoutPreferences(hidden=frozenset(PANELS))
    assert {layout_for(*size, preferences=preferences).form for size in (WIDE, TALL, SMALL)} == {Form.COMPACT}


def test_one_line_leaves_all_other_lines_to_the_terminal() -> None:
    assert terminal_size(80, 24, LayoutPreferences(one_line=True)) == (80, 23)
    assert terminal_size(80, 24, LayoutPreferences(one_line=True), tabs=True) == (80, 22)


@pytest.mark.parametrize("size", [WIDE, TALL])
def test_panels_grow_and_shrink_between_limits(size: tuple[int, int]) -> None:
    def cells(preferences: LayoutPreferences) -> int:
        layout = layout_for(*size, preferences=preferences)
        return layout.side_columns or layout.below_lines

    usual = LayoutPreferences()
    assert cells(resized(usual, *size, by=4)) >= cells(usual) + 4
    assert cells(resized(usual, *size, by=-4)) < cells(usual)
    least = resized(usual, *size, to=0)
    assert cells(resized(least, *size, by=-1)) == cells(least) > 5
    most = resized(usual, *size, to=1000)
    width, height = terminal_size(*size, most)
    assert width >= 59
    assert height >= 11


def test_preferences_are_found_again(tmp_path: Path) -> None:
    wanted = Preferences(LayoutPreferences(40, 25, frozenset({"context"}), one_line=True), "copilot-light")
    save(tmp_path / "new" / "cockpit.json", wanted)
    assert load(tmp_path / "new" / "cockpit.json") == wanted
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["cockpit.json"]


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"side_percent": "x", "hidden": 3}', '{"below_percent": 9999, "hidden": ["x"]}']
)
def test_preferences_that_make_no_sense_are_as_good_as_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "cockpit.json"
    path.write_text(text)
    assert load(path) == Preferences()


def test_preferences_that_cannot_be_written_do_not_matter(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    keeper = PreferenceKeeper(tmp_path / "file" / "cockpit.json")
    keeper.choose_theme("copilot-light")
    assert keeper.current.theme == "copilot-light"


async def test_a_digit_hides_a_panel_and_shows_it_again(tmp_path: Path) -> None:
    path = tmp_path / "cockpit.json"
    async with cockpit(busy(), WIDE, preferences=PreferenceKeeper(path)) as (pilot, screen):
        for key, panel in (("1", "#detector"), ("2", "#reply"), ("3", "#context"), ("4", "#timeline")):
            assert screen.query_one(panel).display
            await pilot.press(LEADER, "w", key)
            assert not screen.query_one(panel).display, panel
            assert len(load(path).layout.hidden) == 1, panel
            await pilot.press(key, "escape")
            assert screen.query_one(panel).display, panel
            assert screen.place is Place.TERMINAL


async def test_panels_are_resized_by_keys_and_the_edge_and_the_child_follows() -> None:
    session = busy()
    async with cockpit(session, WIDE) as (pilot, screen):
        for size in (WIDE, TALL):
            await pilot.resize_terminal(*size)
            await pilot.pause(0.1)
            for grow, shrink in (("left", "right"), ("up", "down"), ("plus", "minus")):
                await _resize_by_keys(pilot, screen, grow, shrink)
            await _drag_the_edge(pilot, screen)
        assert session.typed == b""


def _cells(pilot: Pilot[Any], screen: SessionScreen) -> int:
    side = screen.query_one(SidePanels)
    return side.size.height if pilot.app.size == TALL else side.size.width


async def _resize_by_keys(pilot: Pilot[Any], screen: SessionScreen, grow: str, shrink: str) -> None:
    before, size = _cells(pilot, screen), pilot.app.size
    await pilot.press(LEADER, "w", grow)
    await pilot.pause(0.1)
    bigger = _cells(pilot, screen)
    assert bigger > before, (grow, size)
    sizes = screen.session.sizes  # type: ignore[attr-defined]
    assert sizes[-1] == terminal_size(*size, screen.preferences.layout), (grow, size)
    await pilot.press(shrink)
    await pilot.pause()
    assert _cells(pilot, screen) < bigger, (shrink, size)
    await pilot.press("0", "escape")
    await pilot.pause(0.1)
    assert _cells(pilot, screen) == before, size


async def _drag_the_edge(pilot: Pilot[Any], screen: SessionScreen) -> None:
    side, wide = screen.query_one(SidePanels), pilot.app.size == WIDE
    before = side.region
    await pilot.mouse_down(None, offset=(before.x + 6, before.y + 2))
    await pilot.mouse_up(None, offset=(max(before.x - 4, 0), before.y + 2))
    assert side.region == before, "a press inside a panel drags nothing"
    cell = (before.x, before.y + 3) if wide else (before.x + 3, before.y)
    to = (cell[0] - 6, cell[1]) if wide else (cell[0], cell[1] - 4)
    await pilot.mouse_down(None, offset=cell)
    await pilot.hover(None, offset=to)
    await pilot.mouse_up(None, offset=to)
    await pilot.pause(0.1)
    moved = side.region.x - before.x if wide else side.region.y - before.y
    assert -8 <= moved <= (-6 if wide else -4)
    await pilot.hover(None, offset=(20, 2))
    await pilot.pause()
    assert side.region.right == pilot.app.size.width
    screen.placement.prefer(LayoutPreferences())


async def test_one_line_shows_state_and_reply_and_the_keys_only_after_the_leader() -> None:
    async with cockpit(permission(), preferences=_keeper(one_line=True)) as (pilot, screen):
        await pilot.pause()
        assert screen.query_one(TerminalView).size.height == 23
        line = str(screen.query_one(StatusBar).content)
        assert "▲ HELD" in line
        assert "◆ No" in line
        assert not screen.query_one("#keys").display
        await pilot.press(LEADER)
        await pilot.pause()
        assert screen.query_one("#keys").display
        assert not screen.query_one("#status").display
        await pilot.press("escape")
        await pilot.pause()
        assert screen.query_one("#status").display


@pytest.mark.parametrize("scenes", [("menu", "unknown", "question"), ("drafts",)])
async def test_one_line_tells_enough_of_a_reply_or_what_to_do(scenes: tuple[str, ...]) -> None:
    told = {
        "question": r"◆ Use SQLite for now; keep.*…  ▁ risk none",
        "drafts": r"draft 3 of 3  ◆ \w+ \w+.*…  ▁ risk none",
        "menu": r"◆ SQLite  ▁ risk none  ▲ the model is",
        "unknown": r"not understood.*  \^\] l says what it is",
    }
    session = SCENES[scenes[0]]()
    async with cockpit(session, preferences=_keeper(one_line=True)) as (pilot, screen):
        for scene in scenes:
            await begin_again(pilot, session, SCENES[scene]().view)
            assert re.search(told[scene], str(screen.query_one(StatusBar).content)), scene


@pytest.mark.parametrize(
    ("preferences", "size"),
    [(LayoutPreferences(one_line=True), SMALL), (LayoutPreferences(hidden=frozenset({"reply"})), WIDE)],
)
async def test_a_reply_out_of_sight_is_shown_before_it_is_sent(
    preferences: LayoutPreferences, size: tuple[int, int]
) -> None:
    keeper = PreferenceKeeper()
    keeper.set_layout(preferences)
    async with cockpit(permission(), size, preferences=keeper) as (pilot, screen):
        await pilot.press(LEADER, "s")
        session = screen.session
        assert session.calls == []  # type: ignore[attr-defined]
        await pilot.pause()
        assert screen.query_one(ReplyBox).display
        assert screen.place is Place.REPLY
        await pilot.press("enter")
        assert session.calls == [("send", Reply(choice="No"))]  # type: ignore[attr-defined]


async def test_the_panel_is_zoomed_and_the_child_keeps_its_size() -> None:
    async with cockpit(permission(), WIDE) as (pilot, screen):
        panel = screen.query_one(ReplyBox)
        for size in (WIDE, TALL, SMALL):
            await pilot.resize_terminal(*size)
            await pilot.pause(0.1)
            sizes = list(screen.session.sizes)  # type: ignore[attr-defined]
            await pilot.press(LEADER, "p", "z")
            await pilot.pause(0.1)
            assert panel.region.width == size[0]
            assert panel.region.height > size[1] - 5, size
            await pilot.press("z")
            await pilot.pause(0.1)
            assert panel.region.height < size[1] - 5, size
            await pilot.press("z", "escape")
            await pilot.pause(0.1)
            assert panel.region.height < size[1] - 5, size
            assert screen.session.sizes == sizes, size  # type: ignore[attr-defined]
            await left(pilot, screen)


OTHER = [
    LayoutPreferences(),
    LayoutPreferences(hidden=frozenset({"detector"})),
    LayoutPreferences(hidden=frozenset({"context", "timeline"})),
    LayoutPreferences(hidden=frozenset(PANELS)),
    LayoutPreferences(one_line=True),
]


async def test_layout_box_says_what_cannot_be_seen_in_this_window() -> None:
    async with cockpit(busy(), WIDE) as (pilot, screen):
        for preferences in OTHER:
            screen.placement.prefer(preferences)
            await pilot.press(LEADER, "w")
            for size in (SMALL, TALL, (100, 32), (150, 26), (40, 12), WIDE):
                await pilot.resize_terminal(*size)
                await pilot.pause()
                _assert_says_what_is_seen(pilot, screen, preferences, size)
                if preferences == LayoutPreferences() and size in (SMALL, TALL, WIDE):
                    drag = pilot.app.screen.query_one("#layout-drag")
                    assert drag.display is (size != SMALL), "there is an edge only where there are panels"
            await pilot.press("escape")
            await pilot.pause()


def _assert_says_what_is_seen(
    pilot: Pilot[Any], screen: SessionScreen, preferences: LayoutPreferences, size: tuple[int, int]
) -> None:
    layout = layout_for(*size, preferences=preferences)
    told = str(pilot.app.screen.query_one("#layout-lines", Static).content).splitlines()
    below = [line.partition(":") for line in told[len(HIDEABLE) + 1 :]]
    for number, name in enumerate(HIDEABLE, 1):
        reasons = [why for numbers, _, why in below if str(number) in numbers]
        line = told[number - 1] + "".join(reasons)
        part = screen.query_one(f"#{name}")
        seen = part.display and all(parent.display for parent in part.ancestors if parent is not screen.app)
        assert ("□ off" in line, "■ on" in line) == (
            name in preferences.hidden,
            name not in preferences.hidden,
        )
        why = why_unseen(name, layout, preferences)
        assert (why in line) and bool(why) is (not seen and name not in preferences.hidden), (
            size,
            name,
            line,
        )


async def test_layout_box_leaves_in_sight_what_it_changes_and_is_left() -> None:
    async with cockpit(permission(), WIDE) as (pilot, screen):
        ways = (TALL, "escape"), ((200, 60), "q"), ((140, 24), "enter"), (WIDE, "escape")
        for size, key in ways:
            await pilot.resize_terminal(*size)
            await pilot.pause(0.1)
            await pilot.press(LEADER, "w")
            await pilot.pause()
            page: object = pilot.app.screen
            assert isinstance(page, LayoutScreen), size
            box = page.query_one(".dialog").region
            assert not box.overlaps(screen.query_one(SidePanels).region), size
            await pilot.press(key)
            assert pilot.app.screen_stack[-1] is screen, key


async def test_a_box_leaves_panels_beside_the_terminal_whole() -> None:
    async with cockpit(permission(), (200, 60)) as (pilot, screen):
        for key in ("a", "c", "question_mark"):
            await pilot.resize_terminal(200, 60)
            await pilot.pause(0.1)
            await pilot.press(LEADER, key)
            await pilot.pause()
            box = pilot.app.screen.query_one(".dialog, .page").region
            terminal = screen.query_one(TerminalView).region
            assert not box.overlaps(screen.query_one(SidePanels).region), key
            assert abs((box.x - terminal.x) - (terminal.right - box.right)) <= 1, key
            assert {"what it sees", "what the model saw"} <= _words_to_the_edge(pilot), key
            await pilot.resize_terminal(*SMALL)
            await pilot.pause()
            box = pilot.app.screen.query_one(".dialog, .page").region
            assert (box.x, box.right) == (0, 80), key
            await left(pilot, screen)


def _words_to_the_edge(pilot: Pilot[Any]) -> set[str]:
    """Titles that are drawn, those below a box too."""
    below = pilot.app._background_screens
    update = pilot.app.screen._compositor.render_update(full=True, screen_stack=below)
    assert update is not None
    drawn = "".join(segment.text for segment in pilot.app.console.render(update))
    return {title for title in ("what it sees", "what the model saw") if title in drawn}


async def test_the_seconds_of_a_countdown_run_where_one_line_is_all() -> None:
    session = countdown()
    async with cockpit(session, preferences=_keeper(one_line=True)) as (pilot, screen):
        bar = screen.query_one(StatusBar)
        assert "any key stops it" in str(bar.content)
        assert "in 2 s" in str(bar.content)
        session.now += 1.0
        for _ in range(100):
            await pilot.pause(0.01)
            if "in 1 s" in str(bar.content):
                break
        assert "in 1 s" in str(bar.content)


async def test_nothing_is_sent_by_a_key_in_a_window_that_cannot_show_it() -> None:
    session = permission()
    async with cockpit(session, (30, 8)) as (pilot, screen):
        for key in ("s", "s", "p", "e", "r"):
            await pilot.press(LEADER, key)
            await pilot.pause()
            assert "too small" in screen.model.notes.pop()
            assert screen.place is Place.TERMINAL
        assert session.calls == []
        await pilot.resize_terminal(*TALL)
        await pilot.pause()
        await pilot.press(LEADER, "s")
        assert session.calls == [("send", Reply(choice="No"))]


def _keeper(*, one_line: bool) -> PreferenceKeeper:
    keeper = PreferenceKeeper()
    keeper.set_layout(LayoutPreferences(one_line=one_line))
    return keeper
