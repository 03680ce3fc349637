"""Notes in the status bar, and the moment after a refusal in which keys are not sent."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from textual.timer import Timer

from copilot.tui.keymap import Place

if TYPE_CHECKING:
    from copilot.tui.screens.session import SessionScreen

KEPT_SECONDS = 0.5
_NOTE_SECONDS = 6.0
_MOST_WAITING = 3
"""More would be shown long after they were news; the oldest gives way."""


class KeyGuard:
    """For a moment after an action that opened nothing, or a mode that ended by itself, keys are not sent.

    A person types into a box without looking, and closes it with Esc: in a dialog of the program that is an
    answer. Half a second is what is typed without looking at the screen. Times are of the session's clock,
    in seconds.
    """

    def __init__(self) -> None:
        self._until = float("-inf")
        self.why = ""
        """The reason, shown at once or with the first key that is not sent."""

    def begin(self, now: float, why: str) -> None:
        """Hold keys back from now on, for this reason."""
        self._until, self.why = now + KEPT_SECONDS, why

    def end(self) -> None:
        """Send keys to the program again."""
        self._until = float("-inf")

    def takes(self, now: float) -> bool:
        """Whether a key at this moment is held back. It does not extend the time."""
        return now < self._until


class Notes:
    """Shows a note for a few seconds. `key_guard` holds keys back after a refusal."""

    def __init__(self, screen: SessionScreen) -> None:
        self._screen = screen
        self.key_guard = KeyGuard()
        self._timer: Timer | None = None
        self._of_run = False
        self._waiting: deque[str] = deque(maxlen=_MOST_WAITING)
        """Notes of the run that came while another one of it was shown: a start has several."""
        self._place = Place.TERMINAL

    def show(self, text: str, *, of_run: bool = False) -> None:
        """Show `text`. Unless it is of the run, it goes with its prompt, and with the place where keys are
        ours: it may name one of them."""
        self._screen.model.notes.append(text)
        if of_run and self._of_run and self._text:
            self._waiting.append(text)
        else:
            self._show(text, of_run)

    @property
    def _text(self) -> str:
        """The note that is shown."""
        panels = self._screen.panels
        return panels.status.note if panels.mounted else ""

    def _show(self, text: str, of_run: bool) -> None:
        screen = self._screen
        self._of_run = of_run
        if not screen.panels.mounted:
            return
        self._place = Place.TERMINAL if of_run else screen.place
        screen.panels.status.note = text
        if self._timer is not None:
            self._timer.stop()
        self._timer = screen.set_timer(_NOTE_SECONDS, self.expire)
        screen.updates.show_status()

    def decline(self, why: str) -> None:
        """Show why nothing opens; keys that follow at once are not sent to the program."""
        self.key_guard.begin(self._screen.session.clock(), why)
        self.show(why)

    def holds_key(self, what: str = "that key was not sent") -> bool:
        """Whether a key, or a paste, was meant for what did not open; the note then ends with `what`."""
        held = self.key_guard.takes(self._screen.session.clock())
        if held:
            self.show(f"{self.key_guard.why} · {what}")
        return held

    def expire(self) -> None:
        """Remove the note, its time is over; the next one of the run that waits is shown."""
        if self._screen.panels.mounted:
            self._remove()
            if self._waiting:
                self._show(self._waiting.popleft(), of_run=True)

    def prompt_changed(self) -> None:
        """Remove what was about the prompt."""
        if not self._of_run:
            self._remove()

    def place_changed(self, place: Place) -> None:
        """Remove what named keys of another place."""
        if self._place not in (Place.TERMINAL, place) and place is not Place.LEADER:
            self._remove()

    def _remove(self) -> None:
        self._place = Place.TERMINAL
        self._screen.panels.status.note = ""
        self._screen.updates.show_status()
