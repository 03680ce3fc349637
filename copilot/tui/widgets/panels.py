"""The widgets of a session's screen; the edge of its panels towards the terminal can be dragged."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.message import Message
from textual.widgets import Static

from copilot.tui.bridge import LiveSession
from copilot.tui.widgets.context_panel import ContextPanel
from copilot.tui.widgets.detector_panel import DetectorPanel
from copilot.tui.widgets.key_bar import KeyBar
from copilot.tui.widgets.reply_box import ReplyBox
from copilot.tui.widgets.status_bar import AwayBox, CompactStrip, StatusBar
from copilot.tui.widgets.tab_bar import TabBar
from copilot.tui.widgets.terminal import TerminalView
from copilot.tui.widgets.timeline import RunTimeline


class SidePanels(Container):
    """Panels beside the terminal (their left edge is the handle) or below it (their upper edge)."""

    @dataclass
    class Dragged(Message):
        """The edge was dragged to this cell of the window: a column, or a line if the panels are below."""

        position: int
        let_go: bool

    below = False
    """Whether the panels are below the terminal."""
    fixed = False
    """Whether the edge cannot be moved now (the panel lies over the terminal)."""
    _dragging = False

    def _position(self, event: events.MouseEvent) -> int:
        return event.screen_y if self.below else event.screen_x

    def on_mouse_down(self, event: events.MouseDown) -> None:
        edge = self.region.y if self.below else self.region.x
        if not self.fixed and self._position(event) == edge:
            self._dragging = True
            self.capture_mouse()
            event.stop()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._dragging:
            self.post_message(self.Dragged(self._position(event), let_go=False))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        if self._dragging:
            self._dragging = False
            self.release_mouse()
            self.post_message(self.Dragged(self._position(event), let_go=True))


class Panels:
    """All widgets are always mounted; classes of the screen decide which are shown, and where."""

    def __init__(self, session: LiveSession) -> None:
        self.tabs = TabBar(id="tabs")
        self.terminal = TerminalView(session, id="terminal")
        self.strip = CompactStrip(id="strip")
        self.work = Container(self.terminal, self.strip, id="work")
        self.detector = DetectorPanel(id="detector")
        self.reply = ReplyBox(id="reply")
        self.context = ContextPanel(id="context")
        self.side = SidePanels(self.detector, self.reply, self.context, id="side")
        self.away = AwayBox(id="away")
        self.timeline = RunTimeline(id="timeline")
        self.status = StatusBar(id="status")
        self.keys = KeyBar(id="keys")
        self.too_small = Static(id="too-small")

    def compose(self) -> ComposeResult:
        yield self.tabs
        yield Container(self.work, self.side, self.away, id="main")
        yield self.timeline
        yield self.status
        yield self.keys
        yield self.too_small

    @property
    def mounted(self) -> bool:
        """False before the screen is composed, and once the application ends: timers may still fire then."""
        return self.keys.is_attached and self.detector.is_attached
