"""What the cockpit needs of a live session: its screen, its controls, and its end to wait for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from copilot.core.settings import RunSettings
from copilot.screen import TerminalScreen
from copilot.session.view import SessionControls, SessionListener


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
