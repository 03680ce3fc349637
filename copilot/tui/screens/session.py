"""The screen of one session: its widgets, where keys go, and what it does with messages.

The parts it is made of each have a file: where panels are (`panel_placement`), what they show
(`panel_updates`), what a key means (`key_routing`), and the actions (`reply_actions`, `terminal_actions`,
`cockpit_actions`, `quit`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from textual import events, on
from textual.app import ComposeResult

from copilot.core.effects import Effect
from copilot.core.events import Event
from copilot.core.states import RunState
from copilot.screen.rows import Picture
from copilot.tui.bridge import LiveSession
from copilot.tui.describe import badge, question_line, title_line, why_held
from copilot.tui.keymap import Place
from copilot.tui.messages import (
    AttentionWanted,
    NoteGiven,
    ReplyStreamed,
    ScreenDirty,
    SessionEnded,
    ViewChanged,
)
from copilot.tui.model import CockpitModel
from copilot.tui.options import UiOptions
from copilot.tui.preferences import PreferenceKeeper
from copilot.tui.run_line import RunLine
from copilot.tui.screens.cockpit_actions import CockpitActions
from copilot.tui.screens.dialog import BelowDialogs
from copilot.tui.screens.key_routing import Countdown, KeyRouter
from copilot.tui.screens.notes import Notes
from copilot.tui.screens.panel_placement import PanelPlacement
from copilot.tui.screens.panel_updates import TICK_SECONDS, PanelUpdates
from copilot.tui.screens.quit import Leaving
from copilot.tui.screens.reply_actions import ReplyActions
from copilot.tui.screens.terminal_actions import TerminalActions
from copilot.tui.widgets.key_bar import KeyHints
from copilot.tui.widgets.panels import Panels, SidePanels
from copilot.tui.widgets.reply_box import ReplyBox
from copilot.tui.widgets.status_bar import away_content
from copilot.tui.widgets.tab_bar import TabBar, TabState, next_needing
from copilot.tui.widgets.timeline import RunTimeline


class SessionScreen(BelowDialogs, inherit_bindings=False):
    """One live session: terminal, panels and bars."""

    def __init__(
        self, session: LiveSession, options: UiOptions, preferences: PreferenceKeeper | None = None
    ) -> None:
        super().__init__()
        self.session = session
        self.options = options
        self.preferences = preferences or PreferenceKeeper()
        self.model = CockpitModel()
        self.line = RunLine()
        self.exit_code: int | None = None
        self._left_at: float | None = None
        self._rung_for = ""
        """The prompt or state that the person was called for."""
        self._grant_looked_for: tuple[object, ...] = ()
        """What the newest look for a grant rests on."""
        self._press_stopped = False
        """Whether the mouse button that is down has stopped a countdown."""
        self.panels = Panels(session)
        self.placement = PanelPlacement(self)
        self.updates = PanelUpdates(self)
        self.notes = Notes(self)
        self.countdown = Countdown(self)
        self.keys = KeyRouter(self)
        self.terminal_actions = TerminalActions(self)
        self.reply_actions = ReplyActions(self)
        self.cockpit_actions = CockpitActions(self)
        self.leaving = Leaving(self)
        self.actions: Mapping[str, Callable[[], object]] = {
            **self.terminal_actions.actions,
            **self.reply_actions.actions,
            **self.cockpit_actions.actions,
            **self.leaving.actions,
        }
        """What carries out each action of the registry, by its id."""

    def compose(self) -> ComposeResult:
        yield from self.panels.compose()

    def on_mount(self) -> None:
        """Focus the terminal and start the clocks."""
        keymap, leader = self.options.keymap, self.options.leader_label
        self.placement.arrange()
        self.panels.keys.keymap = keymap
        self.model.panel_keys = keymap.shown_in(Place.REPLY)
        self.model.offers = {
            action: f"{leader} {key}" for action, key in keymap.shown_in(Place.LEADER).items()
        }
        self.set_focus(self.panels.terminal)
        self.set_interval(TICK_SECONDS, self.updates.tick)
        self.countdown.begin()

    @property
    def panel_columns(self) -> int:
        return self.placement.panel_columns

    # Where keys go

    @property
    def place(self) -> Place:
        terminal, panel = self.panels.terminal, self.panels.reply
        if self.keys.leader_pending:
            return Place.LEADER
        if terminal.typing_search:
            return Place.SEARCH
        if terminal.scrolling:
            return Place.SCROLL
        if self.focused is panel.editor:
            return Place.EDIT
        if self.focused is panel.instruction:
            return Place.INSTRUCT
        return Place.REPLY if self.focused is panel else Place.TERMINAL

    @property
    def keys_here(self) -> Mapping[str, str]:
        """Keys of actions as they are pressed now, by the action's id."""
        return self.model.panel_keys if self.place is Place.REPLY else self.model.offers

    def open_panel(self) -> None:
        """Show the reply panel, also where it lies over the terminal."""
        self.placement.place_overlay(opened=True)

    def to_panel(self) -> None:
        """Let keys go to the reply panel."""
        self.open_panel()
        self.set_focus(self.panels.reply)
        self.updates.show_all()

    def to_terminal(self) -> None:
        """Let keys go to the program, with the live screen in sight."""
        self.panels.reply.close_inputs()
        self.placement.unzoom_panel()
        self.panels.terminal.stop_scrolling()
        self.set_focus(self.panels.terminal)
        self.remove_class("-panel-open")
        self.updates.show_all()

    def do(self, action: str) -> None:
        self.actions[action]()
        self.updates.show_keys()

    # Size and sight

    def on_resize(self) -> None:
        self.placement.arrange()

    @on(events.ScreenSuspend)
    def _covered(self) -> None:
        self.updates.show_keys()

    @on(events.ScreenResume)
    def _shown_again(self) -> None:
        self.updates.show_keys()
        if self.countdown.started:
            # The window may have another size than when another session was shown.
            self.placement.arrange()

    @on(events.DescendantFocus)
    def _focus_moved(self) -> None:
        if self.focused is self.panels.reply:
            self.open_panel()
        self.updates.show_all()

    def show_tabs(self, states: Sequence[TabState], here: int) -> None:
        """Show the line of tabs, if there are others."""
        bar = self.panels.tabs
        bar.display = len(states) > 1
        if bar.display:
            self.call_after_refresh(bar.show, states, here)
        another_waits = next_needing(states, here) is not None
        if another_waits != self.updates.another_waits:
            self.updates.another_waits = another_waits
            self.updates.show_keys()

    def show_link(self, address: str) -> None:
        """Show in the status bar where the link under the pointer leads; nothing once it is left."""
        self.panels.status.link = address
        self.updates.show_status()

    # Away and back

    def left(self) -> None:
        """The person looks at another window."""
        self._left_at = self.session.clock()

    def returned(self) -> None:
        """The person looks here again: say what happened meanwhile, if anything did."""
        left_at, self._left_at = self._left_at, None
        if left_at is None:
            return
        happened = away_content(self.line.moments, left_at, self.session.clock())
        if happened is not None:
            rows = self.model.detection.evidence
            above = bool(rows) and sum(rows) / len(rows) <= self.size.height * 0.5
            self.set_class(above, "-away-below")
            self.panels.away.show(happened)

    def came_back(self) -> None:
        """After a stop (Ctrl-Z, `fg`): hold what counts down, show everything again."""
        self.countdown.stop()
        self._call_attention()
        self.updates.show_all()

    # The mouse

    def on_mouse_down(self) -> None:
        """A click anywhere stops a countdown, and does nothing else: what it met may be an offer by now."""
        self._press_stopped = self.countdown.stop()
        if self._press_stopped:
            self.updates.show_all()

    @on(KeyHints.Chosen)
    def _offer_clicked(self, message: KeyHints.Chosen) -> None:
        """Something that offers an action was clicked; "leader" asks for the keys after it."""
        self.keys.leader_pending = message.action == "leader" and not self._press_stopped
        if self.keys.leader_pending:
            self.updates.show_keys()
        elif not self._press_stopped:
            self.do(message.action)

    @on(ReplyBox.OptionPicked)
    def _option_picked(self, message: ReplyBox.OptionPicked) -> None:
        if not self._press_stopped:
            self.model.chosen = message.index
            self.to_panel()
        self.updates.show_all()

    @on(ReplyBox.WidthChanged)
    def _reply_width_changed(self) -> None:
        self.updates.show_reply()

    @on(ReplyBox.TextClicked)
    def _panel_text_clicked(self) -> None:
        if self.place is Place.TERMINAL and not self._press_stopped:
            to_panel = self.model.offers.get("focus_reply")
            if to_panel:
                self.notes.show(f"keys still go to the program; {to_panel} moves them to the reply")

    @on(ReplyBox.DraftsClicked)
    def _drafts_clicked(self) -> None:
        self.reply_actions.next_draft()

    @on(TabBar.Chosen)
    def _tab_clicked(self, message: TabBar.Chosen) -> None:
        self.cockpit_actions.go_to(message.index)

    @on(RunTimeline.Chosen)
    def _moment_chosen(self, message: RunTimeline.Chosen) -> None:
        self.cockpit_actions.show_moment(message.moment)

    @on(SidePanels.Dragged)
    def _edge_dragged(self, message: SidePanels.Dragged) -> None:
        self.placement.drag_edge(message)

    # What the session says

    @on(ScreenDirty)
    def _screen_dirty(self) -> None:
        self.panels.terminal.screen_changed()

    @on(ViewChanged)
    def _view_changed(self, message: ViewChanged) -> None:
        now = self.session.clock()
        counted = self.countdown.stoppable
        prompt_changed = self.model.update(message.view, now)
        if counted and not self.countdown.stoppable:
            self.notes.key_guard.begin(now, "too late to stop the countdown")
        self._look_for_a_grant()
        self.line.view_changed(message.view, question_line(message.view), now)
        if prompt_changed:
            self._prompt_changed()
        self.countdown.follow_view()
        self._call_attention()
        self.updates.show_soon()

    def _look_for_a_grant(self) -> None:
        """The panel offers to allow what is held exactly where the key has something to offer."""
        view = self.model.view
        rests_on = (view.detection.identity, view.risk, view.decision, view.autonomy, view.grants)
        if rests_on != self._grant_looked_for:
            self._grant_looked_for = rests_on
            self.model.may_allow = bool(why_held(self.model)) and bool(self.session.grants.offer().rules)

    def _prompt_changed(self) -> None:
        self.notes.prompt_changed()
        if self.place in (Place.EDIT, Place.INSTRUCT):
            self.panels.reply.border_subtitle = "the prompt has changed: this will not be sent"
        elif self.place is Place.REPLY and not self.model.detection.waiting:
            self.notes.key_guard.begin(self.session.clock(), "the prompt is gone, and the panel with it")
            self.to_terminal()

    def _call_attention(self) -> None:
        now, model = self.session.clock(), self.model
        identity = model.detection.identity or model.view.state.value
        wanted = model.needs_person or model.view.state in (RunState.ERROR, RunState.COMPLETED)
        ring = wanted and identity != self._rung_for
        if ring:
            self._rung_for = identity
        elif not wanted:
            self._rung_for = ""
        state = badge(model, now)
        reason = f"{state.word.lower()}: {question_line(model.view) or state.detail}"
        self.post_message(AttentionWanted(self, title_line(model, now), ring, reason))

    def take_step(self, step: Event | Effect, at: float) -> None:
        """Take an event or effect, while the screen is as it was then."""
        self.line.step(step, at, self._pictures)

    def _pictures(self) -> tuple[Picture, ...]:
        screen = self.session.screen
        return tuple(screen.visible_row(line).picture_of(screen.columns) for line in range(screen.lines))

    @on(ReplyStreamed)
    def _reply_streamed(self, message: ReplyStreamed) -> None:
        self.model.stream(message.text)
        self.updates.show_reply()

    @on(NoteGiven)
    def _note_given(self, message: NoteGiven) -> None:
        self.notes.show(message.text, of_run=True)

    @on(SessionEnded)
    def _session_ended(self, message: SessionEnded) -> None:
        self.leaving.session_ended(message)
