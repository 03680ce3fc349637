"""What waits for the person in all sessions, each with its question and the reply that is held."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from copilot.tui.describe import Badge
from copilot.tui.mouse import pickable
from copilot.tui.screens.dialog import Choice
from copilot.tui.text import CHOSEN_STYLE, hanging, outside_line
from copilot.tui.widgets.detector_panel import chip
from copilot.tui.widgets.tab_bar import TabState


def queue_blocks(states: Sequence[TabState], chosen: int, width: int) -> list[Content]:
    """For each session which it is and its state; what is asked; what would be answered, or why not."""
    blocks = []
    longest = max((cell_len(state.name) for state in states), default=0)
    for index, state in enumerate(states):
        mark, style = ("▸", CHOSEN_STYLE) if index == chosen else (" ", "bold")
        after = " " * (2 + longest - cell_len(state.name))
        head = Content.assemble((f" {mark} {state.number} {state.name} ", style), after, chip(state.badge))
        asked = outside_line(state.question or _idle_state(state.badge))
        lines = [head.truncate(width, ellipsis=True), hanging(Content("     "), asked, width)]
        if state.reply:
            sign = Content.assemble("     ", ("◆ ", "$accent"))
            said = outside_line(state.reply, "bold")
            beside = [said, state.risk] if state.risk.cell_length else [said]
            lines.append(hanging(sign, Content("  ").join(beside), width))
        elif state.risk.cell_length:
            lines.append(Content("     ") + state.risk)
        if state.why:
            sign = Content.assemble("     ", ("▲ ", "$warning"))
            lines.append(hanging(sign, outside_line(state.why, "$quiet"), width))
        blocks.append(pickable(Content("\n").join(lines), index))
    return blocks


def _idle_state(badge: Badge) -> str:
    """The state of a session in which nothing is asked."""
    if badge.detail[:1].isdigit():
        return f"{badge.word.lower()} for {badge.detail}"
    return badge.detail or "nothing is asked"


class QueueScreen(Choice[int | None], inherit_bindings=False):
    """A session's digit, and a click, go there at once.

    Nothing is sent from here: a reply is sent where its prompt is seen.
    """

    list_id = "#queue-text"
    between = "\n\n"

    def __init__(self, states: Sequence[TabState]) -> None:
        super().__init__()
        self.states = sorted(states, key=lambda state: not state.needs_person)

    def compose(self) -> ComposeResult:
        waiting = sum(state.needs_person for state in self.states)
        with VerticalScroll(classes="dialog", id="queue-box") as page:
            page.border_title = f"sessions · {waiting} of {len(self.states)} need you"
            page.border_subtitle = "Esc stays · ↑↓ choose · Enter goes there"
            yield Static(id="queue-text")

    def lines(self) -> list[Content]:
        return queue_blocks(self.states, self.chosen, max(20, min(80, self.app.size.width - 4)))

    def take(self) -> None:
        self.pick(self.chosen)

    def pick(self, index: int) -> None:
        self.dismiss(self.states[index].number - 1)

    def other_key(self, key: str) -> None:
        if key.isdigit() and int(key) in [state.number for state in self.states]:
            self.dismiss(int(key) - 1)
