"""The box of the reply panel: what `reply_panel.py` writes, an editor and an instruction line."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widgets import Static

from copilot.tui.model import CockpitModel
from copilot.tui.mouse import picked
from copilot.tui.text import clean, show_content
from copilot.tui.widgets.reply_panel import Room, countdown_content, reply_content
from copilot.tui.widgets.text_boxes import LineBox, TextBox

_EDGE_COLUMNS = 4
"""Border and padding."""
_LEAST_EDITOR_LINES = 3
"""As in `styles/reply_panel.tcss`."""


class ReplyBox(VerticalScroll, can_focus=True, inherit_bindings=False):
    """Shows what would be sent. Keys are the session screen's business; here is only what is shown."""

    @dataclass
    class OptionPicked(Message):
        """An option was clicked."""

        index: int

    class DraftsClicked(Message):
        """Another draft is wanted."""

    class TextClicked(Message):
        """It was clicked where nothing can be chosen."""

    class WidthChanged(Message):
        """A scroll bar came or went: the text is to be laid out again."""

    BORDER_TITLE = "reply"
    FOCUS_ON_CLICK = False
    """Whoever clicks to read goes on typing words: here their first letter might send or dismiss."""

    room_lines = 10
    """Lines that the text may take before it scrolls."""
    question_is_elsewhere = False
    """The detector panel shows the question already, and there is room between the blocks."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.editor = TextBox(id="reply-editor", soft_wrap=True, show_line_numbers=False, compact=True)
        self.instruction = LineBox(
            id="reply-instruction",
            placeholder="e.g. shorter, or: no, use pnpm; Enter alone: just another",
            compact=True,
        )
        """The line for an instruction to "again"."""
        self.editor.display = self.instruction.display = False

    def compose(self) -> ComposeResult:
        yield Static(id="reply-countdown")
        yield Static(id="reply-text")
        yield self.editor
        yield self.instruction

    def show(self, model: CockpitModel, now: float, *, focused: bool) -> None:
        height = self.room_lines - (2 if model.counting_down else 0) - self._input_lines
        room = Room(
            max(20, self._columns),
            height,
            focused,
            asked=not self.question_is_elsewhere,
            editing=bool(self.editor.display),
        )
        show_content(self.query_one("#reply-text", Static), reply_content(model, room))
        self.show_countdown(model, now)
        self.update_classes({"-needed": model.needs_person, "-counting": model.counting_down})
        if not (self.editor.display or self.instruction.display):
            place = "" if model.view.waiting_for_provider else model.drafts.place
            keys = "←→" if focused else f"{model.offers.get('earlier', '←')} →"
            self.border_subtitle = f"draft {place} · {keys} the others" if place else ""

    @property
    def _columns(self) -> int:
        """Columns of the text; the window's, while a panel that was hidden is not laid out yet."""
        return self.scrollable_content_region.width or self.app.size.width - _EDGE_COLUMNS

    @property
    def _input_lines(self) -> int:
        """Lines that the open input takes; an editor with the one above it."""
        if self.editor.display:
            return max(_LEAST_EDITOR_LINES, self.editor.size.height) + 1
        return 1 if self.instruction.display else 0

    def watch_show_vertical_scrollbar(self) -> None:
        """Text that is shown while a scroll bar is there for a moment would stay a column too narrow."""
        self.post_message(self.WidthChanged())

    def show_countdown(self, model: CockpitModel, now: float) -> None:
        bar = self.query_one("#reply-countdown", Static)
        bar.display = model.counting_down
        if model.counting_down:
            show_content(bar, countdown_content(model, now, max(20, self.content_size.width)))

    def on_click(self, event: events.Click) -> None:
        """Mark the option under the pointer; on the lower edge, which counts the drafts: another draft."""
        index = picked(event)
        if index is not None:
            self.post_message(self.OptionPicked(index))
        elif event.screen_y == self.region.bottom - 1 and self.border_subtitle:
            self.post_message(self.DraftsClicked())
        elif event.widget not in (self.editor, self.instruction):
            self.post_message(self.TextClicked())

    def open_editor(self, text: str) -> None:
        editor = self.editor
        editor.load_text(clean(text))
        editor.move_cursor(editor.document.end)
        editor.display = True
        self.border_subtitle = ""
        self.screen.set_focus(editor)
        self.anchor()

    def open_instruction(self) -> None:
        self.instruction.value = ""
        self.instruction.display = True
        self.screen.set_focus(self.instruction)
        self.anchor()

    def close_inputs(self) -> None:
        self.editor.display = False
        self.instruction.display = False
        self.anchor(False)
        self.border_subtitle = ""
