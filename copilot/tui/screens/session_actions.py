"""What a person can do in the cockpit: one method `do_<id>` for each action of the registry.

Those on the reply are in `reply_actions.py`, those on the terminal's picture in `looking_actions.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from copilot.core.detection import ScreenKind
from copilot.core.plan_progress import shown_kind
from copilot.core.reply import Autonomy
from copilot.core.states import RunState
from copilot.pty.job_control import shell_behind
from copilot.tui.messages import SessionLeft
from copilot.tui.run_line import Moment
from copilot.tui.screens.autonomy import AutonomyScreen
from copilot.tui.screens.context import ContextScreen
from copilot.tui.screens.explain import ExplainScreen
from copilot.tui.screens.help import HelpScreen
from copilot.tui.screens.label import LabelScreen
from copilot.tui.screens.layout import LayoutScreen
from copilot.tui.screens.looking_actions import LookingActions
from copilot.tui.screens.moment import MomentScreen
from copilot.tui.screens.palette import open_palette
from copilot.tui.screens.queue import QueueScreen
from copilot.tui.screens.quit import QuitScreen
from copilot.tui.themes import following
from copilot.tui.widgets.reply_panel import ReplyPanel
from copilot.tui.widgets.tab_bar import next_needing
from copilot.tui.widgets.terminal import TerminalView

if TYPE_CHECKING:
    from copilot.tui.app import CopilotApp


class SessionActions(LookingActions, inherit_bindings=False):
    """The actions. Which key means which is not decided here."""

    # Actions on the cockpit

    def do_autonomy(self) -> None:
        """Choose the level."""
        self.app.push_screen(AutonomyScreen(self.model.view.autonomy), self._level_chosen)

    def _level_chosen(self, level: Autonomy | None) -> None:
        if level is not None and level is not self.model.view.autonomy:
            self.session.set_autonomy(level)
            self.note(f"autonomy: {level.value}")

    def do_context(self) -> None:
        """Everything that the model saw."""
        self.app.push_screen(ContextScreen(self.model.view, self.session.set_governing_prompt))

    def do_explain(self) -> None:
        """Every rule, and why."""
        self.app.push_screen(ExplainScreen(self.session.examination))

    def do_label(self) -> None:
        """Say what was not understood."""
        number = self.model.view.unknown
        if number:
            self.app.push_screen(
                LabelScreen(number, self.query_one(TerminalView).last_written_line), self._kind_said
            )
        else:
            self.decline("every screen was understood so far")

    def _kind_said(self, kind: ScreenKind | None) -> None:
        if kind is not None:
            self.session.label_unknown(kind)

    def do_help(self) -> None:
        """Every key."""
        self.app.push_screen(HelpScreen(self.options))

    def do_palette(self) -> None:
        """Find an action by name."""
        open_palette(self.app)

    def do_theme(self) -> None:
        """The next theme; it is remembered."""
        now = next((word for word, skin in self.options.themes.items() if skin.name == self.app.theme), "")
        skin = following(now, self.options.themes)
        self.app.theme = skin.name
        self.preferences.choose_theme(skin.name)
        self.note(f"theme: {skin.word}")

    def do_zoom(self) -> None:
        """The terminal alone, or the reply panel if keys go there; or everything again."""
        if self.unzoom_panel():
            return
        if self.focused is self.query_one(ReplyPanel):
            self.zoom_panel()
            return
        self._zoomed = not self._zoomed
        self._arrange(self.size.width, self.size.height)

    def do_layout(self) -> None:
        """Show, hide and resize the panels."""
        self.app.push_screen(LayoutScreen(self.preferences.wishes, self.wish, zoomed=self._zoomed))

    def do_look_back(self) -> None:
        """The newest mark of the run; from there to the others."""
        if self.line.moments:
            self.look_at(self.line.moments[-1])
        else:
            self.decline("nothing has been decided yet")

    def look_at(self, moment: Moment) -> None:
        """The screen and the decision of that moment; the session goes on meanwhile."""
        now, moments = self.session.clock(), list(self.line.moments)
        number = next((index for index, one in enumerate(moments) if one is moment), len(moments) - 1)
        self.app.push_screen(MomentScreen(moments, number, self.line.spans(now), now))

    def do_select(self) -> None:
        """The mouse selects here, or reaches the child."""
        terminal = self.query_one(TerminalView)
        terminal.mouse_is_ours = not terminal.mouse_is_ours
        self.note(
            "the mouse selects text here" if terminal.mouse_is_ours else "the mouse reaches the program"
        )

    def do_suspend(self) -> None:
        """Stop, and let the shell have the terminal."""
        if shell_behind():
            self.app.action_suspend_process()
        else:
            self.note("no shell stands behind copilot that could bring it back")

    def do_quit(self) -> None:
        """End the run, in the middle of its work only once that was confirmed; leave once it has ended."""
        why = "" if self._leaving or self.exit_code is not None else self._cut_off_by_leaving()
        if why:
            self.app.push_screen(QuitScreen(why, self.options), self._quit_confirmed)
        else:
            self._quit()

    def _quit_confirmed(self, ends: bool | None) -> None:
        if ends:
            self._quit()

    def _cut_off_by_leaving(self) -> str:
        """What is under way or asked, in words; empty where nothing is."""
        model = self.model
        if model.over:
            return ""
        if model.view.state is RunState.ANSWERING:
            return "a reply is being typed"
        if model.detection.asks:
            return f"the program waits for you: {shown_kind(model.view.detection)}"
        if model.at_issue:
            return "a reply is open"
        kind = model.detection.kind
        if kind is ScreenKind.BUSY:
            return "the program is busy"
        return "the screen is not understood" if kind is ScreenKind.UNKNOWN else ""

    def _quit(self) -> None:
        if self.exit_code is not None:
            self.post_message(SessionLeft(self, self.exit_code))
            return
        self.note(
            "ending at once"
            if self._leaving
            else f"ending the run; {self.options.leader_label} q again ends it at once"
        )
        self._leaving = True
        self.session.interrupt()

    # Several sessions

    _digit = ""
    """The digit that was pressed after the leader."""

    @property
    def cockpit_app(self) -> CopilotApp:
        """The application, which knows of the other sessions."""
        from copilot.tui.app import CopilotApp

        assert isinstance(self.app, CopilotApp)
        return self.app

    def do_new_session(self) -> None:
        """Another program beside this one."""
        self.cockpit_app.new_session()

    def do_next_needed(self) -> None:
        """The next session that needs the person."""
        app = self.cockpit_app
        index = next_needing(app.tab_states(), app.here)
        if index is None:
            self.note("no other session needs you")
        else:
            app.go_to(index)

    def do_queue(self) -> None:
        """All sessions, those that wait for the person first."""
        app = self.cockpit_app
        app.push_screen(QueueScreen(app.tab_states()), self._session_chosen)

    def _session_chosen(self, index: int | None) -> None:
        if index is not None:
            self.cockpit_app.go_to(index)

    def do_session(self) -> None:
        """The session of the digit that was pressed."""
        number = int(self._digit or "0")
        if not number:
            self.do_queue()
        elif not self.cockpit_app.go_to(number - 1):
            self.note("this is that session" if number == self.cockpit_app.here + 1 else "no such session")
