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


@dataclass(frozen=True, slots=True)
class StartOffer:
    """One thing the start screen offers.

    A coding CLI has `settings`, complete but for the autonomy level that the person picks. The demo has a
    `command`, the words after `copilot`. What has neither is not installed; `detail` says how it would be.
    """

    title: str
    detail: str
    settings: RunSettings | None = None
    command: tuple[str, ...] = ()

    @property
    def there(self) -> bool:
        """Whether it can be started."""
        return self.settings is not None or bool(self.command)


@dataclass(frozen=True, slots=True)
class StartChoice:
    """What a person picked on the start screen: a run, or another command of ours to go on with."""

    settings: RunSettings | None = None
    command: tuple[str, ...] = ()
