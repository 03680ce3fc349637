"""What the cockpit needs of a live session: its screen, its controls, and a task to await."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from copilot.core.settings import RunSettings
from copilot.screen import TerminalScreen
from copilot.session.view import SessionControls, SessionListener


class LiveSession(SessionControls, Protocol):
    """A session that has not been started yet, or runs."""

    @property
    def screen(self) -> TerminalScreen:
        """The emulated screen; read by the terminal widget, written only by the session."""

    async def run(self) -> int:
        """Start the child, drive it to its end, and give the exit code. Cancelling it ends everything."""


SessionFactory = Callable[[RunSettings, SessionListener], LiveSession]
"""Makes the session of these settings; `columns` and `lines` in them are the terminal's first size."""


class ReportingControls(Protocol):
    """Controls that tell reports (focus, mouse movement) from a person's keys. Optional for a session."""

    def report_bytes(self, data: bytes) -> None:
        """Bytes that go to the child but do not mean that a person took over."""


@dataclass(frozen=True, slots=True)
class StartOffer:
    """One thing the start screen offers: a coding CLI, found or not, or the demo.

    `settings` is complete; only the autonomy level is replaced by what the person picks. None: not installed,
    and `detail` says how it would be.
    """

    title: str
    detail: str
    settings: RunSettings | None
