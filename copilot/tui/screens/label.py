"""What a screen is: its present reading is offered first, one key says another."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from copilot.core.screen_kinds import KIND_WORDS, SCREEN_KINDS, ScreenKind
from copilot.recording.unknown_screens import LABELS
from copilot.tui.mouse import pickable
from copilot.tui.screens.dialog import Dialog

LABEL_KEYS = {entry.label_key: (kind, entry.hint) for kind, entry in SCREEN_KINDS.items() if entry.label_key}

_KIND_CELLS = max(len(KIND_WORDS[kind]) for kind, meaning in LABEL_KEYS.values() if meaning)
"""The one long kind says all by itself: nothing is aligned with it."""
_HALF = (len(LABEL_KEYS) + 1) // 2
_OFFERED = len(LABEL_KEYS)
"""The place of the reading that is offered, behind those of the kinds."""
_EDGE = 4
"""Frame and padding."""
_BARS = 4
"""Lines below the box while it is at the lower edge, as in `styles/dialogs.tcss`."""


def label_content(offered: ScreenKind | None = None, *, columns: int = 1, words: bool = True) -> Content:
    """The kind that is offered, then each with its key, and what it is; in two columns half as many rows."""
    kinds = _kinds_content(columns, words=words)
    if offered is None:
        return kinds
    first = Content.assemble(
        (" Enter ", "bold $primary"), f" {KIND_WORDS[offered]} ", ("as it is read now", "$quiet")
    )
    return Content("\n").join([pickable(first, _OFFERED), kinds])


def _kinds_content(columns: int, *, words: bool) -> Content:
    cells = [_cell(index, words=words) for index in range(len(LABEL_KEYS))]
    if columns == 1:
        return Content("\n").join(cells)
    left, right = cells[:_HALF], cells[_HALF:]
    width = max(cell.cell_length for cell in left) + 1
    return Content("\n").join(
        one + " " * (width - one.cell_length) + other
        for one, other in zip_longest(left, right, fillvalue=Content(""))
    )


def _cell(index: int, *, words: bool) -> Content:
    key, (kind, meaning) = list(LABEL_KEYS.items())[index]
    word = KIND_WORDS[kind]
    rest = f" {word:<{_KIND_CELLS}}  " if words and meaning else f" {word} "
    return pickable(
        Content.assemble((f" {key} ", "bold $primary"), rest, (meaning if words else "", "$quiet")), index
    )


def _width(content: Content) -> int:
    return max(line.cell_length for line in content.split("\n"))


class LabelScreen(Dialog[ScreenKind | None], inherit_bindings=False):
    """One key labels, Esc leaves it as it is. The end of the screen that is asked about stays in sight.

    `read` is what it is read as now.
    """

    shows_below = True

    def __init__(self, read: ScreenKind, last_line: Callable[[], int]) -> None:
        super().__init__()
        self._offered = read if read in LABELS else None
        self._last_line = last_line
        """The line of the window of the last row of the asked screen."""

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", id="label-box") as box:
            box.border_title = "what is this screen?"
            box.border_subtitle = "Esc leaves it · one key says it"
            yield Static(id="labels")

    def on_resize(self) -> None:
        """At once, and again when what lies below has its new size."""
        self._arrange()
        self.call_after_refresh(self._arrange)

    def _arrange(self) -> None:
        """Over the panels beside the terminal; else below what is asked; else above its end."""
        columns, lines = self.app.size
        beside = self.panels_beside
        content, width = label_content(self._offered), beside
        over_panels = beside >= _width(content) + _EDGE
        if not over_panels:
            content = label_content(self._offered, columns=2)
            if _width(content) + _EDGE > columns:
                content = label_content(self._offered, columns=2, words=False)
            width = _width(content) + _EDGE
        self.query_one("#labels", Static).update(content)
        self.query_one("#label-box").styles.width = width
        top = lines - _BARS - len(content.split("\n")) - 2
        self.set_class(over_panels, "-over-panels")
        self.set_class(not over_panels and self._last_line() >= top, "-above")

    def pick(self, index: int) -> None:
        self.dismiss(self._offered if index == _OFFERED else list(LABEL_KEYS.values())[index][0])

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            event.stop()
            self.dismiss(None)
        elif event.key == "enter" and self._offered is not None:
            event.stop()
            self.dismiss(self._offered)
        elif event.key in LABEL_KEYS:
            event.stop()
            self.dismiss(LABEL_KEYS[event.key][0])
