"""How the cockpit opens a real session. The session's own modules are loaded only here."""

from __future__ import annotations

from copilot.core.settings import RunSettings
from copilot.session.start import finish, prepare, start
from copilot.session.view import SessionListener
from copilot.tui.live import OpenedSession


def check(settings: RunSettings) -> None:
    """Raises InputError for settings that cannot be run, while there still is a plain terminal to say it."""
    prepare(settings)


async def open_session(settings: RunSettings, listener: SessionListener) -> OpenedSession:
    """Start the child and the session around it. Raises InputError."""
    session = await start(prepare(settings), listener)

    async def end() -> int:
        return (await finish(session)).exit_code

    return OpenedSession(session, end)
