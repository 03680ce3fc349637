"""The frame that is drawn before a session is there: its program, and that it is being started.

It names nothing of a session, so that it can be drawn while most of copilot is not loaded yet. Where things
are is what `panel_placement.py` makes of the same window, so that nothing jumps.
"""

from __future__ import annotations

import asyncio

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.widgets import Static

from copilot.core.settings import RunSettings
from copilot.tui.current_size import CurrentSizeScreen
from copilot.tui.layout import Form, layout_for
from copilot.tui.preferences import PreferenceKeeper
from copilot.tui.text import badge_style, outside_line
from copilot.tui.themes import LEVEL_SHAPES


class OpeningScreen(CurrentSizeScreen[None]):
    """The cockpit without a session. What is typed here is dropped: no program has asked for it."""

    def __init__(self, settings: RunSettings, preferences: PreferenceKeeper) -> None:
        super().__init__()
        self.settings = settings
        self.preferences = preferences
        self.drawn = asyncio.Event()
        """Set once the frame has been handed to the terminal."""

    def compose(self) -> ComposeResult:
        with Container(id="main"):
            yield Static(id="work")
            yield Static(id="side")
        yield Static(id="timeline")
        level, program = self.settings.autonomy.value, " ".join(self.settings.child)
        line = Content.assemble(
            outside_line(self.settings.profile, "bold $primary"),
            Content.styled(" │ ", "$rule"),
            Content.styled(f"{LEVEL_SHAPES[self.settings.autonomy]} {level}", "bold"),
            Content.styled(" │ ", "$rule"),
            outside_line(f"starting {program}"),
        )
        yield Static(line, id="status")
        yield Static(Content.styled(" STARTING ", badge_style("primary")), id="keys")

    def on_resize(self, event: events.Resize) -> None:
        """Follow the window, and say when the first frame has been drawn."""
        layout = layout_for(event.size.width, event.size.height, preferences=self.preferences.layout)
        side, form = self.query_one("#side", Static), layout.form
        self.query_one("#main").styles.layout = "horizontal" if form is Form.WIDE else "vertical"
        side.display = form in (Form.WIDE, Form.TALL, Form.COMPACT)
        side.styles.width = layout.side_columns or "1fr"
        side.styles.height = layout.below_lines or "1fr"
        self.query_one("#timeline").display = layout.timeline
        self.query_one("#keys").display = form is not Form.LINE
        self.call_after_refresh(self.drawn.set)
