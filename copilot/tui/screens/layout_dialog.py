"""Which panels show, and how big they are. What is chosen is seen at once, behind the box, and remembered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.widgets import Static

from copilot.tui.layout import (
    DEFAULT_LAYOUT,
    HIDEABLE,
    PANELS,
    Form,
    Layout,
    LayoutPreferences,
    layout_for,
    resized,
)
from copilot.tui.mouse import pickable
from copilot.tui.screens.dialog import Dialog
from copilot.tui.text import rows_of

_WORDS = {
    "detector": "what it sees",
    "reply": "the reply",
    "context": "what the model saw",
    "timeline": "the run as a line",
}
_STEP = 2
_EDGE = 4
"""Frame and padding."""
_FRAME, _ABOVE, _ROOMY_ROWS = 2, 1, 16
"""The line over the box, as in `styles/dialogs.tcss`; in a lower window there is none, and no padding."""
_ONE_LINE = 0


def why_unseen(name: str, layout: Layout, preferences: LayoutPreferences) -> str:
    """Why something that is shown cannot be seen in this layout; empty if it can, or is hidden.

    `styles/session.tcss` says which form shows what.
    """
    if name in preferences.hidden or _seen(name, layout, preferences):
        return ""
    if layout.form in _ALONE:
        return _ALONE[layout.form]
    if layout.form is Form.TALL and name == "context":
        return "here only in the place of 1"
    if preferences.hidden.issuperset(PANELS):
        return "only beside panels"
    return "once it is wanted; this window is small" if name == "reply" else "this window is too small"


_ALONE = {Form.LINE: "not while a single line is ours", Form.BARE: "not while the terminal is zoomed"}


def _seen(name: str, layout: Layout, preferences: LayoutPreferences) -> bool:
    if name == "timeline":
        return layout.timeline
    if layout.form is Form.TALL:
        return name != "context" or "detector" in preferences.hidden
    return layout.form is Form.WIDE


def layout_content(preferences: LayoutPreferences, layout: Layout, width: int, rows: int) -> Content:
    """One line for each thing that can be shown or hidden, and what this window cannot show of it.

    Where that does not fit into so many rows, the reasons follow below, each once: arrows resize here, so
    that nothing could be scrolled to.
    """
    lines, reasons = [], dict[str, str]()
    for number, name in enumerate(HIDEABLE, 1):
        shown = name not in preferences.hidden
        lines.append(_line(str(number), _switch(shown), _WORDS[name], shown))
        reasons[name] = why_unseen(name, layout, preferences)
    whole = [_with_reason(line, why) for line, why in zip(lines, reasons.values(), strict=True)]
    one_line = _line(
        "o",
        _switch(preferences.one_line),
        "one line: a single line is ours, all else is the terminal",
        preferences.one_line,
    )
    if rows_of(Content("\n").join([*whole, one_line]), width) <= rows:
        return _listed([*whole, one_line])
    brief = [line.truncate(width, ellipsis=True) for line in (*lines, one_line)]
    return Content("\n").join([_listed(brief), *_below(list(reasons.values()))])


def _with_reason(line: Content, why: str) -> Content:
    return Content.assemble(line, (f": {why}", "$warning")) if why else line


def _listed(lines: Sequence[Content]) -> Content:
    """The switches, each to be clicked; the last is that of the one-line form."""
    *things, one_line = lines
    numbered = [pickable(line, number) for number, line in enumerate(things, 1)]
    return Content("\n").join([*numbered, pickable(one_line, _ONE_LINE)])


def _below(reasons: Sequence[str]) -> list[Content]:
    """Each reason once, after the numbers of what it is of."""
    lines = []
    for why in dict.fromkeys(filter(None, reasons)):
        numbers = " ".join(str(number) for number, one in enumerate(reasons, 1) if one == why)
        lines.append(Content.styled(f" {numbers}: {why}", "$warning"))
    return lines


def _switch(on: bool) -> str:
    return "■ on" if on else "□ off"


def _line(key: str, state: str, words: str, strong: bool) -> Content:
    return Content.assemble(
        (f" {key} ", "bold $primary"), (f"{state:<7}", "bold" if strong else "$quiet"), words
    )


class LayoutScreen(Dialog[None], inherit_bindings=False):
    """Digits show and hide, arrows resize, o is the one-line form, 0 resets all, Esc closes."""

    shows_below = True

    def __init__(
        self,
        preferences: LayoutPreferences,
        apply: Callable[[LayoutPreferences], None],
        *,
        zoomed: bool = False,
    ) -> None:
        super().__init__()
        self.preferences = preferences
        self._apply = apply
        self._zoomed = zoomed

    def compose(self) -> ComposeResult:
        with Container(classes="dialog") as box:
            box.border_title = "layout"
            box.border_subtitle = "Esc closes · 1-4, o switch · ←→ ↑↓ size · 0 resets all"
            yield Static(id="layout-lines")
            yield Static(
                "\nThe edge of the panels can be dragged with the mouse, too.",
                id="layout-drag",
                classes="quiet",
            )

    def on_resize(self) -> None:
        self._show()

    def _show(self) -> None:
        layout = layout_for(*self.app.size, zoomed=self._zoomed, preferences=self.preferences)
        rows = self.app.size.height
        width = self.columns_inside(_EDGE)
        self.set_class(rows < _ROOMY_ROWS, "-short")
        content = layout_content(
            self.preferences, layout, width, rows - _EDGE - _ABOVE if rows >= _ROOMY_ROWS else rows - _FRAME
        )
        self.query_one("#layout-lines", Static).update(content)
        self.query_one("#layout-drag").display = layout.form in (Form.WIDE, Form.TALL)

    def pick(self, index: int) -> None:
        self.press("o" if index == _ONE_LINE else str(index))

    def on_key(self, event: events.Key) -> None:
        event.stop()
        columns, lines = self.app.size
        if event.key in ("escape", "q", "enter"):
            self.dismiss(None)
            return
        if event.key in ("1", "2", "3", "4"):
            self.preferences = self.preferences.toggled(HIDEABLE[int(event.key) - 1])
        elif event.key == "o":
            self.preferences = replace(self.preferences, one_line=not self.preferences.one_line)
        elif event.key == "0":
            self.preferences = DEFAULT_LAYOUT
        elif event.key in ("left", "up", "plus"):
            self.preferences = resized(self.preferences, columns, lines, by=_STEP)
        elif event.key in ("right", "down", "minus"):
            self.preferences = resized(self.preferences, columns, lines, by=-_STEP)
        else:
            return
        self._show()
        self._apply(self.preferences)
        self.keep_panels_in_sight()
