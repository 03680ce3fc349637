"""Each action of the mouse's registry, tried on the running cockpit."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from textual.events import MouseDown, MouseScrollUp, MouseUp

from copilot.core.reply import Autonomy, Reply
from copilot.core.screen_kinds import ScreenKind
from copilot.tui.keymap import Place
from copilot.tui.layout import LayoutPreferences
from copilot.tui.mouse import MOUSE_ACTIONS, key_at
from copilot.tui.preferences import PreferenceKeeper
from copilot.tui.screens.autonomy import AutonomyScreen
from copilot.tui.screens.context import ContextScreen
from copilot.tui.screens.explain import ExplainScreen
from copilot.tui.screens.links import LinksScreen
from copilot.tui.screens.moment import MomentScreen
from copilot.tui.screens.session import SessionScreen
from copilot.tui.start_offer import StartOffer
from copilot.tui.widgets.panels import SidePanels
from copilot.tui.widgets.reply_box import ReplyBox
from copilot.tui.widgets.terminal import TerminalView
from tests.fakes.fake_session import FakeSession
from tests.ui.clicking import click_on, lines_of, place_of
from tests.ui.harness import LEADER, SETTINGS, app_of, app_on, begin_again, cockpit
from tests.ui.scenes import busy, countdown, drafts, live_an_hour, menu, permission, unknown

TALL = (120, 40)
WIDE = (200, 60)


async def offer() -> None:
    session = permission()
    async with cockpit(session, TALL) as (pilot, _):
        await click_on(pilot, "s send")
        assert session.calls == [("send", Reply(choice="No"))]


async def level() -> None:
    session = busy()
    async with cockpit(session, TALL) as (pilot, screen):
        screen.notes.show("a note takes the place of what stands behind the level")
        await click_on(pilot, "●○○ suggest", right=6)
        assert isinstance(pilot.app.screen, AutonomyScreen)
        await click_on(pilot, "3 ●●○ assist")
        assert session.calls == [("set_autonomy", Autonomy.ASSIST)]


async def leader() -> None:
    keeper = PreferenceKeeper()
    keeper.set_layout(LayoutPreferences(one_line=True))
    session = permission()
    async with cockpit(session, preferences=keeper) as (pilot, screen):
        await click_on(pilot, "^] keys")
        assert screen.place is Place.LEADER
        await click_on(pilot, "p panel")
        await click_on(pilot, "Enter send")
        assert session.calls == [("send", Reply(choice="No"))]


async def tab() -> None:
    app = app_of([busy(), permission()])
    async with app.run_test(size=TALL) as pilot:
        await pilot.pause()
        await pilot.press(LEADER, "plus", "enter")
        for _ in range(50):
            await pilot.pause()
        assert app.here == 1
        await click_on(pilot, "1 claude:project")
        assert app.here == 0


async def moment() -> None:
    session = busy()
    async with cockpit(session, TALL) as (pilot, _):
        await live_an_hour(session, pilot)
        await click_on(pilot, "▲", number=lines_of(pilot)[-3].count("▲") - 1)
        assert isinstance(pilot.app.screen, MomentScreen)


async def edge() -> None:
    async with cockpit(busy(), WIDE) as (pilot, screen):
        before = screen.query_one(SidePanels).region
        await pilot.mouse_down(None, offset=(before.x, 5))
        await pilot.hover(None, offset=(before.x - 6, 5))
        await pilot.mouse_up(None, offset=(before.x - 6, 5))
        await pilot.pause(0.1)
        assert screen.query_one(SidePanels).region.width >= before.width + 6


async def why() -> None:
    async with cockpit(permission(), TALL) as (pilot, _):
        await click_on(pilot, "claude.permission")
        assert isinstance(pilot.app.screen, ExplainScreen)


async def option() -> None:
    session = menu()
    async with cockpit(session, WIDE) as (pilot, screen):
        label = session.view.detection.options[2].label
        row = next(row for row, line in enumerate(lines_of(pilot)) if "◆ proposed" in line) + 1
        await pilot.click(None, offset=(lines_of(pilot)[row].rindex(label), row))
        await pilot.pause()
        assert screen.model.marked_index() == 2 and session.calls == []
        assert screen.place is Place.REPLY
        await click_on(pilot, "send")
        assert session.calls == [("send", Reply(choice=label))]


async def draft() -> None:
    async with cockpit(drafts(), TALL) as (pilot, screen):
        for place in ("2 of 3", "1 of 3", "3 of 3"):
            await click_on(pilot, "the others")
            assert screen.model.drafts.place == place


async def panel() -> None:
    session = permission()
    async with cockpit(session, TALL) as (pilot, screen):
        await click_on(pilot, "risk high")
        assert screen.place is Place.TERMINAL
        assert "^] p moves them to the reply" in screen.model.notes[-1]
        await pilot.press("s", "enter")
        assert session.calls == [] and session.typed == b"s\r"


async def context() -> None:
    async with cockpit(permission(), WIDE) as (pilot, _):
        await click_on(pilot, "── governing prompt")
        assert isinstance(pilot.app.screen, ContextScreen)


async def strip() -> None:
    async with cockpit(permission()) as (pilot, screen):
        await click_on(pilot, "▲ HELD")
        assert screen.place is Place.REPLY and screen.has_class("-panel-open")


async def stop() -> None:
    """The bar says "any key"; where its offers come back under the pointer, none of them is taken."""
    session = countdown()
    view = session.view
    spots = ("ANY KEY STOPS", 0), ("1 Yes", 2), ("READY", 0), ("▶ SENDING", 2), ("suggest", 0)
    async with cockpit(session, TALL) as (pilot, screen):
        for words, right in spots:
            await begin_again(pilot, session, view)
            try:
                column, row = place_of(pilot, words)
            except AssertionError:
                column, row = 1, 39
            await pilot.click(None, offset=(column + right, row))
            await pilot.pause()
            assert session.calls == [("stop_countdown",)], words
            assert pilot.app.screen is screen, words


async def pass_() -> None:
    session = FakeSession()
    session.screen.feed(b"\x1b[?1000h\x1b[?1006h")
    async with cockpit(session) as (pilot, _):
        await pilot.click(TerminalView, offset=(4, 2))
        assert session.typed == b"\x1b[<0;5;3M"
        assert session.reported == b"\x1b[<0;5;3m"


async def select() -> None:
    session = FakeSession()
    session.screen.feed(b"hello world\r\nsecond line")
    async with cockpit(session) as (pilot, screen):
        await pilot.mouse_down(TerminalView, offset=(6, 0))
        await pilot.hover(TerminalView, offset=(5, 1))
        await pilot.mouse_up(TerminalView, offset=(5, 1))
        await pilot.pause()
        assert (pilot.app.clipboard, session.typed) == ("world\nsecond", b"")
        await pilot.press("x")
        assert session.typed == b"x"
        assert not screen.query_one(TerminalView).selection.there


async def wheel() -> None:
    session = FakeSession()
    session.screen.feed(b"".join(b"line %d\r\n" % number for number in range(100)))
    async with cockpit(session) as (pilot, screen):
        terminal = screen.query_one(TerminalView)
        terminal.post_message(MouseScrollUp(terminal, 1, 1, 0, 0, 0, False, False, False))
        await pilot.pause()
        assert (screen.place, session.typed) == (Place.SCROLL, b"")
        await click_on(pilot, "Esc back")
        assert _place(screen) is Place.TERMINAL


async def link() -> None:
    session = FakeSession()
    session.screen.feed(b"see https://example.org/doc")
    async with cockpit(session) as (pilot, screen):
        terminal = screen.query_one(TerminalView)
        for kind in (MouseDown, MouseUp):
            terminal.post_message(kind(terminal, 8, 0, 0, 0, 1, False, False, True))
        await pilot.pause()
        assert isinstance(pilot.app.screen, LinksScreen)
        await click_on(pilot, "copies")
        assert pilot.app.clipboard == "https://example.org/doc"


async def terminal() -> None:
    async with cockpit(permission(), TALL) as (pilot, screen):
        await pilot.press(LEADER, "p")
        assert screen.place is Place.REPLY
        await pilot.click(TerminalView, offset=(4, 2))
        assert _place(screen) is Place.TERMINAL


def _place(screen: SessionScreen) -> Place:
    return screen.place


async def line() -> None:
    session = unknown()
    async with cockpit(session) as (pilot, _):
        await pilot.press(LEADER, "l")
        await click_on(pilot, "a list to choose from")
        assert session.calls == [("label_screen", ScreenKind.MENU)]


async def hint() -> None:
    async with cockpit(busy(), TALL) as (pilot, screen):
        await pilot.press(LEADER, "question_mark")
        await click_on(pilot, "closes")
        assert pilot.app.screen is screen
        await pilot.press(LEADER, "c", "e")
        await click_on(pilot, "leaves it as it was")
        await click_on(pilot, "Esc")
        assert pilot.app.screen is screen


async def beside() -> None:
    async with cockpit(permission(), WIDE) as (pilot, screen):
        await pilot.press(LEADER, "c", "e")
        await pilot.click(None, offset=(1, 1))
        await pilot.pause()
        assert isinstance(pilot.app.screen, ContextScreen), "what is being written is not lost"
        await pilot.press("escape")
        await pilot.click(None, offset=(1, 1))
        await pilot.pause()
        assert screen.is_current


async def away() -> None:
    session = permission()
    async with cockpit(session, TALL) as (pilot, screen):
        screen.left()
        await live_an_hour(session, pilot)
        screen.returned()
        await pilot.pause()
        await click_on(pilot, "any key closes this")
        assert "any key closes this" not in "\n".join(lines_of(pilot))
        assert session.typed == b""


async def start() -> None:
    session = busy()
    offers = (
        StartOffer("Claude Code", "claude 2", SETTINGS),
        StartOffer("Codex", "codex 1", replace(SETTINGS, profile="codex")),
    )
    app = app_on(session, settings=None, offers=offers)
    async with app.run_test(size=TALL) as pilot:
        await pilot.pause()
        await click_on(pilot, "Codex")
        await click_on(pilot, "assist")
        await click_on(pilot, "Enter start")
        for _ in range(50):
            await pilot.pause()
        assert app.settings is not None
        assert (app.settings.profile, app.settings.autonomy) == ("codex", Autonomy.ASSIST)


TRIED: dict[str, Callable[[], Awaitable[None]]] = {
    one.__name__.rstrip("_"): one
    for one in (
        *(offer, level, leader, tab, moment, edge, why, option, draft, panel, context, strip, stop),
        *(pass_, select, wheel, link, terminal, line, hint, beside, away, start),
    )
}


@pytest.mark.parametrize("action", [action.id for action in MOUSE_ACTIONS])
async def test_each_action_of_the_mouse(action: str) -> None:
    await TRIED[action]()


def test_none_is_tried_that_is_not_told() -> None:
    assert sorted(TRIED) == sorted(action.id for action in MOUSE_ACTIONS)


HINTS = (
    (
        "1-4 or ↑↓ · Enter takes · Esc leaves it",
        {"takes": "enter", "↓": "down", "Esc": "escape", "1-4": None},
    ),
    ("1-4 o · ←→ or ↑↓ panel size · 0 as it was", {"o ": "o", "as it was": "0"}),
    ("y allow this · ↑↓ x revoke · Esc", {"revoke": "x"}),
    ("↑↓ PgUp PgDn scroll · e edits", {"PgDn": "pagedown"}),
    ("^S lets it govern from now on", {"govern": "ctrl+s"}),
    ("Enter start  q leave", {"leave": "q"}),
)


def test_a_hint_stands_for_its_key() -> None:
    for hints, keys in HINTS:
        for under, key in keys.items():
            assert key_at(hints, hints.index(under)) == key, under
        assert key_at(hints, -1) is None and key_at(hints, len(hints)) is None


async def test_a_click_beside_everything_does_nothing() -> None:
    session = permission()
    async with cockpit(session, TALL) as (pilot, screen):
        for view in (session.view, busy().view):
            await begin_again(pilot, session, view)
            await pilot.click(None, offset=(119, 38))
            await pilot.click(ReplyBox, offset=(2, 0))
            assert (session.calls, session.typed, pilot.app.screen) == ([], b"", screen)


async def test_a_click_on_a_box_that_closes_types_nothing() -> None:
    """On a busy machine a second click comes before the box is gone: its Esc must not reach the program."""
    session = permission()
    async with cockpit(session, TALL) as (pilot, screen):
        await pilot.press(LEADER, "x")
        box = pilot.app.screen
        assert isinstance(box, ExplainScreen)
        for _ in range(3):
            box.press("escape")
        for _ in range(5):
            await pilot.pause()
        box.press("escape")
        await pilot.pause()
        assert screen.is_current
        assert (session.typed, session.calls) == (b"", [])
