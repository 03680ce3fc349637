"""What a session's screen shows: state, reply, notes, what happened while away. No keys, no actions."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events, on
from textual.content import Content
from textual.timer import Timer

from copilot.core.detection import ScreenKind
from copilot.core.plan_progress import of_plan_command
from copilot.core.reply import Autonomy
from copilot.tui.attention import away_content
from copilot.tui.bridge import LiveSession
from copilot.tui.declined import Declined
from copilot.tui.keymap import Place, shown
from copilot.tui.layout import Form
from copilot.tui.options import UiOptions
from copilot.tui.preferences import PreferenceKeeper
from copilot.tui.run_line import RunLine
from copilot.tui.screens.arranged import ArrangedScreen
from copilot.tui.screens.palette import PALETTE_KEYS, Palette
from copilot.tui.widgets.context_panel import ContextPanel
from copilot.tui.widgets.detector_panel import DetectorPanel
from copilot.tui.widgets.key_bar import BOX_KEYS, KeyBar, Offered
from copilot.tui.widgets.reply_panel import ReplyPanel
from copilot.tui.widgets.reply_summary import short_summary
from copilot.tui.widgets.run_timeline import RunTimeline
from copilot.tui.widgets.status_bar import AwayBox, CompactStrip, StatusBar
from copilot.tui.widgets.tab_bar import TabBar, TabState, next_needing
from copilot.tui.widgets.terminal import TerminalView
from copilot.tui.written import Unsent, Written

_NOTE_SECONDS = 6.0
_TICK_SECONDS = 1.0
_STILL_TICK_SECONDS = 5.0
"""While nothing works the clocks go on in steps: a frame each second would be most of an idle run. While
something works, the status bar's do; the detector's tells the seconds."""
_COUNTDOWN_TICK_SECONDS = 0.1
_SOON_SECONDS = 0.15


class CockpitScreen(ArrangedScreen, inherit_bindings=False):
    """Terminal, panels and bars of one session."""

    def __init__(
        self, session: LiveSession, options: UiOptions, preferences: PreferenceKeeper | None = None
    ) -> None:
        super().__init__(session, options, preferences or PreferenceKeeper())
        self.line = RunLine()
        self._written, self._unsent = Written(), Unsent()
        self._declined = Declined()
        self.exit_code: int | None = None
        self._leader_pending = False
        self._stopped_countdown: float | None = None
        self._press_stopped = False
        """Whether the mouse button that is down has stopped a countdown."""
        self._looked_away_from = (ScreenKind.UNKNOWN, "")
        self._editing_identity = ""
        self._note_timer: Timer | None = None
        self._note_stays = False
        self._note_place = Place.TERMINAL
        self._ended_at: float | None = None
        self._countdown_timer: Timer | None = None
        self._show_timer: Timer | None = None
        self._rung_for = ""
        self._left_at: float | None = None
        self._leaving = False
        self._ticked_at = 0.0
        self._another_waits = False

    def on_mount(self) -> None:
        """Focus the terminal and start the clocks of the bars."""
        self._arrange(self.app.size.width, self.app.size.height)
        self.query_one(KeyBar).keymap = self.options.keymap
        self.model.panel_keys = self._keys_in(Place.REPLY)
        self.model.offers = {
            action: f"{self.options.leader_label} {key}"
            for action, key in self._keys_in(Place.LEADER).items()
        }
        self.query_one(TerminalView).focus()
        self.set_interval(_TICK_SECONDS, self._tick)
        self._countdown_timer = self.set_interval(_COUNTDOWN_TICK_SECONDS, self._countdown_tick, pause=True)

    def _keys_in(self, place: Place) -> dict[str, str]:
        actions = self.options.keymap.actions
        return {action.id: shown(key) for action in actions if (key := action.key(place)) is not None}

    # Modes

    @property
    def place(self) -> Place:
        """Where keys go now."""
        if self._leader_pending:
            return Place.LEADER
        terminal, panel = self.query_one(TerminalView), self.query_one(ReplyPanel)
        if terminal.typing_search:
            return Place.SEARCH
        if terminal.scrolling:
            return Place.SCROLL
        if self.focused is panel.editor:
            return Place.EDIT
        if self.focused is panel.instruction:
            return Place.INSTRUCT
        return Place.REPLY if self.focused is panel else Place.TERMINAL

    # Focus

    def _open_panel(self) -> None:
        self._place_overlay()
        self.add_class("-panel-open")

    def _to_panel(self) -> None:
        self._open_panel()
        self.set_focus(self.query_one(ReplyPanel))
        self._show_all()

    def _to_terminal(self) -> None:
        panel, terminal = self.query_one(ReplyPanel), self.query_one(TerminalView)
        panel.close_inputs()
        self.unzoom_panel()
        terminal.stop_scrolling()
        self.set_focus(terminal)
        self.remove_class("-panel-open")
        self._show_all()

    # Notes

    def show_link(self, address: str) -> None:
        """Show in the status bar where the link under the pointer leads; nothing once it is left."""
        self.query_one(StatusBar).link = address
        self._show_status()

    def note(self, text: str, *, of_run: bool = False) -> None:
        """Show `text` in the status bar for a few seconds; what is not of the run goes with its prompt, and
        with the place where keys are ours: it may name one of them."""
        self._note_stays = of_run
        self.model.notes.append(text)
        if not self._composed:
            return
        self._note_place = Place.TERMINAL if of_run else self.place
        self.query_one(StatusBar).note = text
        if self._note_timer is not None:
            self._note_timer.stop()
        self._note_timer = self.set_timer(_NOTE_SECONDS, self._note_is_old)
        self._show_status()

    def decline(self, why: str) -> None:
        """Nothing opens, and why; keys that come at once are not typed into the program."""
        self._declined.begin(self.session.clock(), why)
        self.note(why)

    def end_declined(self) -> None:
        """Keys go to the program again."""
        self._declined.end()

    def takes_for_box(self, what: str = "that key was not sent") -> bool:
        """Whether a key, or a paste, was meant for what is not there; it is told `what` became of it."""
        taken = self._declined.takes(self.session.clock())
        if taken:
            self.note(f"{self._declined.why} · {what}")
        return taken

    def _note_is_old(self) -> None:
        if not self._taken_down:
            self._forget_note()

    def _forget_note(self) -> None:
        self._note_place = Place.TERMINAL
        self.query_one(StatusBar).note = ""
        self._show_status()

    # Beside other sessions

    def show_tabs(self, states: Sequence[TabState], here: int) -> None:
        """Show the line of tabs, if there are others."""
        bar = self.query_one(TabBar)
        bar.display = len(states) > 1
        if bar.display:
            self.call_after_refresh(bar.show, states, here)
        another_waits = next_needing(states, here) is not None
        if another_waits != self._another_waits:
            self._another_waits = another_waits
            self._show_keys()

    @on(events.ScreenSuspend)
    def _covered(self) -> None:
        """A box lies over us, and keys are its."""
        if self._composed:
            self._show_keys()

    @on(events.ScreenResume)
    def _shown_again(self) -> None:
        """Sizes may have changed while another session was shown, and keys are ours again."""
        if self._composed:
            self._show_keys()
        if self._countdown_timer is not None:
            self._arrange(self.app.size.width, self.app.size.height)

    # Away and back

    def left(self) -> None:
        """The person looks at another window."""
        self._left_at = self.session.clock()

    def returned(self) -> None:
        """The person looks here again: say what happened meanwhile, if anything did."""
        left_at, self._left_at = self._left_at, None
        if left_at is None:
            return
        told = away_content(self.line.moments, left_at, self.session.clock())
        if told is not None:
            rows = self.model.detection.evidence
            above = bool(rows) and sum(rows) / len(rows) <= self.size.height * 0.5
            self.set_class(above, "-away-below")
            self.query_one(AwayBox).tell(told)

    # Showing

    def _tick(self) -> None:
        if self._taken_down:
            return
        now, view = self.session.clock(), self.model.view
        works = self.model.detection.kind is ScreenKind.BUSY
        works = works or view.waiting_for_provider or view.waiting_for_opinion
        in_step = now - self._ticked_at >= _STILL_TICK_SECONDS
        if in_step or (works and not self._clock_beside_status):
            self._ticked_at = now
            self._show_status()
        if (in_step or works) and not self.model.over:
            self._show_detection()

    @property
    def _clock_beside_status(self) -> bool:
        """Whether a clock of the present state is in sight above the status bar, which then goes in steps."""
        if self._layout.form in (Form.WIDE, Form.TALL):
            return "detector" not in self.preferences.wishes.hidden
        return self._layout.form is Form.COMPACT

    def _countdown_tick(self) -> None:
        if self._taken_down:
            return
        self._show_reply()
        self._show_detection()
        if not self.badge_in_sight:  # the seconds stand in the status bar
            self._show_status()

    def _show_all(self) -> None:
        if not self._composed:
            return
        self._show_detection()
        self._show_reply()
        self._show_status()
        self._show_keys()
        self.query_one(ContextPanel).show(self.model.view)
        self.query_one(TerminalView).show_evidence(self.model)

    def _show_soon(self) -> None:
        """At once; but in a flood the echo of a key goes first: panels take longer than all of its way."""
        if not self._composed or not self._floods:
            self._show_all()
        elif self._show_timer is None:
            self._show_timer = self.set_timer(_SOON_SECONDS, self._show_late)

    @property
    def _floods(self) -> bool:
        return self.query_one(TerminalView).pacer.floods(self.session.clock())

    def _show_late(self) -> None:
        self._show_timer = None
        if not self._taken_down:
            self._show_all()

    def _show_detection(self) -> None:
        now = self.session.clock()
        if self._layout.form is Form.COMPACT:
            self.query_one(CompactStrip).show(self.model, now)
        self.query_one(DetectorPanel).show(self.model, now, self.query_one(TerminalView).row_text)

    def _show_reply(self) -> None:
        panel = self.query_one(ReplyPanel)
        panel.show(self.model, self.session.clock(), focused=self.focused is panel)
        if self._layout.form is Form.COMPACT:
            self.query_one(CompactStrip).show(self.model, self.session.clock())

    def _show_status(self) -> None:
        if not self._composed:
            return
        now = self.session.clock() if self._ended_at is None else self._ended_at
        bar = self.query_one(StatusBar)
        bar.alone = not self.badge_in_sight
        bar.show(self.model, now)
        if self._layout.timeline:
            self.query_one(RunTimeline).show(self.line, now)

    def _show_keys(self) -> None:
        self.set_class(self.place is not Place.TERMINAL, "-keys-wanted")
        self._tell_looking_back()
        counting = self.model.counting_down and self.model.view.countdown_ends_at != self._stopped_countdown
        search = self.query_one(TerminalView).search
        if self._note_place not in (Place.TERMINAL, self.place) and self.place is not Place.LEADER:
            self._forget_note()
        self.query_one(KeyBar).show(
            self.place,
            self.options.leader_label,
            prompt=self.model.answerable and not self.model.secret and self.model.at_issue,
            counting=counting,
            over=self.model.over or self.exit_code is not None,
            search=None if search is None else (search.query, search.count),
            offered=self._offered(),
            box=self._box_keys(),
            back=self.query_one(TerminalView).how_far_back,
            asked=self._asked_beside_keys(),
        )

    def _asked_beside_keys(self) -> Content | None:
        """Where keys take the place of the only line of ours: what they would act on, in short."""
        covered = self._layout.form is Form.LINE and self.place is Place.LEADER
        if not covered or not self.model.at_issue:
            return None
        return short_summary(self.model, self.session.clock())

    def _tell_looking_back(self) -> None:
        """While keys look back, the reply must not say that they are typed."""
        looks = self.place in (Place.SCROLL, Place.SEARCH)
        back = self._keys_in(self.place)["back"] if looks else ""
        if back != self.model.back_key:
            self.model.back_key = back
            self._show_reply()

    def _box_keys(self) -> str:
        """What is said of the keys of a box that lies over all; empty if none does."""
        if self.app.screen is self or self not in self.app.screen_stack:
            return ""
        return PALETTE_KEYS if isinstance(self.app.screen, Palette) else BOX_KEYS

    def _offered(self) -> Offered:
        """Keys that do something now and are not always told, and those that would only be refused."""
        model, panel, more, without = self.model, self.place is Place.REPLY, set(), set()
        if model.reply_to_send(from_panel=panel) is None:
            without.add("send")
        if model.proposal is None and not model.view.waiting_for_provider:
            without.add("dismiss")
        if model.view.autonomy is Autonomy.WATCH:
            without.add("ask_again")
        if not model.detection.options:
            without.add("choose_up")
        if model.no_words:
            without.add("edit")
        if model.drafts.place and not model.view.waiting_for_provider:
            more.add("earlier")
        if model.detection.kind is ScreenKind.UNKNOWN and model.view.unknown:
            more.add("label")
        if self.query_one(TabBar).display:
            more |= {"next_needed", "queue"}
        search = self.query_one(TerminalView).search
        if search is None or not search.query:
            without |= {"find_next", "find_previous"}
        zoomed = self.has_class("-panel-zoom") or self._zoomed
        form, strip = self._layout.form, self.query_one(CompactStrip)
        cut = form is Form.LINE or (form is Form.COMPACT and strip.cuts_reply)
        kept = {"focus_reply"} if cut else set()
        if self._another_waits:
            kept.add("next_needed")
        return Offered(
            frozenset(more),
            frozenset(without),
            zoomed,
            frozenset(kept),
            runs=of_plan_command(model.detection),
        )
