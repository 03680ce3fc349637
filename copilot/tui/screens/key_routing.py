"""Which key means what on a session's screen, and the countdown that any key stops.

Every key goes to the child but the leader. The key that stops a countdown is not sent. While a question is
open, the key that closes the "while you were away" box is not sent either.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events
from textual.timer import Timer

from copilot.core.screen_kinds import ScreenKind
from copilot.tui.keymap import Place
from copilot.tui.text import clean_line

if TYPE_CHECKING:
    from copilot.tui.screens.session import SessionScreen


_SCROLL_KEYS = frozenset({"up", "down", "pageup", "pagedown", "home", "end", "escape"})
"""Keys that move in the scrollback."""


class KeyRouter:
    """Decides about a key before any widget sees it."""

    def __init__(self, screen: SessionScreen) -> None:
        self._screen = screen
        self._keymap = screen.options.keymap
        self._terminal = screen.panels.terminal
        self.leader_pending = False
        """Whether the next key is one after the leader."""
        self.digit = ""
        """The digit that was pressed after the leader."""
        self._looked_away_from = (ScreenKind.UNKNOWN, "")

    def take(self, event: events.Key) -> bool:
        """Carry out or send a key. False if widgets have to see it."""
        screen, model = self._screen, self._screen.model
        asked = model.at_issue or model.needs_person
        on_top = screen.app.screen is screen
        was_open = screen.panels.away.close()
        swallow = was_open and asked and on_top
        if screen.countdown.stop() or swallow:
            self.leader_pending = self._is_leader(event.key)
            screen.updates.show_all()
            return True
        if not on_top:
            return False
        place = screen.place
        if place is Place.LEADER:
            self._after_leader(event.key)
        elif self._is_leader(event.key):
            self.leader_pending = True
            screen.notes.key_guard.end()
            screen.updates.show_keys()
        elif place is Place.SCROLL and self._type_and_leave_scrollback(event):
            pass  # typed, or a note says why not
        elif (action := self._keymap.action_for(place, event.key)) is not None:
            screen.do(action.id)
        else:
            return self._other_key(place, event)
        return True

    def _is_leader(self, key: str) -> bool:
        return self._screen.options.is_leader(key)

    def _after_leader(self, key: str) -> None:
        self.leader_pending = False
        if self._is_leader(key):
            self._terminal.type_key_named(key)
        elif (action := self._keymap.action_for(Place.LEADER, key)) is not None:
            self.digit = key if key.isdigit() else ""
            self._screen.do(action.id)
        else:
            leader = self._screen.options.leader_label
            self._screen.notes.show(f"{leader} {clean_line(key)} does nothing; {leader} ? shows the keys")
        self._screen.updates.show_all()

    def _other_key(self, place: Place, event: events.Key) -> bool:
        if place is Place.TERMINAL:
            if not self._screen.notes.holds_key():
                self._terminal.type_key(event)
            return True
        if place is Place.REPLY and event.character is not None and event.character.isdigit():
            self._screen.reply_actions.mark_by_key(event.character)
        if place is Place.SEARCH:
            self._screen.terminal_actions.search_key(event)
        return place in (Place.REPLY, Place.SCROLL, Place.SEARCH)

    # Scrolled back with the wheel

    def remember_prompt_before_scroll(self) -> None:
        """Remember what is asked as the wheel leads back in the scrollback."""
        detection = self._screen.model.detection
        self._looked_away_from = (detection.kind, detection.identity)

    def _type_and_leave_scrollback(self, event: events.Key) -> bool:
        """As in any terminal, a key that does not move in the scrollback is typed, and the live screen comes
        back. Not if something else is asked by now: the person has not seen it. False if the key is for
        others."""
        terminal = self._terminal
        if not terminal.scrolled_by_wheel or terminal.search is not None or event.key in _SCROLL_KEYS:
            return False
        terminal.stop_scrolling()
        if self._prompt_unchanged():
            terminal.type_key(event)
        else:
            self._screen.notes.show("the screen changed while you looked back: the key was not typed")
        self._screen.updates.show_all()
        return True

    def _prompt_unchanged(self) -> bool:
        """Whether the screen is the one the wheel led away from, by the newest look, settled or not."""
        kind, identity = self._looked_away_from
        settled, latest = self._screen.model.detection, self._screen.session.examination()
        latest_kind = kind if latest is None else latest.detection.kind
        return kind is not ScreenKind.UNKNOWN and (settled.kind, settled.identity, latest_kind) == (
            kind,
            identity,
            kind,
        )


_TICK_SECONDS = 0.1


class Countdown:
    """Lets a key stop each countdown once, and redraws what is left of it while it runs."""

    def __init__(self, screen: SessionScreen) -> None:
        self._screen = screen
        self._stopped: float | None = None
        """The end of the countdown that was stopped."""
        self._timer: Timer | None = None

    @property
    def started(self) -> bool:
        """Whether the screen is mounted and its timer exists."""
        return self._timer is not None

    def begin(self) -> None:
        """Make the timer; it is paused until a countdown runs."""
        self._timer = self._screen.set_interval(
            _TICK_SECONDS, self._screen.updates.tick_countdown, pause=True
        )

    @property
    def stoppable(self) -> bool:
        """Whether a countdown runs that a key would stop."""
        ends_at = self._screen.model.view.countdown_ends_at
        return ends_at is not None and ends_at != self._stopped

    def stop(self) -> bool:
        """Stop a countdown. False if none runs, or it was stopped before."""
        if not self.stoppable:
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
