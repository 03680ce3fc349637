"""What a person can do in the cockpit: one method `do_<id>` for each action of the registry."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from textual import events

from copilot.core.decision import Autonomy
from copilot.core.detection import READY_KINDS, ScreenKind
from copilot.core.reply import Reply
from copilot.terminal.browser import open_in_browser
from copilot.terminal.job_control import shell_behind
from copilot.tui.keymap import Place, shown
from copilot.tui.run_line import Moment
from copilot.tui.screens.autonomy import AutonomyScreen
from copilot.tui.screens.context import ContextScreen
from copilot.tui.screens.explain import ExplainScreen
from copilot.tui.screens.guarding import GuardActions
from copilot.tui.screens.help import HelpScreen
from copilot.tui.screens.label import LabelScreen
from copilot.tui.screens.layout import LayoutScreen
from copilot.tui.screens.links import LinksScreen
from copilot.tui.screens.moment import MomentScreen
from copilot.tui.screens.queue import QueueScreen
from copilot.tui.tabs import next_needing
from copilot.tui.text import clean_line
from copilot.tui.themes import following
from copilot.tui.widgets.reply_panel import ReplyPanel
from copilot.tui.widgets.terminal import TerminalView

if TYPE_CHECKING:
    from copilot.tui.app import CopilotApp

_WANTS_WORDS = READY_KINDS | {ScreenKind.QUESTION}
"""Kinds to which a bare Enter is no answer. At a text prompt it may take the default."""
_LONGEST_SEARCH = 200


class SessionActions(GuardActions, inherit_bindings=False):
    """The actions. Which key means which is not decided here."""

    # Actions on the reply

    def do_send(self) -> None:
        """Send the reply as it stands."""
        reply = self.model.reply_to_send(from_panel=self.focused is self.query_one(ReplyPanel))
        if not self.model.answerable:
            self.note("nothing is asked now")
        elif self.model.just_changed(self.session.clock()):
            self.note("the prompt changed just now: look, and send again")
        elif reply is None:
            self.note("there is no reply to send yet")
        elif not self.reply_in_sight:
            self._to_panel()
            self.note("this is what would be sent: Enter sends it")
        else:
            self._send(reply)

    def _send(self, reply: Reply) -> None:
        self.session.send(reply, identity=self.model.detection.identity)
        self._to_terminal()

    def do_edit(self) -> None:
        """With options: first choose among them; else, or once more, write."""
        panel = self.query_one(ReplyPanel)
        if not self.model.answerable:
            self.note("nothing is asked now")
        elif self.model.secret:
            self.note("a password goes straight into the terminal; it is not recorded")
        elif self.model.detection.options and self.focused is not panel:
            self._to_panel()
        else:
            self._open_panel()
            self._editing_identity = self.model.detection.identity
            self._written.begin()
            panel.open_editor(self.model.draft_text())

    def do_send_edit(self) -> None:
        """Send what the editor holds."""
        panel = self.query_one(ReplyPanel)
        if self.model.detection.identity != self._editing_identity or not self.model.answerable:
            panel.border_subtitle = "the prompt has changed: Esc, and look again"
            self.app.bell()
            return
        text = panel.editor.text
        marked = self.model.marked_index()
        choice = None if marked is None else self.model.detection.options[marked].label
        if choice is None and not text.strip() and self.model.detection.kind in _WANTS_WORDS:
            panel.border_subtitle = "nothing is written yet: write, or Esc"
            self.app.bell()
            return
        self._written.add(text)
        self._send(Reply(choice=choice, text=text or None if choice else text))

    def do_older(self) -> None:
        """What was sent before, in place of what stands in the editor."""
        self._take_written(-1)

    def do_newer(self) -> None:
        """What was sent after it; at the end what was being written."""
        self._take_written(1)

    def _take_written(self, by: int) -> None:
        editor = self.query_one(ReplyPanel).editor
        text = self._written.step(by, editor.text)
        if text is not None:
            editor.load_text(text)
            editor.move_cursor(editor.document.end)

    def do_new_line(self) -> None:
        """A line break in the editor."""
        self.query_one(ReplyPanel).editor.insert("\n")

    def do_ask_again(self) -> None:
        """Ask for an instruction, then for another reply."""
        if not self.model.detection.waiting or self.model.over:
            self.note("nothing is asked now")
        elif self.model.view.autonomy is Autonomy.WATCH:
            self.note("at level watch no model is asked; change the level first")
        else:
            self._open_panel()
            self.query_one(ReplyPanel).open_instruction()

    def do_ask_with(self) -> None:
        """Have another reply written."""
        instruction = self.query_one(ReplyPanel).instruction.value
        self.session.ask_again(instruction.strip(), identity=self.model.detection.identity)
        self._to_terminal()

    def do_dismiss(self) -> None:
        """Drop the reply."""
        if self.model.view.proposal is None and not self.model.view.waiting_for_provider:
            self.note("there is no reply to dismiss")
            return
        self.session.dismiss(identity=self.model.detection.identity)
        self._to_terminal()

    def do_choose_up(self) -> None:
        """Mark the option above."""
        self.model.move_mark(-1)
        self._show_all()

    def do_choose_down(self) -> None:
        """Mark the option below."""
        self.model.move_mark(1)
        self._show_all()

    def _mark_by_key(self, digit: str) -> None:
        for index, option in enumerate(self.model.detection.options):
            if option.key == digit or (option.key is None and str(index + 1) == digit):
                self.model.chosen = index
                self._show_all()
                return

    # Actions on the cockpit

    def do_focus_reply(self) -> None:
        """Single keys act on the reply."""
        self._to_panel()

    def do_back(self) -> None:
        """Back to the terminal, or from an input to the panel."""
        if self.place is Place.EDIT or self.place is Place.INSTRUCT:
            self.query_one(ReplyPanel).close_inputs()
            self._to_panel()
        else:
            self._to_terminal()

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
            self.app.push_screen(LabelScreen(number), self._kind_said)
        else:
            self.note("every screen of this run was understood so far")

    def _kind_said(self, kind: ScreenKind | None) -> None:
        if kind is not None:
            self.session.label_unknown(kind)

    def do_help(self) -> None:
        """Every key."""
        self.app.push_screen(HelpScreen(self.options))

    def do_palette(self) -> None:
        """Find an action by name."""
        self.app.action_command_palette()

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
        self.app.push_screen(LayoutScreen(self.preferences.wishes, self.wish))

    def do_look_back(self) -> None:
        """The newest mark of the run; from there to the others."""
        if self.line.moments:
            self.look_at(self.line.moments[-1])
        else:
            self.note("nothing has been decided in this run yet")

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
        """End the run; leave once it has ended."""
        if self.exit_code is not None:
            self.post_message(self.Left(self, self.exit_code))
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

    # Scrollback

    def do_scrollback(self) -> None:
        """Look back."""
        if not self.query_one(TerminalView).scroll_back(pages=1):
            self.note("nothing has scrolled off yet")

    def do_scroll_up(self) -> None:
        """One line back."""
        self.query_one(TerminalView).scroll_back(lines=1)

    def do_scroll_down(self) -> None:
        """One line on."""
        self.query_one(TerminalView).scroll_back(lines=-1)

    def do_page_up(self) -> None:
        """One page back."""
        self.query_one(TerminalView).scroll_back(pages=1)

    def do_page_down(self) -> None:
        """One page on."""
        self.query_one(TerminalView).scroll_back(pages=-1)

    def do_scroll_home(self) -> None:
        """The oldest line."""
        self.query_one(TerminalView).scroll_back(lines=10**9)

    def do_scroll_end(self) -> None:
        """Back to the live screen."""
        self.query_one(TerminalView).stop_scrolling()

    # Search

    def do_search(self) -> None:
        """Write what to search for."""
        self.query_one(TerminalView).open_search()

    def search_for(self, more: str) -> None:
        """Put `more` at the end of what is searched for."""
        terminal = self.query_one(TerminalView)
        if terminal.search is not None:
            self._look_for(terminal.search.query + clean_line(more))

    def _look_for(self, text: str) -> None:
        self.query_one(TerminalView).look_for(text[:_LONGEST_SEARCH])
        self._show_keys()

    def _search_key(self, event: events.Key) -> None:
        search = self.query_one(TerminalView).search
        if search is None:
            return
        if event.key == "backspace":
            self._look_for(search.query[:-1])
        elif event.key == "ctrl+u":
            self._look_for("")
        elif event.character is not None and event.character.isprintable():
            self._look_for(search.query + event.character)

    def do_found(self) -> None:
        """Move among the matches."""
        self.query_one(TerminalView).close_search_text()

    def do_find_next(self) -> None:
        """Upwards."""
        self._step_search(-1)

    def do_find_previous(self) -> None:
        """Downwards."""
        self._step_search(1)

    def _step_search(self, by: int) -> None:
        terminal = self.query_one(TerminalView)
        if terminal.search is None:
            key = self.options.keymap.action("search").key(Place.SCROLL)
            self.note(f"nothing is searched for; {shown(key or 'slash')} begins a search")
        elif terminal.step_search(by):
            self.note("the search went round")

    # Links

    def do_links(self) -> None:
        """Those in view."""
        addresses = self.query_one(TerminalView).links_shown()
        if addresses:
            self.ask_to_open(addresses)
        else:
            self.note("no link is in view")

    def ask_to_open(self, addresses: list[str]) -> None:
        """Show where the links lead; what is chosen there is opened or copied, nothing by itself."""
        self.app.push_screen(LinksScreen(addresses), self._link_chosen)

    def _link_chosen(self, chosen: tuple[str, bool] | None) -> None:
        if chosen is None:
            return
        address, wants_it_open = chosen
        if wants_it_open and open_in_browser(address, os.environ):
            self.note(f"opened {address}")
            return
        self.app.copy_to_clipboard(address)
        self.note(
            "no browser can be opened here: the link is copied" if wants_it_open else "the link is copied"
        )
