"""The Textual application: wiring only. Screens own modes and keys, the session owns the run.

What a session needs is imported where it is needed: the first frame is drawn before (`screens/opening.py`).
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import SystemCommand
from textual.binding import BindingType
from textual.screen import Screen

from copilot import start_up
from copilot.core.settings import RunSettings
from copilot.errors import EXIT_FAILED, CopilotError
from copilot.resources import data_folder
from copilot.tui.desktop_notification import notification, notification_protocol
from copilot.tui.host_app import HostApp
from copilot.tui.keymap import Place, shown
from copilot.tui.layout import terminal_size
from copilot.tui.messages import AttentionWanted, SessionEnded, SessionLeft
from copilot.tui.options import UiOptions
from copilot.tui.preferences import PreferenceKeeper
from copilot.tui.screens.opening import OpeningScreen
from copilot.tui.text import clean_line

if TYPE_CHECKING:
    from copilot.engine.view import SessionView
    from copilot.tui.bridge import OpenedSession, ScreenBridge, SessionFactory
    from copilot.tui.screens.session import SessionScreen
    from copilot.tui.start_offer import StartChoice, StartOffer
    from copilot.tui.widgets.tab_bar import TabState

_PATIENCE_SECONDS = (3.0, 3.0)
_SHEETS = ("base", "reply_panel", "session", "start", "dialogs")


@dataclass(frozen=True, slots=True)
class Tab:
    """One session: its screen, what its session says, how its end is awaited, and its name."""

    screen: SessionScreen
    bridge: ScreenBridge
    opened: OpenedSession
    name: str


class CopilotApp(HostApp, inherit_bindings=False):
    """Shows the start screen or a session. Its result is the exit code."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = []
    CSS_PATH = [data_folder("styles") / f"{name}.tcss" for name in _SHEETS]
    TITLE = "copilot"

    def __init__(
        self,
        settings: RunSettings | None,
        session_factory: SessionFactory,
        *,
        offers: Sequence[StartOffer] = (),
        more_offers: Callable[[str], Sequence[StartOffer]] | None = None,
        options: UiOptions | None = None,
        preferences: PreferenceKeeper | None = None,
    ) -> None:
        super().__init__()
        self.preferences = preferences or PreferenceKeeper()
        self.settings = settings
        self.session_factory = session_factory
        self.offers = tuple(offers)
        self.options = options or UiOptions()
        self.use_command_palette = True
        self.next_command: tuple[str, ...] = ()
        self.failure: Exception | None = None
        self.tabs: list[Tab] = []
        """The sessions, in the order of their opening."""
        self.left_views: list[SessionView | None] = []
        """What was last seen of sessions that were left before the end."""
        self.more_offers = more_offers
        self._title = self.TITLE
        self._codes: list[int] = []
        self._tasks: list[asyncio.Task[None]] = []
        for theme in self.options.themes.values():
            self.register_theme(theme)
        self.theme = self.options.initial_theme(self.preferences.current.theme).name

    def get_default_screen(self) -> Screen[None]:
        """The frame below all others, in which a first session is awaited."""
        if self.settings is None:
            return super().get_default_screen()
        return OpeningScreen(self.settings, self.preferences)

    def on_mount(self) -> None:
        """Begin with the session, or with the question which one."""
        self.app_resume_signal.subscribe(self, lambda _app: self._came_back())
        if self.settings is None:
            from copilot.tui.screens.start import StartScreen

            self.push_screen(StartScreen(self.offers), self._started)
            start_up.is_over()
        else:
            self._open_session(self.settings)

    def action_suspend_process(self) -> None:
        """Stop, and let the shell have the terminal, with a title of its own."""
        self._set_window_title("")
        super().action_suspend_process()

    def _came_back(self) -> None:
        """We were stopped: what counted down is held, since no person has watched it."""
        for tab in self.tabs:
            tab.screen.came_back()

    def _started(self, choice: StartChoice | None) -> None:
        if choice is not None and choice.settings is not None:
            self._open_session(choice.settings)
        elif not self.tabs:
            self.next_command = choice.command if choice is not None else ()
            self.exit(0)

    def new_session(self) -> None:
        """Ask which program to run beside those that run."""
        from copilot.tui.screens.start import StartScreen

        folder = self.settings.cwd if self.settings is not None else str(Path.cwd())
        try:
            offers = self.more_offers(folder) if self.more_offers is not None else self.offers
        except CopilotError as problem:
            self._not_opened(problem)
            return
        startable = [offer for offer in offers if offer.settings is not None]
        self.push_screen(StartScreen(startable, folder=folder, offers_in=self.more_offers), self._started)

    def _open_session(self, settings: RunSettings) -> None:
        tabs = bool(self.tabs)
        size = terminal_size(self.size.width, self.size.height, self.preferences.layout, tabs=tabs)
        settings = replace(settings, columns=size[0], lines=size[1])
        task = asyncio.create_task(self._drive(settings), name="session")
        self._tasks.append(task)
        if self.settings is None:
            self.settings = settings

    async def _drive(self, settings: RunSettings) -> None:
        """The life of a session: start, show, wait for its end. What goes wrong is shown, never raised."""
        if isinstance(self.screen, OpeningScreen):
            await self.screen.drawn.wait()
        try:
            from copilot.tui.bridge import ScreenBridge

            bridge = ScreenBridge()
            opened = await self.session_factory(settings, bridge)
            # Its program runs by now, and starts while this is loaded.
            from copilot.tui.screens.session import SessionScreen
            from copilot.tui.widgets.tab_bar import tab_name
        except Exception as problem:
            self._not_opened(problem)
            return
        screen = SessionScreen(opened.session, self.options, self.preferences)
        tab = Tab(screen, bridge, opened, tab_name(settings.profile, settings.cwd))
        self.tabs.append(tab)
        self.install_screen(screen, f"session-{id(screen)}")
        if len(self.tabs) == 1:
            await self.push_screen(screen)
        else:
            await self.switch_screen(screen)
        bridge.attach(screen, screen.take_step)
        self._show_tabs()
        screen.call_after_refresh(start_up.is_over)
        try:
            screen.post_message(SessionEnded(await opened.finish()))
        except CopilotError as problem:
            screen.post_message(SessionEnded(problem.exit_code, str(problem)))
        except Exception as fault:  # whatever broke, the person must see it and keep the screen
            screen.post_message(SessionEnded(EXIT_FAILED, f"{type(fault).__name__}: {fault}"))

    def _not_opened(self, problem: Exception) -> None:
        """The caller of `run` reports the first session's problem on the plain terminal."""
        if self.session_screen is not None:
            self.session_screen.notes.show(clean_line(f"not started: {problem}"))
            return
        self.failure = problem
        self.exit(EXIT_FAILED)

    async def on_unmount(self) -> None:
        """Leave no child behind, whatever ended the application: in order, then at once, then give up."""
        for patience in _PATIENCE_SECONDS:
            running = [task for task in self._tasks if not task.done()]
            if not running:
                return
            for tab in self.tabs:
                if tab.screen.exit_code is None:
                    tab.opened.session.interrupt()
            await asyncio.wait(running, timeout=patience)
        for task in self._tasks:
            task.cancel()

    # Several sessions

    @property
    def here(self) -> int:
        """The index of the session that is shown."""
        screen = self.session_screen
        return next((index for index, tab in enumerate(self.tabs) if tab.screen is screen), 0)

    def tab_states(self) -> list[TabState]:
        from copilot.tui.widgets.tab_bar import tab_state

        return [
            tab_state(
                number,
                tab.name,
                tab.screen.model,
                tab.screen.session.clock(),
                over=tab.screen.exit_code is not None,
            )
            for number, tab in enumerate(self.tabs, 1)
        ]

    def go_to(self, index: int) -> bool:
        """Show the session at `index`. False if there is none, or it is shown already."""
        if not 0 <= index < len(self.tabs) or index == self.here:
            return False
        self.switch_screen(self.tabs[index].screen)
        self.call_after_refresh(self._show_tabs)
        return True

    def _show_tabs(self) -> None:
        states, screen = self.tab_states(), self.session_screen
        if screen is not None and screen.is_mounted:
            screen.show_tabs(states, self.here)

    @on(SessionLeft)
    async def _session_left(self, message: SessionLeft) -> None:
        """A session is over and its person leaves it: on to another one, or home."""
        tab = next((tab for tab in self.tabs if tab.screen is message.screen), None)
        if tab is None:
            return
        self._codes.append(message.exit_code)
        if len(self.tabs) == 1:
            self.exit(next((code for code in self._codes if code), 0))
            return
        index = self.tabs.index(tab)
        shown = self.session_screen is tab.screen
        self.tabs.remove(tab)
        self.left_views.append(tab.bridge.view)
        if shown:
            await self.switch_screen(self.tabs[max(0, index - 1)].screen)
        self.uninstall_screen(tab.screen)
        await tab.screen.remove()
        self._show_tabs()

    async def on_event(self, event: events.Event) -> None:
        """Keys are decided by the session screen before any widget or binding sees them."""
        if isinstance(event, events.Key) and not event.is_forwarded:
            # Textual does so for the keys that it sees: a box that opens without the focus takes no keys.
            self.app_focus = True
            screen = self.session_screen
            if screen is not None and screen.is_mounted and screen.keys.take(event):
                event.stop()
                return
        await super().on_event(event)

    @property
    def session_screen(self) -> SessionScreen | None:
        """The session's screen, also while a dialog lies over it."""
        return next((tab.screen for tab in self.tabs if tab.screen in self.screen_stack), None)

    @on(AttentionWanted)
    def _attention_wanted(self, message: AttentionWanted) -> None:
        here = self.here
        others = sum(state.needs_person for index, state in enumerate(self.tab_states()) if index != here)
        if message.screen is self.session_screen:
            self._title = message.title
        self._set_window_title(f"▲ {others} more · {self._title}" if others else self._title)
        if len(self.tabs) > 1:
            self._show_tabs()
        if not message.ring:
            return
        if self.options.bell:
            self.bell()
        if not self.app_focus:
            self._write(notification(message.reason, notification_protocol(self.options.notify, os.environ)))

    @on(events.AppBlur)
    def _person_left(self) -> None:
        for tab in self.tabs:
            tab.screen.left()

    @on(events.AppFocus)
    def _person_returned(self) -> None:
        for tab in self.tabs:
            tab.screen.returned()

    def _set_window_title(self, title: str) -> None:
        self._write(f"\x1b]2;{clean_line(title)}\x07")

    def _write(self, sequence: str) -> None:
        """A sequence for the person's own terminal."""
        if sequence and self._driver is not None and not self.is_headless:
            self._driver.write(sequence)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The palette offers the registry's actions, nothing else."""
        session = self.session_screen
        if session is None:
            return
        for action in self.options.keymap.actions:
            if Place.LEADER in action.keys and action.id not in ("palette", "back"):
                key = f"{self.options.leader_label} {shown(action.keys[Place.LEADER][0])}"
                name = f"{action.id.replace('_', ' ')}   {key}"
                yield SystemCommand(name, action.help, lambda name=action.id: session.do(name))
