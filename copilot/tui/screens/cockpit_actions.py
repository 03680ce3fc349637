"""What a person can do in the cockpit besides replying: open its pages, change it, go to other sessions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from copilot.core.reply import Autonomy
from copilot.core.screen_kinds import ScreenKind
from copilot.replay.undoing import StoredUndo
from copilot.session.front_end import UndoControls
from copilot.tui.run_line import Moment
from copilot.tui.screens.autonomy import AutonomyScreen
from copilot.tui.screens.context import ContextScreen
from copilot.tui.screens.dialog import open_palette
from copilot.tui.screens.explain import ExplainScreen
from copilot.tui.screens.guard import AllowScreen, GuardScreen
from copilot.tui.screens.help import HelpScreen
from copilot.tui.screens.label import LabelScreen
from copilot.tui.screens.layout_dialog import LayoutScreen
from copilot.tui.screens.moment import MomentScreen
from copilot.tui.screens.queue import QueueScreen
from copilot.tui.screens.undo import open_undo
from copilot.tui.text import clean_line
from copilot.tui.themes import following
from copilot.tui.widgets.tab_bar import next_needing

if TYPE_CHECKING:
    from copilot.tui.app import CopilotApp
    from copilot.tui.screens.session import SessionScreen


class CockpitActions:
    """The actions on run, guard, cockpit and sessions."""

    def __init__(self, screen: SessionScreen) -> None:
        self._screen = screen
        self._session = screen.session
        self._model = screen.model
        self._notes = screen.notes
        self._stored_undo: StoredUndo | None = None
        """Of this run, once it is over."""
        self.actions: dict[str, Callable[[], None]] = {
            "autonomy": self.choose_level,
            "context": self.show_context,
            "explain": self.show_rules,
            "label": self.label_screen,
            "guard": self.show_verdict,
            "allow": self.allow,
            "help": self.show_help,
            "palette": self.open_palette,
            "theme": self.next_theme,
            "zoom": screen.placement.toggle_zoom,
            "layout": self.change_layout,
            "look_back": self.show_newest_moment,
            "undo": self.undo,
            "new_session": self.new_session,
            "next_needed": self.go_to_next_needed,
            "queue": self.list_sessions,
            "session": self.go_to_digit,
        }

    # The run

    def choose_level(self) -> None:
        self._screen.app.push_screen(AutonomyScreen(self._model.view.autonomy), self._level_chosen)

    def _level_chosen(self, level: Autonomy | None) -> None:
        if level is not None and level is not self._model.view.autonomy:
            self._session.set_autonomy(level)
            self._notes.show(f"autonomy: {level.value}")

    def show_context(self) -> None:
        self._screen.app.push_screen(ContextScreen(self._model.view, self._session.set_governing_prompt))

    def show_rules(self) -> None:
        self._screen.app.push_screen(ExplainScreen(self._session.examination))

    def label_screen(self) -> None:
        """Ask what the screen is that is seen now; it may change while the person thinks."""
        seen, at = self._session.examination(), self._session.clock()
        if seen is None:
            self._notes.decline("nothing has been shown yet")
            return

        def said(kind: ScreenKind | None) -> None:
            if kind is not None:
                self._session.label_screen(kind, seen, at)

        last_line = self._screen.panels.terminal.last_written_line
        self._screen.app.push_screen(LabelScreen(self._model.detection.kind, last_line), said)

    def show_newest_moment(self) -> None:
        if self._screen.line.moments:
            self.show_moment(self._screen.line.moments[-1])
        else:
            self._notes.decline("nothing has been decided yet")

    def show_moment(self, moment: Moment) -> None:
        """Show screen and decision of that moment, and from there the others."""
        line, now = self._screen.line, self._session.clock()
        moments = list(line.moments)
        number = next((index for index, one in enumerate(moments) if one is moment), len(moments) - 1)
        self._screen.app.push_screen(MomentScreen(moments, number, line.spans(now), now))

    def undo(self) -> None:
        """Offer to put the project's files back."""
        controls = self._undo_controls()
        if controls is None:
            self._notes.decline("no checkpoints in this run")
            return
        runs, key = self._screen.exit_code is None, self._screen.model.offers.get("undo", "")
        open_undo(self._screen.app, controls, self._notes.show, key=key, informs=runs)

    def _undo_controls(self) -> UndoControls | None:
        """A session that is over takes no orders any more, but its checkpoints are there."""
        if self._screen.exit_code is None:
            return self._session.checkpoints
        if self._stored_undo is None:
            self._stored_undo = StoredUndo.of(Path(self._model.view.run_folder))
        return self._stored_undo

    # The guard

    def show_verdict(self) -> None:
        page = GuardScreen(lambda: self._model.view, self._session.grants)
        self._screen.app.push_screen(page, self._verdict_left)

    def _verdict_left(self, choice: str | None) -> None:
        if choice == "allow":
            self.allow()

    def allow(self) -> None:
        """Offer exactly what is asked; it counts once it is confirmed."""
        offer, identity = self._session.grants.offer(), self._model.detection.identity
        if not offer.rules:
            raises = f"; {self._screen.keys_here['autonomy']} raises the level" if offer.by_level else ""
            self._notes.decline(clean_line(offer.refusal) + raises)
            return

        def confirmed(limits: str | None) -> None:
            if limits is not None:
                self._session.grants.allow(offer.rules, limits, identity=identity)

        self._screen.app.push_screen(AllowScreen(offer.rules), confirmed)

    # The cockpit

    def show_help(self) -> None:
        self._screen.app.push_screen(HelpScreen(self._screen.options))

    def open_palette(self) -> None:
        open_palette(self._screen.app)

    def next_theme(self) -> None:
        """Take the next theme, and remember it."""
        app, themes = self._screen.app, self._screen.options.themes
        now = next((word for word, theme in themes.items() if theme.name == app.theme), "")
        theme = following(now, themes)
        app.theme = theme.name
        self._screen.preferences.choose_theme(theme.name)
        self._notes.show(f"theme: {theme.word}")

    def change_layout(self) -> None:
        placement, layout = self._screen.placement, self._screen.preferences.layout
        self._screen.app.push_screen(LayoutScreen(layout, placement.prefer, zoomed=placement.zoomed))

    # Other sessions

    @property
    def _app(self) -> CopilotApp:
        from copilot.tui.app import CopilotApp

        assert isinstance(self._screen.app, CopilotApp)
        return self._screen.app

    def new_session(self) -> None:
        self._app.new_session()

    def go_to_next_needed(self) -> None:
        index = next_needing(self._app.tab_states(), self._app.here)
        if index is None:
            self._notes.show("no other session needs you")
        else:
            self._app.go_to(index)

    def list_sessions(self) -> None:
        self._app.push_screen(QueueScreen(self._app.tab_states()), self._session_chosen)

    def _session_chosen(self, index: int | None) -> None:
        if index is not None:
            self.go_to(index)

    def go_to(self, index: int) -> None:
        self._app.go_to(index)

    def go_to_digit(self) -> None:
        """Show the session of the digit that was pressed."""
        number = int(self._screen.keys.digit or "0")
        if not number:
            self.list_sessions()
        elif not self._app.go_to(number - 1):
            self._notes.show("this is that session" if number == self._app.here + 1 else "no such session")
