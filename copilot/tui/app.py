"""The Textual application: wiring only. Screens own modes and keys, the session owns the run."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import ClassVar

from textual import events, on
from textual.app import App, SystemCommand
from textual.binding import BindingType
from textual.screen import Screen

from copilot.core.settings import RunSettings
from copilot.errors import EXIT_FAILED, CopilotError
from copilot.resources import data_folder
from copilot.tui.attention import notification, way_to_notify
from copilot.tui.bridge import ScreenBridge
from copilot.tui.keymap import Place
from copilot.tui.layout import terminal_size
from copilot.tui.live import OpenedSession, SessionFactory, StartChoice, StartOffer
from copilot.tui.messages import SessionEnded
from copilot.tui.options import UiOptions
from copilot.tui.preferences import PreferenceKeeper
from copilot.tui.screens.session import SessionScreen
from copilot.tui.screens.start import StartScreen
from copilot.tui.text import clean_line
from copilot.tui.themes import THEMES

_PATIENCE_SECONDS = (3.0, 3.0)
_SHEETS = ("base", "session", "start", "dialogs")


class CopilotApp(App[int], inherit_bindings=False):
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
        options: UiOptions | None = None,
        preferences: PreferenceKeeper | None = None,
    ) -> None:
        super().__init__()
        self.preferences = preferences or PreferenceKeeper()
        self.bridge: ScreenBridge | None = None
        """What the session told, once one runs."""
        self.settings = settings
        self.session_factory = session_factory
        self.offers = tuple(offers)
        self.options = options or UiOptions()
        self.use_command_palette = True
        self.next_command: tuple[str, ...] = ()
        self.failure: Exception | None = None
        self._opened: OpenedSession | None = None
        self._session_task: asyncio.Task[None] | None = None
        for theme in THEMES.values():
            self.register_theme(theme)
        self.theme = THEMES.get(self.options.theme, THEMES["dark"]).name

    def on_mount(self) -> None:
        """Begin with the session, or with the question which one."""
        self.app_resume_signal.subscribe(self, lambda _app: self._came_back())
        if self.settings is None:
            self.push_screen(StartScreen(self.offers), self._started)
        else:
            self._open_session(self.settings)

    def action_suspend_process(self) -> None:
        """Stop, and let the shell have the terminal, with a title of its own."""
        self._set_window_title("")
        super().action_suspend_process()

    def _came_back(self) -> None:
        """We were stopped: what counted down is held, for nobody has watched it."""
        if self.session_screen is not None:
            self.session_screen.came_back()

    def _started(self, choice: StartChoice | None) -> None:
        if choice is None:
            self.exit(0)
        elif choice.settings is not None:
            self._open_session(choice.settings)
        else:
            self.next_command = choice.command
            self.exit(0)

    def _open_session(self, settings: RunSettings) -> None:
        size = terminal_size(self.size.width, self.size.height, self.preferences.wishes)
        settings = replace(settings, columns=size[0], lines=size[1])
        self._session_task = asyncio.create_task(self._drive(settings), name="session")

    async def _drive(self, settings: RunSettings) -> None:
        """The life of a session: start, show, wait for its end. What goes wrong is shown, never raised."""
        bridge = ScreenBridge()
        try:
            opened = await self.session_factory(settings, bridge)
        except Exception as problem:  # told on the plain terminal, by `run`'s caller
            self.failure = problem
            self.exit(EXIT_FAILED)
            return
        self.bridge = bridge
        screen = SessionScreen(opened.session, self.options, self.preferences)
        self._opened = opened
        await self.push_screen(screen)
        bridge.attach(screen, screen.take_step)
        try:
            screen.post_message(SessionEnded(await opened.finish()))
        except CopilotError as problem:
            screen.post_message(SessionEnded(problem.exit_code, str(problem)))
        except Exception as fault:  # whatever broke, the person must see it and keep the screen
            screen.post_message(SessionEnded(EXIT_FAILED, f"{type(fault).__name__}: {fault}"))

    async def on_unmount(self) -> None:
        """Leave no child behind, whatever ended the application: in order, then at once, then give up."""
        task = self._session_task
        for patience in _PATIENCE_SECONDS:
            if task is None or task.done():
                return
            if self._opened is not None:
                self._opened.session.interrupt()
            await asyncio.wait([task], timeout=patience)
        if task is not None:
            task.cancel()

    async def on_event(self, event: events.Event) -> None:
        """Keys are decided by the session screen before any widget or binding sees them."""
        if isinstance(event, events.Key) and not event.is_forwarded:
            screen = self.session_screen
            if screen is not None and screen.is_mounted and await screen.take_key(event):
                event.stop()
                return
        await super().on_event(event)

    @property
    def session_screen(self) -> SessionScreen | None:
        """The session's screen, also while a dialog lies over it."""
        return next((screen for screen in self.screen_stack if isinstance(screen, SessionScreen)), None)

    @on(SessionScreen.AttentionWanted)
    def _attention_wanted(self, message: SessionScreen.AttentionWanted) -> None:
        self._set_window_title(message.title)
        if not message.ring:
            return
        if self.options.bell:
            self.bell()
        if not self.app_focus:
            self._write(notification(message.reason, way_to_notify(self.options.notify, os.environ)))

    @on(events.AppBlur)
    def _person_left(self) -> None:
        if self.session_screen is not None:
            self.session_screen.left()

    @on(events.AppFocus)
    def _person_returned(self) -> None:
        if self.session_screen is not None:
            self.session_screen.returned()

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
                yield SystemCommand(
                    action.id.replace("_", " "), action.help, lambda name=action.id: session.do(name)
                )
