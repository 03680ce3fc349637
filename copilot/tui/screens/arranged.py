"""Where everything of a session's screen stands: terminal first, panels beside or below, two bars."""

from __future__ import annotations

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container
from textual.widgets import Static

from copilot.tui.bridge import LiveSession
from copilot.tui.layout import HIDEABLE, LEAST_COLUMNS, LEAST_LINES, Form, Layout, Wishes, layout_for, resized
from copilot.tui.model import CockpitModel
from copilot.tui.options import UiOptions
from copilot.tui.preferences import PreferenceKeeper
from copilot.tui.screens.below_dialogs import BelowDialogs
from copilot.tui.widgets.context_panel import ContextPanel
from copilot.tui.widgets.detector_panel import DetectorPanel
from copilot.tui.widgets.key_bar import KeyBar
from copilot.tui.widgets.reply_panel import ReplyPanel
from copilot.tui.widgets.run_timeline import RunTimeline
from copilot.tui.widgets.side_panels import SidePanels
from copilot.tui.widgets.status_bar import AwayBox, CompactStrip, StatusBar
from copilot.tui.widgets.tab_bar import TabBar
from copilot.tui.widgets.terminal import TerminalView

_ROUND_PANEL_LINES = 4
"""Border, status and key bar, and a line to breathe."""
_MOST_OVER_LINES, _LEAST_OVER_LINES = 14, 8
"""What the panel takes at most that lies over the terminal of a small window."""
_BARS = 2
_OVER_EDITOR_LINES = 3
"""What is asked, its risk, and the margin."""
_MOST_SEEN_LINES, _BELOW_SEEN_LINES = 12, 9
"""What the panel that tells the reading holds, and what it leaves to those below it beside the terminal."""


class ArrangedScreen(BelowDialogs[None], inherit_bindings=False):
    """The parts of the screen and the form that they take; what they show is not decided here."""

    def __init__(self, session: LiveSession, options: UiOptions, preferences: PreferenceKeeper) -> None:
        super().__init__()
        self.session = session
        self.options = options
        self.preferences = preferences
        self.model = CockpitModel()
        self._zoomed = False
        self._all_there = False
        self._layout = Layout(Form.COMPACT)

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

    @property
    def _composed(self) -> bool:
        """Whether there is something to show things on: a session may speak before that."""
        if not self._all_there:
            self._all_there = bool(self.query("#keys")) and bool(self.query("#detector"))
        return self._all_there

    @property
    def _taken_down(self) -> bool:
        """Whether panels are gone already, as the application ends: a timer may still fire then."""
        return len(self.query("#keys, #detector")) < 2

    def _show_all(self) -> None:
        """Show everything anew, in the form that was taken."""
        raise NotImplementedError

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
        self.query_one(StatusBar).take_form(layout.form, self.options.leader_label)
        self._fit_panel()
        self._place_overlay()
        self.call_after_refresh(self._show_all)

    @property
    def panel_columns(self) -> int:
        """Columns that panels take beside the terminal."""
        return self._layout.side_columns if self._layout.form is Form.WIDE else 0

    @property
    def badge_in_sight(self) -> bool:
        """Whether the panel or the strip with the badge is seen."""
        zoomed = self.has_class("-panel-zoom")
        if self._layout.form in (Form.WIDE, Form.TALL):
            return "detector" not in self.preferences.wishes.hidden and not zoomed
        over = self.has_class("-panel-open") and not self.has_class("-panel-top")
        return self._layout.form is Form.COMPACT and not (over or zoomed)

    def _fit_panel(self) -> None:
        """Tell the reply panel what it need not say, and how many lines it has."""
        panel, layout = self.query_one(ReplyPanel), self._layout
        seen = "detector" not in self.preferences.wishes.hidden
        panel.question_is_elsewhere = layout.form in (Form.WIDE, Form.TALL) and seen
        wide = self.size.height // 2 - _ROUND_PANEL_LINES
        over = max(_LEAST_OVER_LINES, min(_MOST_OVER_LINES, self.size.height - _BARS))
        panel.room_lines = {Form.TALL: layout.below_lines - 2, Form.WIDE: wide}.get(layout.form, over - 2)
        panel.styles.max_height = None if layout.form in (Form.TALL, Form.WIDE) else over
        self._fit_editor()
        detector = self.query_one(DetectorPanel)
        most = min(_MOST_SEEN_LINES, self.size.height // 2 - _BELOW_SEEN_LINES)
        detector.room_lines = layout.below_lines - 2 if layout.form is Form.TALL else most

    def _fit_editor(self) -> None:
        """What is asked stays in sight over the text that is written; a longer one scrolls by itself."""
        panel = self.query_one(ReplyPanel)
        most = 12 if self._layout.form in (Form.TALL, Form.WIDE) else 8
        panel.editor.styles.max_height = max(3, min(most, panel.room_lines - _OVER_EDITOR_LINES))

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
        panel = self.query_one(ReplyPanel)
        panel.styles.max_height = None
        panel.question_is_elsewhere, panel.room_lines = False, self.size.height - _ROUND_PANEL_LINES
        self._fit_editor()
        self.call_after_refresh(self._show_all)

    def unzoom_panel(self) -> bool:
        """Take it back. False if it was not so."""
        if not self.has_class("-panel-zoom"):
            return False
        work = self.query_one("#work")
        work.styles.width = work.styles.height = "1fr"
        self.remove_class("-panel-zoom")
        self._size_panels()
        self._fit_panel()
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
        if self._layout.form is Form.TOO_SMALL:
            return False
        if self._layout.form in (Form.WIDE, Form.TALL) and "reply" not in self.preferences.wishes.hidden:
            return True
        return self._layout.form is Form.COMPACT or self.has_class("-panel-open")

    def _place_overlay(self) -> None:
        """In small windows the open panel lies over the terminal, away from the rows that it talks about."""
        rows = self.model.detection.evidence
        height = max(1, self.size.height)
        self.set_class(bool(rows) and sum(rows) / len(rows) > height * 0.5, "-panel-top")
