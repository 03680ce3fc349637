"""A pause of the pilot that ends when all is done, not when the machine is busy with something else.

Textual takes a process that gets no time on a loaded machine for an idle one, and ends the pause.
"""

from __future__ import annotations

import weakref
from typing import Any

from textual.pilot import Pilot

from copilot.tui.app import CopilotApp
from copilot.tui.screens.opening import OpeningScreen

_PAUSE = Pilot.pause
OPENING: weakref.WeakSet[CopilotApp] = weakref.WeakSet()
"""Apps whose session never stands, and that is meant."""
_ROUNDS = 3
"""A view goes to the screen, from there to the panels, and these ask for another layout."""


async def steady_pause(pilot: Pilot[Any], delay: float | None = None) -> None:
    """As `Pilot.pause`, once the session stands; without `delay` what it told comes to its end as well."""
    while _opens(pilot.app):
        await _PAUSE(pilot, 0.005)
    await _PAUSE(pilot, delay)
    if delay is None:
        for _ in range(_ROUNDS):
            await _PAUSE(pilot, 0)


def _opens(app: Any) -> bool:
    """Whether a session is on its way to the screen."""
    if not isinstance(app, CopilotApp) or app.failure is not None or not app.is_running:
        return False
    if app in OPENING:
        return False
    return isinstance(app.screen, OpeningScreen) or any(tab.bridge._target is None for tab in app.tabs)
