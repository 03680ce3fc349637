"""The app on a `FakeSession`, still: no blinking, no clock of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from copilot.core import effects as fx
from copilot.core.detection import Detection
from copilot.core.reply import Autonomy, Decision, Reply, Verdict
from copilot.core.screen_kinds import ScreenKind
from copilot.core.settings import RunSettings
from copilot.core.states import RunState
from copilot.engine.view import SessionView
from copilot.errors import InputError
from copilot.session.front_end import SessionListener
from copilot.tui.app import CopilotApp
from copilot.tui.bridge import OpenedSession
from copilot.tui.describe import question_line
from copilot.tui.keymap import Place
from copilot.tui.layout import LayoutPreferences
from copilot.tui.options import UiOptions
from copilot.tui.preferences import PreferenceKeeper
from copilot.tui.run_line import RunLine
from copilot.tui.screens.session import SessionScreen
from copilot.tui.start_offer import StartOffer
from tests.fakes.fake_session import FakeSession
from tests.ui.steady import OPENING

SETTINGS = RunSettings(
    child=("claude",),
    profile="claude",
    autonomy=Autonomy.SUGGEST,
    cwd="/tmp/demo/project",
    log_folder="/tmp/runs",
)


def app_on(
    session: FakeSession,
    *,
    theme: str = "dark",
    settings: RunSettings | None = SETTINGS,
    offers: Sequence[StartOffer] = (),
    leader: str = "ctrl+]",
    options: UiOptions | None = None,
    preferences: PreferenceKeeper | None = None,
) -> CopilotApp:
    """The real app, with `session` as its session."""

    async def factory(_settings: RunSettings, listener: SessionListener) -> OpenedSession:
        session.listener = listener
        session.show()
        return OpenedSession(session, session.finish)

    options = options or UiOptions(leader, theme)
    app = CopilotApp(settings, factory, offers=offers, options=options, preferences=preferences)
    app.animation_level = "none"
    return app


def app_that_opens_for_ever(theme: str = "dark") -> CopilotApp:
    """The app whose session never comes."""

    async def factory(_settings: RunSettings, _listener: SessionListener) -> OpenedSession:
        await asyncio.Event().wait()
        raise AssertionError

    app = CopilotApp(SETTINGS, factory, options=UiOptions(theme=theme))
    app.animation_level = "none"
    OPENING.add(app)
    return app


def app_of(
    sessions: Sequence[FakeSession],
    started: list[RunSettings] | None = None,
    offers: Callable[[str], Sequence[StartOffer]] | None = None,
    *,
    theme: str = "dark",
) -> CopilotApp:
    """The app in which these sessions can be opened, one after the other; `started` gets their settings."""
    waiting = list(sessions)

    async def factory(settings: RunSettings, listener: SessionListener) -> OpenedSession:
        if not waiting:
            raise InputError("no such program")
        session = waiting.pop(0)
        session.screen.resize(settings.columns, settings.lines)
        if started is not None:
            started.append(settings)
        session.listener = listener
        session.show()
        return OpenedSession(session, session.finish)

    def codex(folder: str) -> Sequence[StartOffer]:
        return (StartOffer("Codex", "codex 1", replace(SETTINGS, profile="codex", cwd=folder)),)

    app = CopilotApp(SETTINGS, factory, more_offers=offers or codex, options=UiOptions(theme=theme))
    app.animation_level = "none"
    return app


LEADER = "ctrl+right_square_bracket"


@asynccontextmanager
async def cockpit(
    session: FakeSession, size: tuple[int, int] = (80, 24), **options: Any
) -> AsyncIterator[tuple[Pilot[Any], SessionScreen]]:
    """The running app with `session` on its screen."""
    app = app_on(session, **options)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.pause()
        screen = app.session_screen
        assert screen is not None
        await live_through_past(pilot)
        yield pilot, screen


async def live_through_past(pilot: Pilot[Any]) -> None:
    """Let the screen see what the session showed before."""
    screen = pilot.app.session_screen if isinstance(pilot.app, CopilotApp) else None
    session = screen.session if screen is not None else None
    if not isinstance(session, FakeSession) or not session.past:
        return
    wanted = session.view
    for view in (*session.past, wanted):
        session.view = view
        session.show()
        await pilot.pause()


_ASKED_SECONDS, _BUSY_SECONDS = 6.0, 1.0
"""For how long what a scene shows has stood there; the recorded program says so of its work itself."""


def had_worked(pilot: Pilot[Any]) -> None:
    """Scenes begin in the middle of their run: until then the program worked, and was answered."""
    for tab in pilot.app.tabs if isinstance(pilot.app, CopilotApp) else ():
        _begun_before(tab.screen)


def _begun_before(screen: SessionScreen) -> None:
    view, now = screen.model.view, screen.session.clock()
    if now <= 0 or any(span.start < now for span in screen.line.spans(now)):
        return
    works = replace(view, state=RunState.RUNNING, detection=Detection(ScreenKind.BUSY))
    works = replace(works, waiting_for_provider=False, countdown_ends_at=None)
    held = replace(works, state=RunState.HELD, detection=Detection(ScreenKind.PERMISSION))
    line = screen.line = RunLine()
    line.view_changed(works, "", 0.0)
    for number in range(view.steps):
        asked_at = (number + 0.6) * now / (view.steps + 1)
        sent_at = asked_at + 0.06 * now
        line.view_changed(held, "", asked_at)
        sent = Decision(
            number, Verdict.SEND, f"s{number}", Reply(choice="Yes"), "you sent it", "person", by="person"
        )
        line.step(fx.RecordDecision(sent), sent_at, tuple)
        line.view_changed(works, "", sent_at)
    since = now - (_BUSY_SECONDS if view.detection.kind is ScreenKind.BUSY else _ASKED_SECONDS)
    line.view_changed(view, question_line(view), since)
    screen.model.since = since
    screen.updates.show_all()


def keeping(preferences: LayoutPreferences) -> PreferenceKeeper:
    """A keeper of these preferences, without a file."""
    keeper = PreferenceKeeper()
    keeper.set_layout(preferences)
    return keeper


def place_in(screen: SessionScreen) -> Place:
    """Where keys go now: a type checker takes `screen.place` for what it was at the last look."""
    return screen.place


async def left(pilot: Pilot[Any], screen: SessionScreen) -> None:
    """Press Esc until the terminal of `screen` has the keys; then let so much time pass that none is withheld."""
    for _ in range(5):
        if pilot.app.screen is screen and screen.place is Place.TERMINAL:
            break
        await pilot.press("escape")
        await pilot.pause()
    assert pilot.app.screen is screen and screen.place is Place.TERMINAL
    if screen.has_class("-bare"):
        await pilot.press(LEADER, "z")
    assert isinstance(screen.session, FakeSession)
    screen.session.now += 60.0


async def begin_again(pilot: Pilot[Any], session: FakeSession, view: SessionView) -> None:
    """Show `view` as if nothing had been done; so long ago that no key is withheld."""
    counts = view.countdown_ends_at is not None
    session.now += 60.0
    session.view = replace(view, countdown_ends_at=session.now + 3.0) if counts else view
    session.show()
    await pilot.pause()
    session.now += 1.0
    session.typed = session.reported = b""
    session.calls.clear()
    session.identities.clear()


def without_blinking(app: App[Any]) -> None:
    """Let the cursors of editors stand still: a picture must not depend on the moment."""
    for editor in app.screen.query("Input, TextArea"):
        assert isinstance(editor, Input | TextArea)
        editor.cursor_blink = False


def pressing(*keys: str) -> Callable[[Pilot[Any]], Awaitable[None]]:
    """What brings a picture about: these keys, and then no cursor that blinks."""

    async def run(pilot: Pilot[Any]) -> None:
        await pilot.pause()
        await live_through_past(pilot)
        had_worked(pilot)
        for key in keys:
            await pilot.press(key)
        await pilot.pause()
        without_blinking(pilot.app)
        await pilot.pause()

    return run
