"""`LiveTrial`: a session of a harness while it runs: its events as they come, and more to say to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from copilot.core.effects import EndRun
from copilot.core.reply import Reply
from copilot.core.screen_kinds import ScreenKind
from copilot.errors import CopilotError
from copilot.lab.collector import Collector
from copilot.lab.record import TrialEvent, TrialRecord
from copilot.lab.stream import Subscriber, TrialStream
from copilot.session.live import LiveSession
from copilot.session.start import finish

_END_SECONDS = 15.0
_LEAVE_SECONDS = 5.0
_READY = (ScreenKind.COMPLETED.value, ScreenKind.IDLE.value)
_ENDED = "end"
TURN_SECONDS = 120.0


def _to_the_model(event: TrialEvent) -> bool:
    return event.kind == "request" and not event.data["side"]


class LiveTrial:
    """`record` is there once the session has ended."""

    record: TrialRecord
    end: EndRun

    def __init__(self, session: LiveSession, stream: TrialStream, collector: Collector) -> None:
        self._session = session
        self._stream = stream
        self._collector = collector
        self._prompts = 0
        self.timed_out = False
        self.screen = ""

    @property
    def events(self) -> tuple[TrialEvent, ...]:
        """All that happened so far, in order."""
        return tuple(self._stream.events)

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """It gets every event, the past ones at once. Call the result to end that."""
        return self._stream.subscribe(subscriber)

    async def until(
        self, condition: Callable[[TrialEvent], bool], seconds: float = TURN_SECONDS, *, after: int = 0
    ) -> TrialEvent:
        """The first event that meets the condition, not counting the first `after` ones.

        Raises TimeoutError, and CopilotError if the session ends without it.
        """
        found: asyncio.Future[TrialEvent] = asyncio.get_running_loop().create_future()
        left = after

        def look(event: TrialEvent) -> None:
            nonlocal left
            left -= 1
            if left >= 0 or found.done():
                return
            if condition(event):
                found.set_result(event)
            elif event.kind == _ENDED:
                found.set_exception(CopilotError(f"the session ended before that: {event.text}"))

        unsubscribe = self.subscribe(look)
        try:
            async with asyncio.timeout(seconds):
                return await found
        finally:
            unsubscribe()

    async def ready(self, seconds: float = TURN_SECONDS, *, after: int = 0) -> TrialEvent:
        """Wait until a turn is done and the composer is ready."""
        return await self.until(
            lambda event: event.kind == "screen" and event.name in _READY, seconds, after=after
        )

    async def prompt(self, text: str, seconds: float = TURN_SECONDS) -> TrialEvent:
        """Type this into the composer once it is ready, and wait until its turn is done."""
        await self.ready(seconds, after=self._prompts)
        sent = len(self._stream.events)
        self._session.send(Reply(text=text), identity=self._session.run.detection.identity)
        asked = await self.until(_to_the_model, seconds, after=sent)
        self._prompts = self._stream.events.index(asked)
        return await self.ready(seconds, after=self._prompts)

    async def ended(self, seconds: float) -> None:
        """Wait for the end of the session, no longer than so long."""
        try:
            async with asyncio.timeout(seconds):
                await asyncio.shield(self._session.ended)
        except TimeoutError:
            self.timed_out = True

    async def close(self) -> None:
        """Leave the CLI, end what stays, and take down how it ended."""
        session = self._session
        self.screen = "\n".join(line.rstrip() for line in session.screen.snapshot().lines).strip()
        if self._collector.stays and not session.ended.done() and self._stream.fault is None:
            self._collector.leave()
            await self.ended(_LEAVE_SECONDS)
            self.timed_out = False
        self.end = await end_session(session)


async def end_session(session: LiveSession) -> EndRun:
    """The end of the run: awaited, or brought about."""
    if not session.ended.done():
        session.interrupt()
        session.interrupt()
    async with asyncio.timeout(_END_SECONDS):
        return await finish(session)
