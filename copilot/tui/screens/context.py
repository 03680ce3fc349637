"""The whole of what the model saw, as a page to read; the governing prompt is edited there in place."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static, TextArea

from copilot.core.provider_registry import what_it_saw
from copilot.engine.view import SessionView
from copilot.tui.screens.dialog import Dialog
from copilot.tui.text import clean, clean_line
from copilot.tui.widgets.context_panel import context_whole
from copilot.tui.widgets.text_boxes import TextBox

_READING = "Esc closes · ↑↓ PgUp PgDn scroll · e edits the governing prompt"
_EDITING = "Esc leaves it as it was · ^S lets it govern from now on"
_SAVE = ("ctrl+s",)


class ContextScreen(Dialog[None], inherit_bindings=False):
    """A snapshot of the moment it was opened: it does not change under the reader.

    `govern` takes another governing prompt: empty if it counts from now on, else why not.
    """

    def __init__(self, view: SessionView, govern: Callable[[str], str]) -> None:
        super().__init__()
        self.view = view
        self._govern = govern

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="page", id="context-page") as page:
            page.border_title = what_it_saw(self.view.provider)
            page.border_subtitle = _READING
            yield Static(context_whole(self.view), id="context-whole")
            yield Static(id="governing-note", markup=False)
            yield TextBox(id="governing", soft_wrap=True, compact=True)

    def on_mount(self) -> None:
        self.query_one("#context-page").focus()

    def on_key(self, event: events.Key) -> None:
        if self.has_class("-editing"):
            if event.key == "escape":
                event.stop()
                self._show_editor(editing=False)
            elif event.key in _SAVE:
                event.stop()
                self._take()
        elif event.key in ("escape", "q", "c"):
            event.stop()
            self.dismiss(None)
        elif event.key == "e":
            event.stop()
            event.prevent_default()
            self._show_editor(editing=True)
        else:
            self.scroll_page(event)

    def _show_editor(self, *, editing: bool) -> None:
        editor, page = self.query_one(TextArea), self.query_one("#context-page")
        self.set_class(editing, "-editing")
        page.border_title = "the governing prompt" if editing else what_it_saw(self.view.provider)
        page.border_subtitle = _EDITING if editing else _READING
        note = self.query_one("#governing-note", Static)
        note.update("What is written here counts from the next reply on, and is kept with the run.")
        note.remove_class("-refused")
        if editing:
            editor.load_text(clean(self.view.governing_prompt))
            editor.move_cursor(editor.document.end)
            self.set_focus(editor)
        else:
            self.set_focus(page)

    def _take(self) -> None:
        problem = self._govern(self.query_one(TextArea).text)
        if problem:
            note = self.query_one("#governing-note", Static)
            note.update(f"! {clean_line(problem)}")
            note.add_class("-refused")
            self.app.bell()
        else:
            self.dismiss(None)
