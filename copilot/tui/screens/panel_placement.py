"""Where the panels of a session's screen are, and how large: the `Layout` applied to its widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from copilot.tui.layout import (
    HIDEABLE,
    LEAST_COLUMNS,
    LEAST_LINES,
    Form,
    Layout,
    LayoutPreferences,
    layout_for,
    resized,
)
from copilot.tui.widgets.panels import SidePanels

if TYPE_CHECKING:
    from copilot.tui.screens.session import SessionScreen

_PANEL_EDGE_LINES = 4
"""Border, status and key bar, and an empty line."""
_MOST_OVER_LINES, _LEAST_OVER_LINES = 14, 8
"""Lines of the panel that lies over the terminal of a small window."""
_BARS = 2
_OVER_EDITOR_LINES = 3
"""What is asked, its risk, and the margin."""
_MOST_SEEN_LINES, _BELOW_SEEN_LINES = 12, 9
"""Most lines of the detector panel, and what it leaves to those below it beside the terminal."""
_BESIDE = (Form.WIDE, Form.TALL)


class PanelPlacement:
    """The form of the screen now, and the zoom of terminal or panel."""

    def __init__(self, screen: SessionScreen) -> None:
        self._screen = screen
        self._panels = screen.panels
        self._preferences = screen.preferences
        self.layout = Layout(Form.COMPACT)
        self.zoomed = False
        """Whether the terminal has the whole window."""

    @property
    def form(self) -> Form:
        return self.layout.form

    def arrange(self) -> None:
        """Take the form that fits the window."""
        screen, panels = self._screen, self._panels
        if not panels.mounted:
            return
        columns, lines = screen.app.size
        preferred = self._preferences.layout
        self.layout = layout_for(columns, lines, zoomed=self.zoomed, preferences=preferred)
        self.unzoom_panel()
        screen.update_classes(
            {
                **{f"-{form.value}": form is self.form for form in Form},
                **{f"-no-{name}": name in preferred.hidden for name in HIDEABLE},
                "-timeline": self.layout.timeline,
                **self._overlay_classes(),
            }
        )
        self._size_panels()
        panels.too_small.update(
            f"The window is {columns}x{lines}.\n"
            f"The co-pilot needs {LEAST_COLUMNS}x{LEAST_LINES} or more.\n"
            "The session runs on."
        )
        panels.status.take_form(self.form, screen.options.leader_label)
        self._fit_panel()
        screen.call_after_refresh(screen.updates.show_all)

    # What is in sight

    @property
    def panel_columns(self) -> int:
        """Columns of the panels beside the terminal."""
        return self.layout.side_columns if self.form is Form.WIDE else 0

    @property
    def _detector_in_sight(self) -> bool:
        return self.form in _BESIDE and "detector" not in self._preferences.layout.hidden

    @property
    def badge_in_sight(self) -> bool:
        """Whether the panel or the strip with the badge is in sight."""
        screen = self._screen
        zoomed = screen.has_class("-panel-zoom")
        if self.form in _BESIDE:
            return self._detector_in_sight and not zoomed
        over = screen.has_class("-panel-open") and not screen.has_class("-panel-top")
        return self.form is Form.COMPACT and not (over or zoomed)

    @property
    def clock_in_sight(self) -> bool:
        """Whether another clock than the status bar's is in sight; the status bar then goes in steps."""
        return self._detector_in_sight or self.form is Form.COMPACT

    @property
    def reply_in_sight(self) -> bool:
        """Whether the person sees what "send" would send."""
        if self.form is Form.TOO_SMALL:
            return False
        if self.form in _BESIDE and "reply" not in self._preferences.layout.hidden:
            return True
        return self.form is Form.COMPACT or self._screen.has_class("-panel-open")

    # Sizes

    def _size_panels(self) -> None:
        layout, side = self.layout, self._panels.side
        side.below, side.fixed = layout.form is Form.TALL, layout.form not in _BESIDE
        side.styles.width = layout.side_columns or "1fr"
        side.styles.height = (
            layout.below_lines if layout.form is Form.TALL else ("1fr" if layout.side_columns else "auto")
        )

    def _fit_panel(self) -> None:
        """Set the lines of the reply panel, and what it leaves out."""
        panel, layout, height = self._panels.reply, self.layout, self._screen.size.height
        panel.question_is_elsewhere = self._detector_in_sight
        wide = height // 2 - _PANEL_EDGE_LINES
        over = max(_LEAST_OVER_LINES, min(_MOST_OVER_LINES, height - _BARS))
        panel.room_lines = {Form.TALL: layout.below_lines - 2, Form.WIDE: wide}.get(layout.form, over - 2)
        panel.styles.max_height = None if layout.form in _BESIDE else over
        self._fit_editor()
        most = min(_MOST_SEEN_LINES, height // 2 - _BELOW_SEEN_LINES)
        self._panels.detector.room_lines = layout.below_lines - 2 if layout.form is Form.TALL else most

    def _fit_editor(self) -> None:
        """Keep the question in sight above the editor, which scrolls by itself."""
        panel = self._panels.reply
        most = 12 if self.form in _BESIDE else 8
        panel.editor.styles.max_height = max(3, min(most, panel.room_lines - _OVER_EDITOR_LINES))

    def place_overlay(self, *, opened: bool = False) -> None:
        """In small windows the open panel lies over the terminal, away from the rows that it is about."""
        self._screen.update_classes({**self._overlay_classes(), **({"-panel-open": True} if opened else {})})

    def _overlay_classes(self) -> dict[str, bool]:
        rows = self._screen.model.detection.evidence
        height = max(1, self._screen.size.height)
        return {"-panel-top": bool(rows) and sum(rows) / len(rows) > height * 0.5}

    # What the person changes

    def prefer(self, layout: LayoutPreferences) -> None:
        """Arrange everything by these preferences, and keep them."""
        self._preferences.set_layout(layout)
        self.arrange()

    def drag_edge(self, message: SidePanels.Dragged) -> None:
        columns, lines = self._screen.size
        below = self.form is Form.TALL
        cells = (self._panels.side.region.bottom if below else columns) - message.position
        self.prefer(resized(self._preferences.layout, columns, lines, to=cells))

    def toggle_zoom(self) -> None:
        """Give the terminal, or the reply panel if keys go there, the whole window; or take it back."""
        if self.unzoom_panel():
            return
        if self._screen.focused is self._panels.reply:
            self._zoom_panel()
            return
        self.zoomed = not self.zoomed
        self.arrange()

    def _zoom_panel(self) -> None:
        """The terminal keeps its size behind the panel: its program must not be resized."""
        work, side, panel = self._panels.work, self._panels.side, self._panels.reply
        work.styles.width, work.styles.height = work.size.width, work.size.height
        side.styles.width = side.styles.height = "100%"
        self._screen.add_class("-panel-zoom")
        panel.styles.max_height = None
        panel.question_is_elsewhere = False
        panel.room_lines = self._screen.size.height - _PANEL_EDGE_LINES
        self._fit_editor()
        self._screen.call_after_refresh(self._screen.updates.show_all)

    def unzoom_panel(self) -> bool:
        """Give the terminal its place back. False if the panel is not zoomed."""
        if not self._screen.has_class("-panel-zoom"):
            return False
        self._panels.work.styles.width = self._panels.work.styles.height = "1fr"
        self._screen.remove_class("-panel-zoom")
        self._size_panels()
        self._fit_panel()
        return True
