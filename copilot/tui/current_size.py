"""Screens that follow the window's present size only."""

from __future__ import annotations

from textual import events
from textual.screen import Screen, ScreenResultType


class CurrentSizeScreen(Screen[ScreenResultType], inherit_bindings=False):
    """A screen that drops a resize to a size that the window no longer has.

    Textual's layout sends the screen itself another resize. So while two sizes are on their way, as when a
    web page reports its size right after the start, each one causes the next one of its kind, without end.
    """

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Resize) and event.size != self.app.size:
            return
        await super().on_event(event)
