"""The line of tabs, where there is more than one session; each tells its state by shape, word and colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from copilot.tui.tabs import TabState
from copilot.tui.text import HERE_STYLE
from copilot.tui.widgets.showing import show_content

_QUIET = frozenset({"BUSY", "READY", "STARTING"})


def tabs_content(
    states: Sequence[TabState], here: int, width: int
) -> tuple[Content, tuple[tuple[int, int, int], ...]]:
    """The line, and for each tab its first column, the one after its last, and its index.

    Where not all fit, words go first, then tabs at the left of the present one.
    """
    for words in (True, False):
        for first in range(here + 1) if not words else (0,):
            cells = [_cell(state, words=words, here=index == here) for index, state in enumerate(states)]
            used = sum(cell.cell_length + 1 for cell in cells[first:])
            if used <= width or (not words and first == here):
                return _placed(cells, first)
    return Content(""), ()


def _placed(cells: Sequence[Content], first: int) -> tuple[Content, tuple[tuple[int, int, int], ...]]:
    spans, column = [], 0
    for index, cell in enumerate(cells[first:], first):
        spans.append((column, column + cell.cell_length, index))
        column += cell.cell_length + 1
    return Content(" ").join(cells[first:]), tuple(spans)


def _cell(state: TabState, *, words: bool, here: bool) -> Content:
    shape = f"{state.badge.shape} {state.badge.word.lower()} " if words else f"{state.badge.shape} "
    strong = state.needs_person or here
    name_style = f"bold underline {HERE_STYLE}" if here else ("bold" if strong else "$quiet")
    edge = "▸" if here else " "
    # Beside the ground of the chosen tab, on which not every tone can be read.
    shape_style = f"{'bold ' if strong else ''}${state.badge.tone}"
    return Content.assemble((f"{edge}{state.number} {state.name} ", name_style), (shape, shape_style))


class TabBar(Static):
    """Shows `tabs_content`; a click on a tab goes there."""

    @dataclass
    class Chosen(Message):
        """A tab was clicked."""

        index: int

    _spans: tuple[tuple[int, int, int], ...] = ()
    _states: Sequence[TabState] = ()
    _here = 0

    def show(self, states: Sequence[TabState], here: int) -> None:
        """Show these tabs, the one at `here` in front."""
        self._states, self._here = states, here
        content, self._spans = tabs_content(states, here, max(10, self.size.width))
        show_content(self, content, layout=False)

    def on_resize(self) -> None:
        """Another number of tabs fits."""
        if self._states:
            self.show(self._states, self._here)

    def on_click(self, event: events.Click) -> None:
        """Go to the tab under the pointer."""
        for start, end, index in self._spans:
            if start <= event.x < end:
                self.post_message(self.Chosen(index))
