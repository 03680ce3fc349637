"""Going back to a checkpoint of the project: the list, the diff of the one under the mark, and the question.

Files are read and written by `UndoControls`, in a thread. Once the mark has moved on, what was read for its
line is not read to its end.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from textual import events, on
from textual.app import App, ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from copilot.checkpoints.undo import UndoPlan, UndoResult
from copilot.session.front_end import UndoControls
from copilot.tui.screens.dialog import Dialog, Page, YesOrNo
from copilot.tui.text import clean_line
from copilot.tui.undo_content import (
    UndoPreview,
    asked_content,
    done_words,
    files_said,
    head_content,
    line_content,
    preview_content,
    read_preview,
    refused_content,
)
from copilot.tui.undo_lines import UndoLine, undo_lines

NOTHING = "Nothing to undo: the program has changed no file of the project."
_CHOOSING = "Esc closes · ↑↓ choose"
_PUTTING = " · Enter puts back"
_SCROLLING = " · PgUp PgDn"
_SHORT_LINES, _NARROW_COLUMNS, _LEAST_COLUMNS = 20, 100, 20
_EDGE_CELLS = 6
"""Frame, padding and scroll bar of a dialog."""


class CheckpointList(OptionList, can_focus=False, inherit_bindings=False):
    """Textual's list; its keys are the dialog's, so that the diff has some too."""


class UndoScreen(Dialog[UndoResult | None], inherit_bindings=False):
    """Arrows choose a checkpoint, Enter puts the files back (asked once more), Esc leaves them.

    Gives what was done; None if nothing was.
    """

    def __init__(self, controls: UndoControls) -> None:
        super().__init__()
        self._controls = controls
        self._lines: tuple[UndoLine, ...] = ()
        self._marked = 0
        self._wanted: UndoLine | None = None
        self._reading = False
        self._shown: UndoLine | None = None
        """The line whose preview, or why there is none, is shown."""
        self._preview: UndoPreview | None = None
        self._putting_back = False

    def compose(self) -> ComposeResult:
        with Container(classes="page", id="undo-box") as box:
            box.border_title = "put the project's files back"
            box.border_subtitle = "Esc closes"
            yield CheckpointList(id="undo-list")
            yield Static(id="undo-head")
            with VerticalScroll(id="undo-page", can_focus=False):
                yield Static(id="undo-diff")

    def on_mount(self) -> None:
        self._say("reading the checkpoints …")
        self._work(self._list_checkpoints())

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.height < _SHORT_LINES, "-short")
        self.set_class(event.size.width < _NARROW_COLUMNS, "-narrow")
        self.call_after_refresh(self._draw)

    def _work(self, work: Coroutine[Any, Any, None]) -> None:
        """Do it beside the dialog; whatever breaks is said in it, and the session goes on."""

        async def guarded() -> None:
            try:
                await work
            except Exception as problem:
                self._putting_back = False
                self._fail(problem)

        self.run_worker(guarded(), exit_on_error=False)

    # The list

    @property
    def _list(self) -> CheckpointList:
        return self.query_one(CheckpointList)

    async def _list_checkpoints(self) -> None:
        self._lines = undo_lines(await self._controls.checkpoints())
        if not self._lines:
            self._say(NOTHING)
            return
        self._list.add_options([Option(self._row(number)) for number in range(len(self._lines))])
        self._list.highlighted = 0

    def _row(self, number: int) -> Content:
        width = max(_LEAST_COLUMNS, self._list.scrollable_content_region.width)
        return line_content(self._lines[number], width, chosen=number == self._list.highlighted)

    def _draw(self) -> None:
        """Everything in the present width."""
        for number in range(len(self._lines)):
            self._list.replace_option_prompt_at_index(number, self._row(number))
        self._list.scroll_to_highlight()
        self._show_preview()

    @on(OptionList.OptionHighlighted)
    def _moved(self, event: OptionList.OptionHighlighted) -> None:
        """Mark that line, and read what going back there would do."""
        before, self._marked = self._marked, event.option_index
        for number in {before, self._marked}:
            self._list.replace_option_prompt_at_index(number, self._row(number))
        self._wanted = self._lines[self._marked]
        self._say("reading what would change …")
        if not self._reading:
            self._work(self._read())

    # What it would do

    async def _read(self) -> None:
        """Read what the marked line would change, and again while the mark has moved on meanwhile."""
        self._reading = True
        try:
            while (wanted := self._wanted) is not self._shown and wanted is not None:
                await self._read_line(wanted)
        finally:
            self._reading = False

    async def _read_line(self, wanted: UndoLine) -> None:
        try:
            preview = await read_preview(self._controls, wanted.target, lambda: wanted is self._wanted)
        except Exception as problem:
            if wanted is self._wanted:
                self._fail(problem)
                self._shown = wanted
            return
        if preview is not None:
            self._shown, self._preview = wanted, preview
            self._show_preview()
            self.query_one("#undo-page").scroll_home(animate=False)

    def _say(self, text: str, style: str = "$quiet") -> None:
        """Say this in place of a preview."""
        self._shown = self._preview = None
        self.query_one("#undo-box").border_subtitle = _CHOOSING if len(self._lines) > 1 else "Esc closes"
        self.query_one("#undo-head", Static).update(Content.styled(text, style))
        self.query_one("#undo-diff", Static).update(Content(""))

    def _fail(self, problem: Exception) -> None:
        self._say(f"▲ {clean_line(str(problem) or type(problem).__name__)}", "$warning")

    def _show_preview(self) -> None:
        if self._shown is None or self._preview is None or self._putting_back:
            return
        width = max(_LEAST_COLUMNS, self.query_one("#undo-diff").size.width)
        hints = _CHOOSING + (_PUTTING if self._preview.changing else "") + _SCROLLING
        self.query_one("#undo-box").border_subtitle = hints
        self.query_one("#undo-head", Static).update(head_content(self._shown, self._preview))
        self.query_one("#undo-diff", Static).update(preview_content(self._preview, width))

    # Keys

    def on_key(self, event: events.Key) -> None:
        """No key does anything while files are being put back."""
        event.stop()
        if self._putting_back:
            return
        if event.key in ("escape", "q"):
            self.dismiss(None)
        elif event.key in ("up", "k", "down", "j", "home", "end"):
            self._move(event.key)
        elif event.key in ("pageup", "pagedown", "space"):
            page = self.query_one("#undo-page")
            rows = max(1, page.size.height - 1)
            page.scroll_relative(y=-rows if event.key == "pageup" else rows, animate=False, immediate=True)
        elif event.key == "enter":
            self._ask()

    def _move(self, key: str) -> None:
        last, now = len(self._lines) - 1, self._list.highlighted
        if now is not None:
            steps = {"up": -1, "k": -1, "home": -last, "end": last}
            self._list.highlighted = max(0, min(last, now + steps.get(key, 1)))

    # Putting back

    def _ask(self) -> None:
        """Ask once more, about what is shown; nothing is put back unseen."""
        preview = self._preview
        if preview is None or not preview.changing:
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self._say(f"putting {files_said(len(preview.changing))} back …")
                self._putting_back = True
                self._work(self._put_back(preview.plan))

        self.app.push_screen(PutBackScreen(preview), answered)

    async def _put_back(self, plan: UndoPlan) -> None:
        self.dismiss(await self._controls.undo(plan))


class PutBackScreen(YesOrNo, inherit_bindings=False):
    """The files that would be changed, before they are."""

    def __init__(self, preview: UndoPreview) -> None:
        super().__init__()
        self._preview = preview

    def compose(self) -> ComposeResult:
        with Container(classes="dialog") as box:
            box.border_title = f"put {files_said(len(self._preview.changing))} back?"
            box.border_subtitle = "Esc leaves them · y or Enter puts them back"
            yield Static(id="undo-asked")

    def on_resize(self) -> None:
        asked = asked_content(self._preview, self.columns_inside(_EDGE_CELLS))
        self.query_one("#undo-asked", Static).update(asked)


def open_undo(
    app: App[Any], controls: UndoControls, note: Callable[[str], None], *, key: str, informs: bool = False
) -> None:
    """Show the dialog, and afterwards say what was done. `key` is what opened it, as a person reads it.

    `informs`: the program gets word of it.
    """

    def closed(result: UndoResult | None) -> None:
        if result is None:
            return
        note(done_words(result, key, informs=informs))
        if result.refused:
            app.push_screen(
                Page("not put back", lambda width: refused_content(result, width), closed_by="enter")
            )

    app.push_screen(UndoScreen(controls), closed)
