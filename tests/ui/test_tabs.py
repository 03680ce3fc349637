"""Several sessions in one cockpit: tabs, the way to the next that needs a person, and the end of each."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from textual.content import Content
from textual.pilot import Pilot
from textual.style import Style

from copilot.core.settings import RunSettings
from copilot.core.states import RunState
from copilot.tui.app import CopilotApp
from copilot.tui.describe import Badge
from copilot.tui.layout import terminal_size
from copilot.tui.model import CockpitModel
from copilot.tui.screens.queue import QueueScreen, queue_blocks
from copilot.tui.screens.start import StartScreen
from copilot.tui.themes import BUILT_IN
from copilot.tui.widgets.key_bar import KeyBar
from copilot.tui.widgets.tab_bar import TabBar, TabState, next_needing, tab_name, tab_state, tabs_content
from copilot.tui.widgets.terminal import TerminalView
from tests.fakes.fake_session import FakeSession
from tests.ui.harness import LEADER, app_of
from tests.ui.scenes import busy, countdown, permission, question

SIZE = (100, 30)


@asynccontextmanager
async def cockpit_of(
    *sessions: FakeSession, more: Any = None
) -> AsyncIterator[tuple[Pilot[Any], CopilotApp, list[RunSettings]]]:
    """A cockpit with all these sessions open, the last of them shown."""
    started: list[RunSettings] = []
    app = app_of(sessions, started, more)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        for _ in sessions[1:]:
            await pilot.press(LEADER, "plus", "enter")
            await _until(pilot, lambda: not isinstance(app.screen, StartScreen))
        if len(sessions) > 1:
            await _until(pilot, lambda: len(app.tabs) == len(sessions) and bool(_bar(app).size.width))
        yield pilot, app, started


async def _until(pilot: Pilot[Any], holds: Callable[[], bool]) -> None:
    """Let the app go on until this holds; on a busy machine that takes some turns."""
    for _ in range(200):
        await pilot.pause()
        if holds():
            return


def _bar(app: CopilotApp) -> TabBar:
    assert app.session_screen is not None
    return app.session_screen.query_one(TabBar)


async def test_a_new_session_that_is_not_started_changes_nothing() -> None:
    async with cockpit_of(busy()) as (pilot, app, started):
        assert not _bar(app).display
        await pilot.press(LEADER, "plus")
        assert isinstance(app.screen, StartScreen)
        await pilot.press("escape")
        await pilot.pause()
        assert app.is_running
        assert len(started) == 1
        await pilot.press("x")
        assert app.tabs[0].opened.session.typed == b"x"  # type: ignore[attr-defined]
        await pilot.press(LEADER, "plus", "enter")
        await pilot.pause()
        assert len(app.tabs) == 1
        assert app.session_screen is not None
        assert "not started: no such program" in app.session_screen.model.notes[-1]


async def test_a_second_session_is_opened_beside_the_first_and_shown() -> None:
    first, second = busy(), permission()
    async with cockpit_of(first, second) as (pilot, app, started):
        assert (len(app.tabs), app.here) == (2, 1)
        assert app.session_screen is not None
        assert app.session_screen.session is second
        assert [one.profile for one in started] == ["claude", "codex"]
        assert terminal_size(*SIZE, tabs=True) == (started[1].columns, started[1].lines)
        bar = _bar(app)
        assert "1 claude:project ● busy" in str(bar.content)
        for size in ((120, 40), (44, 20), SIZE):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert ("2 codex:project ▲ held" in str(bar.content)) is (size != (44, 20)), size
        await pilot.press("x")
        assert (first.typed, second.typed) == (b"", b"x")


async def test_ways_to_another_session() -> None:
    first, second = permission(), busy()
    async with cockpit_of(first, second) as (pilot, app, _):
        for keys in ((LEADER, "1"), (LEADER, "n"), (LEADER, "y", "enter"), ()):
            first.typed = b""
            if keys:
                await pilot.press(*keys)
            else:
                await pilot.click(TabBar, offset=(3, 0))
            await pilot.pause()
            assert app.session_screen is not None
            assert (app.here, app.session_screen.session) == (0, first), keys
            await pilot.press("x")
            assert (first.typed, second.typed) == (b"x", b""), keys
            first.show(proposal=permission().view.proposal)
            await pilot.press(LEADER, "2")
            await pilot.pause()
        assert app.session_screen is not None
        for key, told in (("2", "this is that session"), ("7", "no such session")):
            await pilot.press(LEADER, key)
            assert app.session_screen is not None
            assert told in app.session_screen.model.notes[-1]


async def test_the_queue_lists_what_waits_first_and_sends_nothing() -> None:
    first, second = busy(), permission()
    async with cockpit_of(first, second) as (pilot, app, _):
        assert app.session_screen is not None
        await pilot.press(LEADER, "n")
        assert app.here == 1
        assert "no other session needs you" in app.session_screen.model.notes[-1]
        await pilot.press(LEADER, "1")
        await pilot.pause()
        await pilot.press(LEADER, "y")
        await pilot.pause()
        page = app.screen
        assert isinstance(page, QueueScreen)
        assert [state.number for state in page.states] == [2, 1]
        assert page.query_one("#queue-box").region.height < 14
        text = str(page.query_one("#queue-text").render())
        assert "rm -rf build" in text
        assert "◆ No" in text
        await pilot.press("s", "down", "up", "escape")
        assert second.calls == []
        assert app.here == 0


def test_the_queue_tells_a_reply_to_its_end() -> None:
    reply = "Use SQLite for now; keep the access behind one module so that we can change it later."
    state = TabState(1, "claude:api", Badge("HELD", "▲", "warning", ""), True, question="Which?", reply=reply)
    lines = queue_blocks([state], 0, 60)[0].plain.splitlines()
    assert " ".join(" ".join(lines).split()).endswith(f"◆ {reply}")
    assert max(map(len, lines)) <= 60


def test_the_tab_in_front_and_the_chosen_session_stand_in_every_palette() -> None:
    states = [TabState(number, "claude:api", Badge("BUSY", "●", "primary", "")) for number in (1, 2)]
    for content, skin in product((tabs_content(states, 0, 80)[0], queue_blocks(states, 0, 60)[0]), BUILT_IN):
        colours = {**skin.variables, "foreground": skin.foreground or ""}
        assert bool(Style.parse(str(content.spans[0].style), colours).reverse) is skin.ansi, skin.word


def test_the_tab_in_front_has_a_sign_of_its_own_and_the_colour_of_its_state() -> None:
    states = [TabState(number, "claude:api", Badge("HELD", "▲", "warning"), True) for number in (1, 2)]
    content = tabs_content(states, 1, 80)[0]
    assert content.plain == " 1 claude:api ▲ held  ▸2 claude:api ▲ held "
    styles = {content.plain[span.start : span.end]: str(span.style) for span in content.spans}
    assert "underline" in styles["▸2 claude:api "] and "underline" not in styles[" 1 claude:api "]
    assert styles["▲ held "] == "bold $warning"


async def test_the_key_to_the_next_that_waits_is_told_while_another_one_waits() -> None:
    first = permission()
    async with cockpit_of(first, question()) as (pilot, app, _):
        assert app.session_screen is not None
        keys = app.session_screen.query_one(KeyBar)
        await _until(pilot, lambda: "n next" in str(keys.content))
        assert "n next" in str(keys.content)
        first.show(**{name: getattr(busy().view, name) for name in ("state", "detection", "proposal")})
        await _until(pilot, lambda: "n next" not in str(keys.content))
        assert "n next" not in str(keys.content)


async def test_a_session_out_of_sight_rings_and_stands_in_the_title_and_its_tab(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bells: list[None] = []
    titles: list[str] = []
    monkeypatch.setattr(CopilotApp, "bell", lambda _self: bells.append(None))
    monkeypatch.setattr(CopilotApp, "_set_window_title", lambda _self, title: titles.append(title))
    first, second = busy(), busy()
    async with cockpit_of(first, second) as (pilot, app, _):
        waiting = permission().view
        first.show(state=RunState.HELD, detection=waiting.detection, proposal=waiting.proposal)
        await pilot.pause()
        await pilot.pause()
        assert app.here == 1
        assert len(bells) == 1
        assert titles[-1].startswith("▲ 1 more · ● busy")
        assert "1 claude:project ▲ held" in str(_bar(app).content)


async def test_a_countdown_out_of_sight_is_held() -> None:
    first, second = busy(), busy()
    async with cockpit_of(first, second) as (pilot, _app, _):
        first.show(
            **{name: getattr(countdown().view, name) for name in ("proposal", "decision", "detection")}
        )
        first.show(countdown_ends_at=first.now + 3)
        await pilot.pause()
        assert ("stop_countdown",) in first.calls
        assert second.calls == []


async def test_leaving_one_session_leads_to_another_and_the_last_ends_the_cockpit() -> None:
    first, second = question(), busy()
    async with cockpit_of(first, second) as (pilot, app, _):
        await pilot.press(LEADER, "q", "y")
        await pilot.pause()
        await pilot.pause()
        assert ("interrupt",) in second.calls
        assert app.is_running
        assert app.session_screen is not None
        assert app.session_screen.session is first
        assert not _bar(app).display
        await pilot.pause(0.1)
        assert app.session_screen.query_one(TerminalView).size.height > 10
        first.exit_code = 0
        first.ends_when_interrupted = False
        first.end(0)
        await pilot.pause()
        await pilot.press(LEADER, "q")
        await pilot.pause()
        assert app.return_value == 130


async def test_leaving_from_outside_ends_all_sessions() -> None:
    first, second = busy(), busy()
    async with cockpit_of(first, second) as (_pilot, _app, _):
        pass
    assert ("interrupt",) in first.calls
    assert ("interrupt",) in second.calls


async def test_another_folder_is_chosen_for_a_new_session(tmp_path: Path) -> None:
    async with cockpit_of(busy(), more=None) as (pilot, app, _):
        await pilot.press(LEADER, "plus", "f")
        page = app.screen
        assert isinstance(page, StartScreen)
        field = page.query_one("#start-folder-input")
        field.value = str(tmp_path / "nowhere")  # type: ignore[attr-defined]
        await pilot.press("enter")
        await _until(pilot, lambda: "no such" in str(page.query_one("#start-folder").render()))
        assert "no such folder" in str(page.query_one("#start-folder").render())
        field.value = str(tmp_path)  # type: ignore[attr-defined]
        await pilot.press("enter")
        await pilot.pause()
        assert page.offers[0].settings is not None
        assert page.offers[0].settings.cwd == _whole(tmp_path)
        await pilot.press("f", "escape")
        assert app.screen is page


def _whole(path: Path) -> str:
    return str(path.resolve())


def test_the_queue_has_its_badges_in_one_column_and_says_how_long_each_is_busy() -> None:
    states = [
        _state(1),
        replace(_state(2), name="codex:a-longer-one", badge=Badge("BUSY", "●", "primary", "0:07")),
    ]
    lines = Content("\n").join(queue_blocks(states, 0, 80)).plain.splitlines()
    heads = [line for line in lines if "● BUSY" in line]
    assert len({line.index("● BUSY") for line in heads}) == 1
    assert [line.strip() for line in lines if line and line not in heads] == [
        "nothing is asked",
        "busy for 0:07",
    ]


def _state(number: int, needs: bool = False, name: str = "claude:project") -> TabState:
    return TabState(number, name, Badge("BUSY", "●", "primary"), needs_person=needs)


def test_the_next_that_needs_a_person_is_found_round_the_end() -> None:
    states = [_state(1, needs=True), _state(2), _state(3, needs=True)]
    assert [next_needing(states, here) for here in range(3)] == [2, 2, 0]
    assert next_needing([_state(1), _state(2)], 0) is None


def test_tabs_give_up_words_then_those_at_the_left() -> None:
    states = [_state(number) for number in range(1, 7)]
    wide, spans = tabs_content(states, 5, 200)
    assert "busy" in wide.plain
    assert len(spans) == 6
    narrow, _ = tabs_content(states, 5, 130)
    assert "busy" not in narrow.plain
    assert "1 claude" in narrow.plain
    tiny, spans = tabs_content(states, 5, 45)
    assert "6 claude" in tiny.plain
    assert "1 claude" not in tiny.plain
    assert spans[0][2] > 0


def test_a_session_is_called_by_its_cli_and_folder() -> None:
    assert (tab_name("codex", "/home/me/shop"), tab_name("codex", "/")) == ("codex:shop", "codex")


def test_the_queue_tells_the_risk_beside_the_reply() -> None:
    model = CockpitModel()
    model.update(permission().view, 0.0)
    (block,) = queue_blocks([tab_state(1, "claude:api", model, 0.0, over=False)], 0, 80)
    assert any("◆ No" in line and "yes: ▆ risk high" in line for line in block.plain.splitlines())
