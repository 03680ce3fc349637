"""The events of one trial as they happen: those of the session and those of the model, in one order."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from copilot.lab.model_server import Given, ModelRequest
from copilot.lab.record import TrialEvent, given_events, request_events

Subscriber = Callable[[TrialEvent], None]
"""Gets each event, on the loop of the trial. What it raises ends the trial and fails its test."""


class TrialStream:
    """Keeps the events and hands each to the subscribers. Made in the loop that the trial runs in.

    `names` are those of the mock tools. `on_fault` is called once, with what a subscriber raised.
    """

    def __init__(
        self, began: float, names: Mapping[str, str], subscribers: Sequence[Subscriber] = ()
    ) -> None:
        self.events: list[TrialEvent] = []
        self.fault: Exception | None = None
        self.on_fault: Callable[[], None] = _nothing
        self._began = began
        self._names = names
        self._loop = asyncio.get_running_loop()
        self._subscribers = list(subscribers)

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """From now on it gets every event, those that are past at once; call the result to end that."""
        for event in self.events:
            self._hand(subscriber, event)
        self._subscribers.append(subscriber)
        return lambda: self._subscribers.remove(subscriber)

    def add(self, kind: str, name: str, text: str, data: Mapping[str, Any]) -> None:
        """One more event, now."""
        self._add_all([TrialEvent(0.0, kind, name, text, data)])

    def on_request(self, request: ModelRequest) -> None:
        """For the model server, on its own thread."""
        self._from_thread(request_events(request))

    def on_given(self, given: Given) -> None:
        """For the model server, on its own thread."""
        self._from_thread(given_events(given, self._names))

    def _from_thread(self, events: list[TrialEvent]) -> None:
        with suppress(RuntimeError):  # the trial is over, and its loop closed
            self._loop.call_soon_threadsafe(self._add_all, events)

    def fail(self, error: Exception) -> None:
        """End the trial because of this error; the first one counts."""
        if self.fault is None:
            self.fault = error
            self.on_fault()

    def _add_all(self, events: Iterable[TrialEvent]) -> None:
        at = round(time.monotonic() - self._began, 3)
        for event in events:
            timed = replace(event, at=at)
            self.events.append(timed)
            for subscriber in list(self._subscribers):
                self._hand(subscriber, timed)

    def _hand(self, subscriber: Subscriber, event: TrialEvent) -> None:
        try:
            subscriber(event)
        except Exception as error:
            self.fail(error)


def _nothing() -> None:
    """There is nothing to end yet."""
