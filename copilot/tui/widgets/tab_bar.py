"""The line of tabs, where there is more than one session; each shows its state by shape, word and colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from copilot.tui.describe import Badge, badge, question_line, why_held
from copilot.tui.model import CockpitModel
from copilot.tui.text import HERE_STYLE, clean_line, show_content
from copilot.tui.widgets.risk_text import short_risk


@dataclass(frozen=True, slots=True)
class TabState:
    """One session at a glance. `number` counts from 1."""

    number: int
    name: str
    badge: Badge
    needs_person: bool = False
    question: str = ""
    reply: str = ""
    why: str = ""
    risk: Content = field(default_factory=Content)


def tab_state(number: int, name: str, model: CockpitModel, now: float, *, over: bool) -> TabState:
    """A session's state now; `over`: it has ended and is only still shown."""
    proposal = model.proposal
    return TabState(
        number,
        clean_line(name),
        badge(model, now),
        needs_person=model.needs_person and not over,
        question=question_line(model.view) if model.detection.asks else "",
        reply=clean_line(str(proposal.reply)) if proposal is not None else "",
        why=why_held(model),
        risk=short_risk(model.seen) if model.detection.asks and not model.secret else Content(""),
    )


def tab_name(profile: str, folder: str) -> str:
    """What a session is called: its CLI and the folder it works in."""
    place = PurePath(folder).name
    return f"{profile}:{place}" if place else profile


def next_needing(states: Sequence[TabState], here: int) -> int | None:
    """The index of the next session that needs a person, after the one at `here`; wraps."""
    order = [*range(here + 1, len(states)), *range(here + 1)]
    return next((index for index in order if states[index].needs_person and index != here), None)


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
        self._states, self._here = states, here
        content, self._spans = tabs_content(states, here, max(10, self.size.width))
        show_content(self, content, layout=False)

    def on_resize(self) -> None:
        if self._states:
            self.show(self._states, self._here)

    def on_click(self, event: events.Click) -> None:
        for start, end, index in self._spans:
            if start <= event.x < end:
                self.post_message(self.Chosen(index))
