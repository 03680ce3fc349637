"""What waits for the person in all sessions, each with its question and the reply that is held."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from copilot.tui.describe import Badge
from copilot.tui.mouse import pickable
from copilot.tui.screens.dialog import Dialog
from copilot.tui.text import CHOSEN_STYLE, hanging, outside_line
from copilot.tui.widgets.detector_panel import chip
from copilot.tui.widgets.tab_bar import TabState


def queue_content(states: Sequence[TabState], chosen: int, width: int) -> Content:
    """All of them, a free row between two."""
    return Content("\n\n").join(queue_blocks(states, chosen, width))


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


class QueueScreen(Dialog[int | None], inherit_bindings=False):
    """Arrows choose a session, Enter or its digit goes there, Esc stays.

    Nothing is sent from here: a reply is sent where its prompt is seen.
    """

    def __init__(self, states: Sequence[TabState]) -> None:
        super().__init__()
        self.states = sorted(states, key=lambda state: not state.needs_person)
        self.chosen = 0

    def compose(self) -> ComposeResult:
        waiting = sum(state.needs_person for state in self.states)
        with VerticalScroll(classes="dialog", id="queue-box") as page:
            page.border_title = f"sessions · {waiting} of {len(self.states)} need you"
            page.border_subtitle = "Esc stays · ↑↓ choose · Enter goes there"
            yield Static(id="queue-text")

    def on_mount(self) -> None:
        self._show()

    def on_resize(self) -> None:
        self._show()

    def _show(self) -> None:
        width = max(20, min(80, self.app.size.width - 4))
        self.query_one("#queue-text", Static).update(queue_content(self.states, self.chosen, width))
        blocks = [block + "\n" for block in queue_blocks(self.states, self.chosen, width)]
        self.keep_line_in_sight("#queue-text", blocks, self.chosen)

    def pick(self, index: int) -> None:
        self.dismiss(self.states[index].number - 1)

    def on_key(self, event: events.Key) -> None:
        event.stop()
        numbers = [state.number for state in self.states]
        if event.key in ("escape", "q"):
            self.dismiss(None)
        elif event.key == "enter":
            self.dismiss(self.states[self.chosen].number - 1)
        elif event.key in ("up", "down", "k", "j"):
            step = -1 if event.key in ("up", "k") else 1
            self.chosen = max(0, min(len(self.states) - 1, self.chosen + step))
            self._show()
        elif event.key.isdigit() and int(event.key) in numbers:
            self.dismiss(int(event.key) - 1)
