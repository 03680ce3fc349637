"""What a session's screen shows: terminal first, panels beside or below, two bars. No keys, no actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Static

from copilot.core.detection import ScreenKind
from copilot.tui.attention import away_content
from copilot.tui.keymap import Place
from copilot.tui.layout import HIDEABLE, LEAST_COLUMNS, LEAST_LINES, Form, Layout, Wishes, layout_for, resized
from copilot.tui.live import LiveSession
from copilot.tui.model import CockpitModel
from copilot.tui.options import UiOptions
from copilot.tui.preferences import PreferenceKeeper
from copilot.tui.run_line import RunLine
from copilot.tui.tabs import TabState
from copilot.tui.widgets.away_box import AwayBox
from copilot.tui.widgets.compact_strip import CompactStrip
from copilot.tui.widgets.context_panel import ContextPanel
from copilot.tui.widgets.detector_panel import DetectorPanel
from copilot.tui.widgets.key_bar import KeyBar
from copilot.tui.widgets.reply_panel import ReplyPanel
from copilot.tui.widgets.run_timeline import RunTimeline
from copilot.tui.widgets.side_panels import SidePanels
from copilot.tui.widgets.status_bar import StatusBar
from copilot.tui.widgets.tab_bar import TabBar
from copilot.tui.widgets.terminal import TerminalView
from copilot.tui.written import Written

_NOTE_SECONDS = 6.0
_TICK_SECONDS = 1.0
_COUNTDOWN_TICK_SECONDS = 0.1


class CockpitScreen(Screen[None], inherit_bindings=False):
    """Terminal, panels and bars of one session."""

    @dataclass
    class AttentionWanted(Message):
        """The run newly needs a person, or its state changed: title for the outer terminal, bell or not."""

        screen: CockpitScreen
        title: str
        ring: bool
        reason: str = ""
        """What the person is needed for, in one line."""

    @dataclass
    class Left(Message):
        """The run is over and its person leaves it."""

        screen: CockpitScreen
        exit_code: int

    def __init__(
        self, session: LiveSession, options: UiOptions, preferences: PreferenceKeeper | None = None
    ) -> None:
        super().__init__()
        self.session = session
        self.options = options
        self.preferences = preferences or PreferenceKeeper()
        self.model = CockpitModel()
        self.line = RunLine()
        self._written = Written()
        self.exit_code: int | None = None
        self._leader_pending = False
        self._zoomed = False
        self._layout = Layout(Form.COMPACT)
        self._stopped_countdown: float | None = None
        self._looked_away_from = (ScreenKind.UNKNOWN, "")
        self._editing_identity = ""
        self._note_timer: Timer | None = None
        self._countdown_timer: Timer | None = None
        self._rung_for = ""
        self._left_at: float | None = None
        self._leaving = False

    def compose(self) -> ComposeResult:
        """Everything is always mounted; the form of the layout decides what shows, and where."""
        yield TabBar(id="tabs")
        with Container(id="main"):
            with Container(id="work"):
                yield TerminalView(self.session, id="terminal")
                yield CompactStrip(id="strip")
            with SidePanels(id="side"):
                yield DetectorPanel(id="detector")
                yield ReplyPanel(id="reply")
                yield ContextPanel(id="context")
            yield AwayBox(id="away")
        yield RunTimeline(id="timeline")
        yield StatusBar(id="status")
        yield KeyBar(id="keys")
        yield Static(id="too-small")

    def on_mount(self) -> None:
        """Focus the terminal and start the clocks of the bars."""
        self._arrange(self.app.size.width, self.app.size.height)
        self.query_one(KeyBar).keymap = self.options.keymap
        self.query_one(TerminalView).focus()
        self.set_interval(_TICK_SECONDS, self._tick)
        self._countdown_timer = self.set_interval(_COUNTDOWN_TICK_SECONDS, self._countdown_tick, pause=True)

    @property
    def _composed(self) -> bool:
        """Whether there is something to show things on: a session may speak before that."""
        return bool(self.query("#keys")) and bool(self.query("#detector"))

    # Layout

    def on_resize(self, event: events.Resize) -> None:
        """Take the form that fits the new size."""
        self._arrange(event.size.width, event.size.height)

    def _arrange(self, columns: int, lines: int) -> None:
        if not self._composed:
            return
        wishes = self.preferences.wishes
        layout = layout_for(columns, lines, zoomed=self._zoomed, wishes=wishes)
        self._layout = layout
        self.unzoom_panel()
        for form in Form:
            self.set_class(form is layout.form, f"-{form.value}")
        for name in HIDEABLE:
            self.set_class(name in wishes.hidden, f"-no-{name}")
        self.set_class(layout.timeline, "-timeline")
        self._size_panels()
        self.query_one("#too-small", Static).update(
            f"The window is {columns}x{lines}.\n"
            f"The co-pilot needs {LEAST_COLUMNS}x{LEAST_LINES} or more.\n"
            "The session runs on."
        )
        panel = self.query_one(ReplyPanel)
        self.query_one(StatusBar).take_form(layout.form, self.options.leader_label)
        panel.question_is_elsewhere = (
            layout.form in (Form.WIDE, Form.TALL) and "detector" not in wishes.hidden
        )
        panel.room_lines = {Form.TALL: layout.below_lines - 2, Form.WIDE: lines // 2 - 4}.get(layout.form, 12)
        self._place_overlay()
        self.call_after_refresh(self._show_all)

    def wish(self, wishes: Wishes) -> None:
        """Arrange everything by these wishes, and keep them."""
        self.preferences.wish(wishes)
        self._arrange(self.size.width, self.size.height)

    @on(SidePanels.Dragged)
    def _edge_dragged(self, message: SidePanels.Dragged) -> None:
        columns, lines = self.size
        bottom = self.query_one(SidePanels).region.bottom
        cells = bottom - message.position if self._layout.form is Form.TALL else columns - message.position
        self.wish(resized(self.preferences.wishes, columns, lines, to=cells))

    def zoom_panel(self) -> None:
        """Give the reply panel the whole window; the terminal keeps its size behind it."""
        work = self.query_one("#work")
        work.styles.width, work.styles.height = work.size.width, work.size.height
        side = self.query_one(SidePanels)
        side.styles.width = side.styles.height = "100%"
        self.add_class("-panel-zoom")

    def unzoom_panel(self) -> bool:
        """Take it back. False if it was not so."""
        if not self.has_class("-panel-zoom"):
            return False
        work = self.query_one("#work")
        work.styles.width = work.styles.height = "1fr"
        self.remove_class("-panel-zoom")
        self._size_panels()
        return True

    def _size_panels(self) -> None:
        layout, side = self._layout, self.query_one(SidePanels)
        side.below, side.fixed = layout.form is Form.TALL, layout.form not in (Form.WIDE, Form.TALL)
        side.styles.width = layout.side_columns or "1fr"
        side.styles.height = (
            layout.below_lines if layout.form is Form.TALL else ("1fr" if layout.side_columns else "auto")
        )

    @property
    def reply_in_sight(self) -> bool:
        """Whether the person sees what "send" would send."""
        if self._layout.form in (Form.WIDE, Form.TALL) and "reply" not in self.preferences.wishes.hidden:
            return True
        return self._layout.form is Form.COMPACT or self.has_class("-panel-open")

    def _place_overlay(self) -> None:
        """In small windows the open panel lies over the terminal, away from the rows that it talks about."""
        rows = self.model.detection.evidence
        height = max(1, self.size.height)
        self.set_class(bool(rows) and sum(rows) / len(rows) > height * 0.5, "-panel-top")

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
        self.query_one(ReplyPanel).focus()
        self._show_all()

    def _to_terminal(self) -> None:
        panel, terminal = self.query_one(ReplyPanel), self.query_one(TerminalView)
        panel.close_inputs()
        self.unzoom_panel()
        terminal.stop_scrolling()
        terminal.focus()
        self.remove_class("-panel-open")
        self._show_all()

    # Notes

    def show_link(self, address: str) -> None:
        """Show in the status bar where the link under the pointer leads; nothing once it is left."""
        self.query_one(StatusBar).link = address
        self._show_status()

    def note(self, text: str) -> None:
        """Show `text` in the status bar for a few seconds."""
        self.model.notes.append(text)
        if not self._composed:
            return
        self.query_one(StatusBar).note = text
        if self._note_timer is not None:
            self._note_timer.stop()
        self._note_timer = self.set_timer(_NOTE_SECONDS, self._forget_note)
        self._show_status()

    def _forget_note(self) -> None:
        self.query_one(StatusBar).note = ""
        self._show_status()

    # Beside other sessions

    def show_tabs(self, states: Sequence[TabState], here: int) -> None:
        """Show the line of tabs, if there are others."""
        bar = self.query_one(TabBar)
        bar.display = len(states) > 1
        if bar.display:
            self.call_after_refresh(bar.show, states, here)

    @on(events.ScreenResume)
    def _shown_again(self) -> None:
        """Sizes may have changed while another session was shown."""
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
        self._show_status()
        if not self.model.over:
            self._show_detection()

    def _countdown_tick(self) -> None:
        self._show_reply()
        self._show_detection()

    def _show_all(self) -> None:
        if not self._composed:
            return
        self._show_detection()
        self._show_reply()
        self._show_status()
        self._show_keys()
        self.query_one(ContextPanel).show(self.model.view)
        self.query_one(TerminalView).show_evidence(self.model)

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
        now = self.session.clock()
        self.query_one(StatusBar).show(self.model, now)
        if self._layout.timeline:
            self.query_one(RunTimeline).show(self.line, now)

    def _show_keys(self) -> None:
        self.set_class(self.place is not Place.TERMINAL, "-keys-wanted")
        counting = self.model.counting_down and self.model.view.countdown_ends_at != self._stopped_countdown
        search = self.query_one(TerminalView).search
        self.query_one(KeyBar).show(
            self.place,
            self.options.leader_label,
            prompt=self.model.answerable and not self.model.secret and self.model.at_issue,
            counting=counting,
            over=self.model.over or self.exit_code is not None,
            search=None if search is None else (search.query, search.count),
        )
