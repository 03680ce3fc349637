"""What a person can do about the reply: send, choose, write, have others written, drop."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from copilot.core.plan_progress import of_plan_command
from copilot.core.provider_registry import drafted_by
from copilot.core.reply import Autonomy, Reply
from copilot.tui.keymap import Place
from copilot.tui.layout import Form
from copilot.tui.screens.reply_editor import ReplyEditor

if TYPE_CHECKING:
    from copilot.tui.screens.session import SessionScreen


class ReplyActions:
    """The actions on the reply, and the way to its panel and back."""

    def __init__(self, screen: SessionScreen) -> None:
        self._screen = screen
        self._session = screen.session
        self._model = screen.model
        self._panel = screen.panels.reply
        self._notes = screen.notes
        self._editor = ReplyEditor(screen.model, screen.panels.reply, self._send)
        self.actions: dict[str, Callable[[], None]] = {
            "send": self.send,
            "edit": self.edit,
            "ask_again": self.ask_again,
            "ask_with": self._ask_soon,
            "dismiss": self.dismiss,
            "choose_up": partial(self._move_mark, -1),
            "choose_down": partial(self._move_mark, 1),
            "earlier": partial(self._step_draft, -1),
            "later": partial(self._step_draft, 1),
            "focus_reply": self.focus_panel,
            "back": self.back,
            **self._editor.actions,
        }

    def send(self) -> None:
        reply = self._model.reply_to_send(from_panel=self._screen.focused is self._panel)
        if not self._model.answerable:
            self._notes.show("nothing is asked now")
        elif self._model.just_changed(self._session.clock()):
            self._notes.show("the prompt changed just now: look, and send again")
        elif reply is None:
            self._notes.show("there is no reply to send yet")
        elif self._window_too_small():
            return
        elif not self._screen.placement.reply_in_sight:
            self._screen.to_panel()
            by_us = of_plan_command(self._model.detection)
            done = ("run", "runs") if by_us else ("sent", "sends")
            self._notes.show(f"this is what would be {done[0]}: Enter {done[1]} it")
        else:
            self._send(reply)

    def _window_too_small(self) -> bool:
        """Whether no reply can be shown; says so."""
        if self._screen.placement.form is not Form.TOO_SMALL:
            return False
        self._notes.decline("the window is too small to show a reply: nothing was done")
        self._screen.app.bell()
        return True

    def _send(self, reply: Reply) -> None:
        self._session.send(reply, identity=self._model.detection.identity)
        self._screen.to_terminal()

    def edit(self) -> None:
        """With options: first choose among them; else, or once more, write."""
        if self._window_too_small():
            return
        if not self._model.answerable:
            self._notes.decline("nothing is asked now")
        elif self._model.secret:
            self._notes.show("a password goes straight into the terminal; it is not recorded")
        elif self._model.no_words:
            self._screen.to_terminal()
            self._notes.decline(f"{self._model.no_words}: answer in the terminal")
        elif self._model.detection.options and self._screen.focused is not self._panel:
            self._screen.to_panel()
        else:
            self._screen.open_panel()
            self._editor.open()

    def ask_again(self) -> None:
        """Ask for an instruction, then for another reply."""
        if self._window_too_small():
            return
        if not self._model.detection.waiting or self._model.over:
            self._notes.decline("nothing is asked now")
        elif self._model.view.autonomy is Autonomy.WATCH:
            self._notes.decline("at level watch, no model is asked")
        elif not self._model.view.takes_instructions:
            self._ask("")
            self._notes.decline(f"asked again; {drafted_by(self._model.view.provider)} take no instruction")
        else:
            self._screen.open_panel()
            self._panel.open_instruction()

    def _ask_soon(self) -> None:
        # Once the line has taken all that was typed before.
        line = self._panel.instruction
        line.call_later(lambda: self._ask(line.value.strip()))

    def _ask(self, instruction: str) -> None:
        self._session.ask_again(instruction, identity=self._model.detection.identity)
        self._screen.to_terminal()

    def dismiss(self) -> None:
        if self._model.proposal is None and not self._model.view.waiting_for_provider:
            self._notes.show("there is no reply to dismiss")
            return
        self._model.drafts.clear()
        self._session.dismiss(identity=self._model.detection.identity)
        self._screen.to_terminal()

    def _move_mark(self, by: int) -> None:
        self._model.move_mark(by)
        self._screen.updates.show_all()

    def mark_by_key(self, digit: str) -> None:
        """Mark the option that has this key, or this number if it has none."""
        for index, option in enumerate(self._model.detection.options):
            if option.key == digit or (option.key is None and str(index + 1) == digit):
                self._model.chosen = index
                self._screen.updates.show_all()
                return

    def _step_draft(self, by: int) -> None:
        if self._model.step_draft(by):
            self._screen.updates.show_all()
        elif not self._model.drafts.place:
            keys = self._screen.keys_here
            self._notes.show(f"there is no other draft; {keys['ask_again']} has another one written")
        else:
            self._notes.show("there is no draft further on" if by > 0 else "that is the first draft")

    def next_draft(self) -> None:
        """Show the draft before; from the first on the newest."""
        if not self._model.step_draft(-1):
            while self._model.step_draft(1):
                pass
        self._screen.updates.show_all()

    def focus_panel(self) -> None:
        """Let single keys act on the reply."""
        if not self._window_too_small():
            self._screen.to_panel()

    def back(self) -> None:
        """Back to the terminal, or from an input to the panel."""
        place = self._screen.place
        if place is Place.EDIT or place is Place.INSTRUCT:
            if place is Place.EDIT:
                self._editor.leave()
            self._panel.close_inputs()
            self._screen.to_panel()
        else:
            self._notes.key_guard.end()
            self._screen.to_terminal()
