"""The app on a `FakeSession`, still: no blinking, no clock of its own."""

from __future__ import annotations

from collections.abc import Sequence

from copilot.core.decision import Autonomy
from copilot.core.settings import RunSettings
from copilot.session.view import SessionListener
from copilot.tui.app import CopilotApp
from copilot.tui.live import OpenedSession, StartOffer
from copilot.tui.options import UiOptions
from tests.fakes.fake_session import FakeSession

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
) -> CopilotApp:
    """The real app, with `session` as its session."""

    async def factory(_settings: RunSettings, listener: SessionListener) -> OpenedSession:
        session.listener = listener
        session.show()
        return OpenedSession(session, session.finish)

    app = CopilotApp(settings, factory, offers=offers, options=UiOptions(leader, theme))
    app.animation_level = "none"
    return app
