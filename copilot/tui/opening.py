"""How the cockpit opens a real session. Its modules are loaded only here, after the first frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from copilot.core.settings import RunSettings

if TYPE_CHECKING:
    from copilot.session.view import SessionListener
    from copilot.tui.live import OpenedSession


async def open_session(settings: RunSettings, listener: SessionListener) -> OpenedSession:
    """Check everything, then start the child and the session around it. Raises InputError."""
    from copilot.session.start import finish, prepare, start
    from copilot.tui.live import OpenedSession

    session = await start(prepare(settings), listener)

    async def end() -> int:
        return (await finish(session)).exit_code

    return OpenedSession(session, end)
