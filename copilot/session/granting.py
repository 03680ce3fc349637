"""The grants of a live run: which stand now, and which replies used them up."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from copilot.core.effects import Effect, RecordDecision, ReplyTaken
from copilot.core.events import Event
from copilot.safety.grants import Grant
from copilot.safety.grants_book import GrantBook
from copilot.session.view import SessionListener, SessionView


class GrantKeeper:
    """Hears what the session does on its way to the front end, and counts the replies that rest on grants.

    A use counts when its reply was typed, not when it was decided: Enter is judged anew before it is sent.
    """

    def __init__(
        self, grants: Iterable[Grant], listener: SessionListener, clock: Callable[[], float] = time.time
    ) -> None:
        self._listener = listener
        self._clock = clock
        self._rests_on: dict[int, tuple[str, ...]] = {}
        self.book = GrantBook(grants, clock())

    def open_now(self) -> tuple[Grant, ...]:
        """The grants that stand at this moment."""
        return self.book.open_at(self._clock())

    def on_step(self, step: Event | Effect, at: float) -> None:
        """Counts, and hands on."""
        if isinstance(step, RecordDecision) and step.decision.by == "policy":
            self._rests_on[step.decision.number] = step.decision.risk.grants
        elif isinstance(step, ReplyTaken):
            self._count(self._rests_on.pop(step.decision, ()))
        self._listener.on_step(step, at)

    def _count(self, rules: tuple[str, ...]) -> None:
        if not rules:
            return
        self.book.use(rules)
        for line in self.book.lines(self._clock()):
            if line.rule in rules:
                left = "" if line.left is None else f", {line.left} left"
                self._listener.on_note(f"Allowed by {line.rule} (used {line.used} times{left})")

    def on_screen(self) -> None:
        """Handed on."""
        self._listener.on_screen()

    def on_view(self, view: SessionView) -> None:
        """Handed on."""
        self._listener.on_view(view)

    def on_reply_text(self, text: str) -> None:
        """Handed on."""
        self._listener.on_reply_text(text)

    def on_note(self, text: str) -> None:
        """Handed on."""
        self._listener.on_note(text)
