"""The session screen: terminal first, panels beside or below, two bars. It owns modes and keys.

Every key goes to the child but the leader. A countdown is stopped by any key, and that key is not sent.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Static

from copilot.core.decision import Autonomy
from copilot.core.reply import Reply
from copilot.core.states import RunState
from copilot.tui.describe import title_line
from copilot.tui.keymap import Place, action_for
from copilot.tui.layout import LEAST_COLUMNS, LEAST_LINES, Form, Layout, layout_for
from copilot.tui.live import LiveSession
from copilot.tui.messages import NoteGiven, ReplyStreamed, ScreenDirty, SessionEnded, ViewChanged
from copilot.tui.model import CockpitModel
from copilot.tui.options import UiOptions
from copilot.tui.screens.autonomy import AutonomyScreen
from copilot.tui.screens.context import ContextScreen
from copilot.tui.screens.help import HelpScreen
from copilot.tui.text import clean_line
from copilot.tui.widgets.compact_strip import CompactStrip
from copilot.tui.widgets.context_panel import ContextPanel
from copilot.tui.widgets.detector_panel import DetectorPanel
from copilot.tui.widgets.key_bar import KeyBar
from copilot.tui.widgets.reply_panel import ReplyPanel
from copilot.tui.widgets.status_bar import StatusBar
from copilot.tui.widgets.terminal import TerminalView

_NOTE_SECONDS = 6.0
_TICK_SECONDS = 1.0
_COUNTDOWN_TICK_SECONDS = 0.1


class SessionScreen(Screen[None], inherit_bindings=False):
    """One live session."""

    @dataclass
    class AttentionWanted(Message):
        """The run newly needs a person, or its state changed: title for the outer terminal, bell or not."""

        title: str
        ring: bool

    def __init__(self, session: LiveSession, options: UiOptions) -> None:
        super().__init__()
        self.session = session
        self.options = options
        self.model = CockpitModel()
        self.exit_code: int | None = None
        self._leader_pending = False
        self._zoomed = False
        self._layout = Layout(Form.COMPACT)
        self._stopped_countdown: float | None = None
        self._editing_identity = ""
        self._note_timer: Timer | None = None
        self._countdown_timer: Timer | None = None
        self._rung_for = ""
        self._leaving = False

    def compose(self) -> ComposeResult:
        """Everything is always mounted; the form of the layout decides what shows, and where."""
        with Container(id="main"):
            with Container(id="work"):
                yield TerminalView(self.session, id="terminal")
                yield CompactStrip(id="strip")
            with Container(id="side"):
                yield DetectorPanel(id="detector")
                yield ReplyPanel(id="reply")
                yield ContextPanel(id="context")
        yield StatusBar(id="status")
        yield KeyBar(id="keys")
        yield Static(id="too-small")

    def on_mount(self) -> None:
        """Focus the terminal and start the clocks of the bars."""
        self._arrange(self.app.size.width, self.app.size.height)
        self.query_one(TerminalView).focus()
        self.set_interval(_TICK_SECONDS, self._tick)
        self._countdown_timer = self.set_interval(_COUNTDOWN_TICK_SECONDS, self._countdown_tick, pause=True)

    # Layout

    def on_resize(self, event: events.Resize) -> None:
        """Take the form that fits the new size."""
        self._arrange(event.size.width, event.size.height)

    def _arrange(self, columns: int, lines: int) -> None:
        layout = layout_for(columns, lines, zoomed=self._zoomed)
        self._layout = layout
        for form in Form:
            self.set_class(form is layout.form, f"-{form.value}")
        side = self.query_one("#side")
        side.styles.width = layout.side_columns or "1fr"
        side.styles.height = layout.below_lines if layout.form is Form.TALL else ("1fr" if layout.side_columns else "auto")
        self.query_one("#too-small", Static).update(
            f"The window is {columns}x{lines}.\nThe co-pilot needs {LEAST_COLUMNS}x{LEAST_LINES} or more.\nThe session runs on."
        )
        panel = self.query_one(ReplyPanel)
        self.query_one(StatusBar).alone = layout.form is Form.BARE
        panel.question_is_elsewhere = layout.form in (Form.WIDE, Form.TALL)
        panel.room_lines = {Form.TALL: layout.below_lines - 2, Form.WIDE: lines // 2 - 4}.get(layout.form, 12)
        self._place_overlay()
        self.call_after_refresh(self._show_all)

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
        if terminal.scrolling:
            return Place.SCROLL
        if self.focused is panel.editor:
            return Place.EDIT
        if self.focused is panel.instruction:
            return Place.INSTRUCT
        return Place.REPLY if self.focused is panel else Place.TERMINAL

    async def take_key(self, event: events.Key) -> bool:
        """Decide about a key before any widget sees it. True if it is done with."""
        if self._stop_countdown():
            self._leader_pending = self._is_leader(event.key)
            self._show_all()
            return True
        if self.app.screen is not self:
            return False
        place = self.place
        if place is Place.LEADER:
            await self._after_leader(event.key)
            return True
        if self._is_leader(event.key):
            self._leader_pending = True
            self._show_keys()
            return True
        action = action_for(place, event.key)
        if action is not None:
            await self.do(action.id)
            return True
        return self._other_key(place, event)

    def _is_leader(self, key: str) -> bool:
        return self.options.leader_key == ("ctrl+at" if key == "ctrl+space" else key)

    def _other_key(self, place: Place, event: events.Key) -> bool:
        if place is Place.TERMINAL:
            self.query_one(TerminalView).type_key(event)
            return True
        if place is Place.REPLY and event.character is not None and event.character.isdigit():
            self._mark_by_key(event.character)
        return place in (Place.REPLY, Place.SCROLL)

    async def _after_leader(self, key: str) -> None:
        self._leader_pending = False
        if self._is_leader(key):
            self.query_one(TerminalView).type_key_named(key)
        elif (action := action_for(Place.LEADER, key)) is not None:
            await self.do(action.id)
        else:
            self.note(f"{self.options.leader_label} {clean_line(key)} does nothing; {self.options.leader_label} ? shows the keys")
        self._show_all()

    def _stop_countdown(self) -> bool:
        """Stop a countdown, if one runs that was not stopped before. True if there was one."""
        ends_at = self.model.view.countdown_ends_at
        if ends_at is None or ends_at == self._stopped_countdown:
            return False
        self._stopped_countdown = ends_at
        self.session.dismiss(keep=True)
        self.note("stopped: the reply is held")
        return True

    def stop_countdown_by_hand(self) -> bool:
        """The same for a click or a paste into the terminal."""
        return self._stop_countdown()

    async def do(self, action: str) -> None:
        """Carry out an action of the registry."""
        method: Callable[[], Awaitable[None] | None] = getattr(self, f"do_{action}")
        result = method()
        if result is not None:
            await result
        self._show_keys()

    @on(KeyBar.Chosen)
    async def _offer_clicked(self, message: KeyBar.Chosen) -> None:
        self._leader_pending = False
        await self.do(message.action)

    # Actions on the reply

    def do_send(self) -> None:
        """Send the reply as it stands."""
        reply = self.model.reply_to_send(from_panel=self.focused is self.query_one(ReplyPanel))
        if not self.model.answerable:
            self.note("nothing is asked now")
        elif reply is None:
            self.note("there is no reply to send yet")
        else:
            self._send(reply)

    def _send(self, reply: Reply) -> None:
        self.session.send(reply)
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
        self._send(Reply(choice=choice, text=text or None if choice else text))

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
        self.session.ask_again(instruction.strip())
        self._to_terminal()

    def do_dismiss(self) -> None:
        """Drop the reply."""
        if self.model.view.proposal is None and not self.model.view.waiting_for_provider:
            self.note("there is no reply to dismiss")
            return
        self.session.dismiss()
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
            self.note(f"autonomy is now {level.value}")

    def do_context(self) -> None:
        """Everything that the model saw."""
        self.app.push_screen(ContextScreen(self.model.view))

    def do_help(self) -> None:
        """Every key."""
        self.app.push_screen(HelpScreen(self.options.leader_label))

    def do_palette(self) -> None:
        """Find an action by name."""
        self.app.action_command_palette()

    def do_theme(self) -> None:
        """The other theme."""
        self.app.theme = "copilot-light" if self.app.current_theme.dark else "copilot-dark"

    def do_zoom(self) -> None:
        """The terminal alone, or everything."""
        self._zoomed = not self._zoomed
        self._arrange(self.size.width, self.size.height)

    def do_select(self) -> None:
        """The mouse selects here, or reaches the child."""
        terminal = self.query_one(TerminalView)
        terminal.mouse_is_ours = not terminal.mouse_is_ours
        self.note("the mouse selects text here" if terminal.mouse_is_ours else "the mouse reaches the program")

    def do_quit(self) -> None:
        """End the run; leave once it has ended."""
        if self.exit_code is not None:
            self.app.exit(self.exit_code)
            return
        self.note("ending at once" if self._leaving else f"ending the run; {self.options.leader_label} q again ends it at once")
        self._leaving = True
        self.session.interrupt()

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
        terminal.stop_scrolling()
        terminal.focus()
        self.remove_class("-panel-open")
        self._show_all()

    @on(events.DescendantFocus)
    def _focus_moved(self) -> None:
        if self.focused is self.query_one(ReplyPanel):
            self._open_panel()
        self._show_all()

    # What the session says

    @on(ScreenDirty)
    def _screen_dirty(self) -> None:
        self.query_one(TerminalView).screen_changed()

    @on(ViewChanged)
    def _view_changed(self, message: ViewChanged) -> None:
        prompt_changed = self.model.update(message.view, self.session.clock())
        if prompt_changed:
            self._prompt_changed()
        if self._countdown_timer is not None:
            if self.model.counting_down:
                self._countdown_timer.resume()
            else:
                self._countdown_timer.pause()
        self._call_attention()
        self._show_all()

    def _prompt_changed(self) -> None:
        if self.place in (Place.EDIT, Place.INSTRUCT):
            self.query_one(ReplyPanel).border_subtitle = "the prompt has changed: this will not be sent"
        elif self.place is Place.REPLY and not self.model.detection.waiting:
            self._to_terminal()

    def _call_attention(self) -> None:
        identity = self.model.detection.identity or self.model.view.state.value
        wanted = self.model.needs_person or self.model.view.state in (RunState.ERROR, RunState.COMPLETED)
        ring = wanted and identity != self._rung_for
        if ring:
            self._rung_for = identity
        elif not wanted:
            self._rung_for = ""
        self.post_message(self.AttentionWanted(title_line(self.model, self.session.clock()), ring))

    @on(ReplyStreamed)
    def _reply_streamed(self, message: ReplyStreamed) -> None:
        self.model.stream(message.text)
        self._show_reply()

    @on(NoteGiven)
    def _note_given(self, message: NoteGiven) -> None:
        self.note(message.text)

    @on(SessionEnded)
    def _session_ended(self, message: SessionEnded) -> None:
        self.exit_code = message.exit_code
        if self._leaving:
            self.app.exit(message.exit_code)
            return
        self.note(clean_line(message.fault) or f"the run has ended; {self.options.leader_label} q leaves")
        self._show_all()

    def note(self, text: str) -> None:
        """Show `text` in the status bar for a few seconds."""
        self.model.notes.append(text)
        self.query_one(StatusBar).note = text
        if self._note_timer is not None:
            self._note_timer.stop()
        self._note_timer = self.set_timer(_NOTE_SECONDS, self._forget_note)
        self._show_status()

    def _forget_note(self) -> None:
        self.query_one(StatusBar).note = ""
        self._show_status()

    # Showing

    def _tick(self) -> None:
        self._show_status()
        if not self.model.over:
            self._show_detection()

    def _countdown_tick(self) -> None:
        self._show_reply()
        self._show_detection()

    def _show_all(self) -> None:
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
        self.query_one(StatusBar).show(self.model, self.session.clock())

    def _show_keys(self) -> None:
        counting = self.model.counting_down and self.model.view.countdown_ends_at != self._stopped_countdown
        self.query_one(KeyBar).show(
            self.place,
            self.options.leader_label,
            prompt=self.model.answerable and self.model.detection.waiting,
            counting=counting,
            over=self.model.over or self.exit_code is not None,
        )
