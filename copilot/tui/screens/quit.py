"""Leaving a session: a question before a run ends in the middle of its work, one interrupt, then the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.widgets import Static

from copilot.core.plan_progress import shown_kind
from copilot.core.screen_kinds import ScreenKind
from copilot.core.states import RunState
from copilot.supervision.process_tree import shell_behind
from copilot.tui.keymap import Place, shown
from copilot.tui.messages import SessionEnded, SessionLeft
from copilot.tui.model import CockpitModel
from copilot.tui.options import UiOptions
from copilot.tui.screens.dialog import YesOrNo
from copilot.tui.text import clean_line

if TYPE_CHECKING:
    from copilot.tui.screens.session import SessionScreen


class QuitScreen(YesOrNo, inherit_bindings=False):
    """The keys that led here mean yes as well."""

    def __init__(self, why: str, options: UiOptions) -> None:
        super().__init__()
        self._why = why
        self._options = options
        self._leader_pressed = False

    def compose(self) -> ComposeResult:
        again = shown(self._options.keymap.action("quit").key(Place.LEADER) or "q")
        with Container(classes="dialog") as box:
            box.border_title = "end the run?"
            box.border_subtitle = (
                f"Esc goes on · y or Enter ends it · {self._options.leader_label} {again} too"
            )
            yield Static(Content(f"{self._why[:1].upper()}{self._why[1:]}."))
            yield Static(Content.styled("Ending the run ends the program too.", "$quiet"))

    def on_key(self, event: events.Key) -> None:
        after_leader, self._leader_pressed = self._leader_pressed, self._options.is_leader(event.key)
        if after_leader and event.key in self._options.keymap.action("quit").keys[Place.LEADER]:
            event.stop()
            event.prevent_default()
            self.dismiss(True)


def cut_off_by_leaving(model: CockpitModel) -> str:
    """What is under way or asked, in words; empty where nothing is."""
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


class Leaving:
    """Ends the run when the person asks for it, and leaves the screen once it has ended."""

    def __init__(self, screen: SessionScreen) -> None:
        self._screen = screen
        self._begun = False
        self.actions: dict[str, Callable[[], None]] = {"quit": self.quit, "suspend": self.suspend}

    def suspend(self) -> None:
        """Stop, and let the shell have the terminal."""
        if shell_behind():
            self._screen.app.action_suspend_process()
        else:
            self._screen.notes.show("no shell started copilot that could bring it back")

    def quit(self) -> None:
        """End the run, in the middle of its work only once that was confirmed; leave once it has ended."""
        screen = self._screen
        ending = self._begun or screen.exit_code is not None
        if not ending and (why := cut_off_by_leaving(screen.model)):
            screen.app.push_screen(QuitScreen(why, screen.options), self._confirmed)
        else:
            self._end()

    def _confirmed(self, ends: bool | None) -> None:
        if ends:
            self._end()

    def _end(self) -> None:
        screen, leader = self._screen, self._screen.options.leader_label
        if screen.exit_code is not None:
            screen.post_message(SessionLeft(screen, screen.exit_code))
            return
        again = f"ending the run; {leader} q again ends it at once"
        screen.notes.show("ending at once" if self._begun else again)
        self._begun = True
        screen.session.interrupt()

    def session_ended(self, message: SessionEnded) -> None:
        """Leave if the person asked for it; else say that the run has ended."""
        screen = self._screen
        screen.exit_code, screen.updates.ended_at = message.exit_code, screen.session.clock()
        if self._begun:
            screen.post_message(SessionLeft(screen, message.exit_code))
            return
        ended = f"the run has ended; {screen.options.leader_label} q leaves"
        screen.notes.show(clean_line(message.fault) or ended, of_run=True)
        screen.updates.show_all()
