"""The session screen: it owns modes and keys, and listens to the session.

Every key goes to the child but the leader. A countdown is stopped by any key, and that key is not sent. While
something is asked, nor is the key that closes the box of what happened meanwhile.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from textual import events, on

from copilot.core.detection import ScreenKind
from copilot.core.effects import Effect
from copilot.core.events import Event
from copilot.core.states import RunState
from copilot.screen.rows import Picture
from copilot.tui.describe import badge, question_line, title_line, why_held
from copilot.tui.keymap import Place
from copilot.tui.messages import (
    AttentionWanted,
    NoteGiven,
    ReplyStreamed,
    ScreenDirty,
    SessionEnded,
    SessionLeft,
    ViewChanged,
)
from copilot.tui.screens.session_actions import SessionActions
from copilot.tui.text import clean_line
from copilot.tui.widgets.key_bar import OfferLine
from copilot.tui.widgets.reply_panel import ReplyPanel
from copilot.tui.widgets.run_timeline import RunTimeline
from copilot.tui.widgets.status_bar import AwayBox
from copilot.tui.widgets.tab_bar import TabBar
from copilot.tui.widgets.terminal import TerminalView

_WAYS = frozenset({"up", "down", "pageup", "pagedown", "home", "end", "escape"})
"""Keys that lead about in the scrollback."""


class SessionScreen(SessionActions, inherit_bindings=False):
    """One live session."""

    _offered_of: tuple[object, ...] = ()
    """What the newest look for a grant rests on."""

    # Keys

    async def take_key(self, event: events.Key) -> bool:
        """Decide about a key before any widget sees it. True if it is done with."""
        asked = self.model.at_issue or self.model.needs_person
        closed = self.query_one(AwayBox).close() and asked and self.app.screen is self
        if self._stop_countdown() or closed:
            self._leader_pending = self._is_leader(event.key)
            self._show_all()
            return True
        if self.app.screen is not self:
            return False
        place = self.place
        if place is Place.LEADER:
            await self._after_leader(event.key)
            return True
        if self._is_leader(event.key):
            self._leader_pending = True
            self._declined.end()
            self._show_keys()
            return True
        typed = place is Place.SCROLL and self._types_on(event)
        action = None if typed else self.options.keymap.action_for(place, event.key)
        if action is not None:
            await self.do(action.id)
            return True
        return typed or self._other_key(place, event)

    def _is_leader(self, key: str) -> bool:
        return self.options.is_leader(key)

    def looks_back(self) -> None:
        """The wheel led back in the scrollback."""
        self._looked_away_from = (self.model.detection.kind, self.model.detection.identity)

    def way_changed(self) -> None:
        """Keys may mean something else after the wheel."""
        self._show_keys()

    def _types_on(self, event: events.Key) -> bool:
        """After the wheel, as in any terminal: a key that is no way about in the scrollback is typed, and the
        live screen comes back. Not if something else is asked by now, for nobody has seen it."""
        terminal = self.query_one(TerminalView)
        if not terminal.turned_back or terminal.search is not None or event.key in _WAYS:
            return False
        terminal.stop_scrolling()
        if self._as_it_was():
            terminal.type_key(event)
        else:
            self.note("the screen changed while you looked back: the key was not typed")
        self._show_all()
        return True

    def _as_it_was(self) -> bool:
        """Whether nothing new stands there since the wheel led back, by the newest look, settled or not."""
        kind, identity = self._looked_away_from
        now, newest = self.model.detection, self.session.examination()
        seen = kind if newest is None else newest.detection.kind
        return kind is not ScreenKind.UNKNOWN and (now.kind, now.identity, seen) == (kind, identity, kind)

    def _other_key(self, place: Place, event: events.Key) -> bool:
        if place is Place.TERMINAL:
            if not self.takes_for_box():
                self.query_one(TerminalView).type_key(event)
            return True
        if place is Place.REPLY and event.character is not None and event.character.isdigit():
            self._mark_by_key(event.character)
        if place is Place.SEARCH:
            self._search_key(event)
        return place in (Place.REPLY, Place.SCROLL, Place.SEARCH)

    async def _after_leader(self, key: str) -> None:
        self._leader_pending = False
        if self._is_leader(key):
            self.query_one(TerminalView).type_key_named(key)
        elif (action := self.options.keymap.action_for(Place.LEADER, key)) is not None:
            self._digit = key if key.isdigit() else ""
            await self.do(action.id)
        else:
            leader = self.options.leader_label
            self.note(f"{leader} {clean_line(key)} does nothing; {leader} ? shows the keys")
        self._show_all()

    def _stop_countdown(self) -> bool:
        """Stop a countdown, if one runs that was not stopped before. True if there was one."""
        ends_at = self.model.view.countdown_ends_at
        if ends_at is None or ends_at == self._stopped_countdown:
            return False
        self._stopped_countdown = ends_at
        self.session.stop_countdown()
        self.note("stopped: the reply is held")
        return True

    @property
    def _counts_unstopped(self) -> bool:
        """Whether the bar says that any key stops the countdown."""
        return self.model.counting_down and self.model.view.countdown_ends_at != self._stopped_countdown

    def stop_countdown_by_hand(self) -> bool:
        """The same for a click or a paste into the terminal."""
        return self._stop_countdown()

    def came_back(self) -> None:
        """After a stop (Ctrl-Z, `fg`): hold what counts down, show everything and the window's title anew."""
        self._stop_countdown()
        self._call_attention()
        self._show_all()

    async def do(self, action: str) -> None:
        """Carry out an action of the registry."""
        method: Callable[[], Awaitable[None] | None] = getattr(self, f"do_{action}")
        result = method()
        if result is not None:
            await result
        self._show_keys()

    def on_mouse_down(self) -> None:
        """A click anywhere stops a countdown, and does nothing else: what it met may be an offer by now."""
        self._press_stopped = self._stop_countdown()
        if self._press_stopped:
            self._show_all()

    @on(OfferLine.Chosen)
    async def _offer_clicked(self, message: OfferLine.Chosen) -> None:
        """Something that stands for an action was clicked; "leader" asks for the keys after it."""
        self._leader_pending = message.action == "leader" and not self._press_stopped
        if self._leader_pending:
            self._show_keys()
        elif not self._press_stopped:
            await self.do(message.action)

    @on(ReplyPanel.OptionPicked)
    def _option_picked(self, message: ReplyPanel.OptionPicked) -> None:
        if not self._press_stopped:
            self.model.chosen = message.index
            self._to_panel()
        self._show_all()

    @on(ReplyPanel.TextClicked)
    def _panel_text_clicked(self) -> None:
        if self.place is Place.TERMINAL and not self._press_stopped:
            to_panel = self.model.offers.get("focus_reply")
            if to_panel:
                self.note(f"keys still go to the program; {to_panel} moves them to the reply")

    @on(ReplyPanel.DraftsClicked)
    def _drafts_clicked(self) -> None:
        if not self.model.step_draft(-1):
            while self.model.step_draft(1):
                pass
        self._show_all()

    @on(TabBar.Chosen)
    def _tab_clicked(self, message: TabBar.Chosen) -> None:
        self.cockpit_app.go_to(message.index)

    @on(events.DescendantFocus)
    def _focus_moved(self) -> None:
        if self.focused is self.query_one(ReplyPanel):
            self._open_panel()
        self._show_all()

    # What the session says

    @on(ScreenDirty)
    def _screen_dirty(self) -> None:
        self.query_one(TerminalView).screen_changed()

    @on(ViewChanged)
    def _view_changed(self, message: ViewChanged) -> None:
        now = self.session.clock()
        counted = self._counts_unstopped
        prompt_changed = self.model.update(message.view, now)
        if counted and not self._counts_unstopped:
            self._declined.begin(now, "too late to stop the countdown")
        self._look_for_a_grant()
        self.line.view_changed(message.view, question_line(message.view), now)
        if prompt_changed:
            self._prompt_changed()
        if self._countdown_timer is not None:
            if self.model.counting_down:
                self._countdown_timer.resume()
            else:
                self._countdown_timer.pause()
        if self.model.counting_down and not self.is_current:
            self._hold_unseen()
        self._call_attention()
        self._show_soon()

    def _look_for_a_grant(self) -> None:
        """The panel offers to allow what is held exactly where the key has something to offer."""
        view = self.model.view
        rests_on = (view.detection.identity, view.danger, view.decision, view.autonomy, view.grants)
        if rests_on != self._offered_of:
            self._offered_of = rests_on
            self.model.may_allow = bool(why_held(self.model)) and bool(self.session.grants.offer().rules)

    def _hold_unseen(self) -> None:
        """Another session, or a dialog over another one, is shown: no key here could stop the countdown."""
        if self not in self.app.screen_stack and self._stop_countdown():
            self.note("held: this session was out of sight when it would have been sent")

    def _prompt_changed(self) -> None:
        if not self._note_stays:
            self._forget_note()
        if self.place in (Place.EDIT, Place.INSTRUCT):
            self.query_one(ReplyPanel).border_subtitle = "the prompt has changed: this will not be sent"
        elif self.place is Place.REPLY and not self.model.detection.waiting:
            self._declined.begin(self.session.clock(), "the prompt is gone, and the panel with it")
            self._to_terminal()

    def _call_attention(self) -> None:
        identity = self.model.detection.identity or self.model.view.state.value
        wanted = self.model.needs_person or self.model.view.state in (RunState.ERROR, RunState.COMPLETED)
        ring = wanted and identity != self._rung_for
        if ring:
            self._rung_for = identity
        elif not wanted:
            self._rung_for = ""
        state = badge(self.model, self.session.clock())
        reason = f"{state.word.lower()}: {question_line(self.model.view) or state.detail}"
        self.post_message(AttentionWanted(self, title_line(self.model, self.session.clock()), ring, reason))

    def take_step(self, step: Event | Effect, at: float) -> None:
        """An event or effect, while the screen is as it was then."""
        self.line.step(step, at, self._pictures)

    def _pictures(self) -> tuple[Picture, ...]:
        screen = self.session.screen
        return tuple(screen.visible_row(line).picture_of(screen.columns) for line in range(screen.lines))

    @on(RunTimeline.Chosen)
    def _moment_chosen(self, message: RunTimeline.Chosen) -> None:
        self.look_at(message.moment)

    @on(ReplyStreamed)
    def _reply_streamed(self, message: ReplyStreamed) -> None:
        self.model.stream(message.text)
        self._show_reply()

    @on(NoteGiven)
    def _note_given(self, message: NoteGiven) -> None:
        self.note(message.text, of_run=True)

    @on(SessionEnded)
    def _session_ended(self, message: SessionEnded) -> None:
        self.exit_code, self._ended_at = message.exit_code, self.session.clock()
        if self._leaving:
            self.post_message(SessionLeft(self, message.exit_code))
            return
        ended = f"the run has ended; {self.options.leader_label} q leaves"
        self.note(clean_line(message.fault) or ended, of_run=True)
        self._show_all()
