"""The countdown before a reply is sent: any key or click stops it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.timer import Timer

if TYPE_CHECKING:
    from copilot.tui.screens.session import SessionScreen

_TICK_SECONDS = 0.1


class Countdown:
    """Stops a countdown once, and redraws what is left of it while it runs."""

    def __init__(self, screen: SessionScreen) -> None:
        self._screen = screen
        self._stopped: float | None = None
        """The end of the countdown that was stopped."""
        self._timer: Timer | None = None

    @property
    def begun(self) -> bool:
        """Whether the screen is mounted and its timer exists."""
        return self._timer is not None

    def begin(self) -> None:
        """Make the timer; it is paused until a countdown runs."""
        self._timer = self._screen.set_interval(
            _TICK_SECONDS, self._screen.updates.tick_countdown, pause=True
        )

    @property
    def unstopped(self) -> bool:
        """Whether a countdown runs that a key would stop."""
        ends_at = self._screen.model.view.countdown_ends_at
        return ends_at is not None and ends_at != self._stopped

    def stop(self) -> bool:
        """Stop a countdown. False if none runs, or it was stopped before."""
        if not self.unstopped:
            return False
        self._stopped = self._screen.model.view.countdown_ends_at
        self._screen.session.stop_countdown()
        self._screen.notes.show("stopped: the reply is held")
        return True

    def follow_view(self) -> None:
        """Run or pause the timer; hold the reply if this session is out of sight."""
        screen = self._screen
        if self._timer is not None:
            if screen.model.counting_down:
                self._timer.resume()
            else:
                self._timer.pause()
        if screen.model.counting_down and not screen.is_current:
            self._hold_unseen()

    def _hold_unseen(self) -> None:
        # Another session, or a dialog over another one, is shown: no key there could stop this countdown.
        if self._screen not in self._screen.app.screen_stack and self.stop():
            self._screen.notes.show("held: this session was out of sight when it would have been sent")
