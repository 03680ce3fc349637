"""`ScreenBridge`: what the session calls, turned into messages of the Textual screen that shows it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from textual.message_pump import MessagePump

from copilot.core.effects import Effect
from copilot.core.events import Event
from copilot.core.settings import RunSettings
from copilot.engine.view import SessionView
from copilot.screen import TerminalScreen
from copilot.session.front_end import SessionControls, SessionListener
from copilot.tui.messages import NoteGiven, ReplyStreamed, ScreenDirty, ViewChanged


class LiveSession(SessionControls, Protocol):
    """A session that runs. The terminal widget reads its screen; only the session writes to it."""

    @property
    def screen(self) -> TerminalScreen: ...


@dataclass(frozen=True, slots=True)
class OpenedSession:
    """A running session, and how to wait for its end: `finish` leaves nothing behind, gives the exit code."""

    session: LiveSession
    finish: Callable[[], Awaitable[int]]


SessionFactory = Callable[[RunSettings, SessionListener], Awaitable[OpenedSession]]
"""Starts the session of these settings; `columns` and `lines` in them are the terminal's first size."""


StepTaker = Callable[[Event | Effect, float], None]


class ScreenBridge:
    """A `SessionListener`. It returns at once: messages wait in the screen's queue.

    What is said before a screen is attached is kept and said to it first.
    """

    def __init__(self) -> None:
        self._target: MessagePump | None = None
        self.view: SessionView | None = None
        """The newest view."""
        self._notes: list[str] = []
        self._take_step: StepTaker | None = None

    def attach(self, target: MessagePump, take_step: StepTaker | None = None) -> None:
        """From now on messages go to `target`, and each step at once to `take_step`."""
        self._target = target
        self._take_step = take_step
        if self.view is not None:
            target.post_message(ViewChanged(self.view))
        for text in self._notes:
            target.post_message(NoteGiven(text))
        self._notes.clear()
        target.post_message(ScreenDirty())

    def on_screen(self) -> None:
        if self._target is not None:
            self._target.post_message(ScreenDirty())

    def on_view(self, view: SessionView) -> None:
        self.view = view
        if self._target is not None:
            self._target.post_message(ViewChanged(view))

    def on_reply_text(self, text: str) -> None:
        """More of the reply's raw text came in from the provider."""
        if self._target is not None:
            self._target.post_message(ReplyStreamed(text))

    def on_step(self, step: Event | Effect, at: float) -> None:
        """An event or effect, passed on at once while the screen still is as it was then."""
        if self._take_step is not None:
            self._take_step(step, at)

    def on_note(self, text: str) -> None:
        """Something a person should read once."""
        if self._target is not None:
            self._target.post_message(NoteGiven(text))
        else:
            self._notes.append(text)
