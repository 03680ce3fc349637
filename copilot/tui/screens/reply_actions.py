"""What a person can do about the reply: send, choose, write, have others written, drop."""

from __future__ import annotations

from copilot.core.detection import READY_KINDS, ScreenKind
from copilot.core.plan_progress import of_plan_command
from copilot.core.reply import Autonomy, Reply
from copilot.core.reply_request import drafted_by
from copilot.tui.keymap import Place
from copilot.tui.layout import Form
from copilot.tui.screens.guarding import GuardActions
from copilot.tui.widgets.reply_panel import ReplyPanel

_WANTS_WORDS = READY_KINDS | {ScreenKind.QUESTION}
"""Kinds to which a bare Enter is no answer. At a text prompt it may take the default."""


class ReplyActions(GuardActions, inherit_bindings=False):
    """The actions on the reply, and the way to its panel and back."""

    def do_send(self) -> None:
        """Send the reply as it stands."""
        reply = self.model.reply_to_send(from_panel=self.focused is self.query_one(ReplyPanel))
        if not self.model.answerable:
            self.note("nothing is asked now")
        elif self.model.just_changed(self.session.clock()):
            self.note("the prompt changed just now: look, and send again")
        elif reply is None:
            self.note("there is no reply to send yet")
        elif self._out_of_sight():
            return
        elif not self.reply_in_sight:
            self._to_panel()
            by_us = of_plan_command(self.model.detection)
            done = ("run", "runs") if by_us else ("sent", "sends")
            self.note(f"this is what would be {done[0]}: Enter {done[1]} it")
        else:
            self._send(reply)

    def _out_of_sight(self) -> bool:
        """Whether the window is too small to show any of a reply; it is told that nothing was done."""
        if self._layout.form is not Form.TOO_SMALL:
            return False
        self.decline("the window is too small to show a reply: nothing was done")
        self.app.bell()
        return True

    def _send(self, reply: Reply) -> None:
        self.session.send(reply, identity=self.model.detection.identity)
        self._to_terminal()

    def do_edit(self) -> None:
        """With options: first choose among them; else, or once more, write."""
        panel = self.query_one(ReplyPanel)
        if self._out_of_sight():
            return
        if not self.model.answerable:
            self.decline("nothing is asked now")
        elif self.model.secret:
            self.note("a password goes straight into the terminal; it is not recorded")
        elif self.model.no_words:
            self._to_terminal()
            self.decline(f"{self.model.no_words}: answer in the terminal")
        elif self.model.detection.options and self.focused is not panel:
            self._to_panel()
        else:
            self._open_panel()
            self._editing_identity = self.model.detection.identity
            self._written.begin()
            panel.open_editor(self._unsent.opened_on(self._editing_identity, self.model.draft_text()))

    def _leave_written(self) -> None:
        """What is written stays, to be found when the editor opens again; after another prompt by `older`."""
        text = self.query_one(ReplyPanel).editor.text
        self._unsent.left(text)
        if self.model.detection.identity != self._editing_identity:
            self._written.add(text)

    def do_send_edit(self) -> None:
        """Send what the editor holds, once it has taken all that was typed before."""
        self.query_one(ReplyPanel).editor.call_later(self._send_written)

    def _send_written(self) -> None:
        panel = self.query_one(ReplyPanel)
        if self.model.detection.identity != self._editing_identity or not self.model.answerable:
            panel.border_subtitle = "the prompt has changed: Esc, and look again"
            self.app.bell()
            return
        text = panel.editor.text
        self._unsent.left(text)
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
        """A line break in the editor, behind all that was typed before."""
        editor = self.query_one(ReplyPanel).editor
        editor.call_later(editor.insert, "\n")

    def do_ask_again(self) -> None:
        """Ask for an instruction, then for another reply."""
        if self._out_of_sight():
            return
        if not self.model.detection.waiting or self.model.over:
            self.decline("nothing is asked now")
        elif self.model.view.autonomy is Autonomy.WATCH:
            self.decline("at level watch, no model is asked")
        elif not self.model.view.takes_instructions:
            self.session.ask_again("", identity=self.model.detection.identity)
            self._to_terminal()
            self.decline(f"asked again; {drafted_by(self.model.view.provider)} take no instruction")
        else:
            self._open_panel()
            self.query_one(ReplyPanel).open_instruction()

    def do_ask_with(self) -> None:
        """Have another reply written, once the line has taken all that was typed before."""
        self.query_one(ReplyPanel).instruction.call_later(self._ask_with_written)

    def _ask_with_written(self) -> None:
        instruction = self.query_one(ReplyPanel).instruction.value
        self.session.ask_again(instruction.strip(), identity=self.model.detection.identity)
        self._to_terminal()

    def do_dismiss(self) -> None:
        """Drop the reply."""
        if self.model.proposal is None and not self.model.view.waiting_for_provider:
            self.note("there is no reply to dismiss")
            return
        self.model.drafts.clear()
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

    def do_earlier(self) -> None:
        """The reply that was written before this one."""
        self._step_draft(-1)

    def do_later(self) -> None:
        """The reply that was written after it."""
        self._step_draft(1)

    def _step_draft(self, by: int) -> None:
        if self.model.step_draft(by):
            self._show_all()
        elif not self.model.drafts.place:
            keys = self.model.panel_keys if self.place is Place.REPLY else self.model.offers
            self.note(f"there is no other draft; {keys['ask_again']} has another one written")
        else:
            self.note("there is no draft further on" if by > 0 else "that is the first draft")

    def do_focus_reply(self) -> None:
        """Single keys act on the reply."""
        if not self._out_of_sight():
            self._to_panel()

    def do_back(self) -> None:
        """Back to the terminal, or from an input to the panel."""
        if self.place is Place.EDIT or self.place is Place.INSTRUCT:
            if self.place is Place.EDIT:
                self._leave_written()
            self.query_one(ReplyPanel).close_inputs()
            self._to_panel()
        else:
            self.end_declined()
            self._to_terminal()

    def _mark_by_key(self, digit: str) -> None:
        for index, option in enumerate(self.model.detection.options):
            if option.key == digit or (option.key is None and str(index + 1) == digit):
                self.model.chosen = index
                self._show_all()
                return
