"""The choice of the autonomy level: four levels in four lines."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.widgets import Static

from copilot.core.decision import LEVEL_WORDS, Autonomy
from copilot.tui.level_shapes import LEVEL_SHAPES
from copilot.tui.picking import pickable
from copilot.tui.screens.dialog import Dialog
from copilot.tui.text import CHOSEN_STYLE

LEVELS = tuple(Autonomy)


def levels_content(chosen: Autonomy, *, keys: bool = True) -> Content:
    """The four lines, the chosen one marked."""
    lines = []
    for number, level in enumerate(LEVELS, 1):
        mark, style = ("▸", CHOSEN_STYLE) if level is chosen else (" ", "")
        key = f"{number} " if keys else ""
        head = f" {mark} {key}{LEVEL_SHAPES[level]} {level.value:<8}"
        line = Content.assemble((head, style), (f" {LEVEL_WORDS[level]} ", style or "$quiet"))
        lines.append(pickable(line, number - 1))
    return Content("\n").join(lines)


class AutonomyScreen(Dialog[Autonomy | None], inherit_bindings=False):
    """Keys 1 to 4 or the arrows choose, Enter takes, Esc leaves all as it was."""

    def __init__(self, level: Autonomy) -> None:
        super().__init__()
        self.level = level

    def compose(self) -> ComposeResult:
        """A small box."""
        with Container(classes="dialog") as box:
            box.border_title = "how much is sent without you"
            box.border_subtitle = "Esc leaves it · 1-4 or ↑↓ · Enter takes"
            yield Static(levels_content(self.level), id="levels")
            yield Static(
                "\nPasswords, unknown screens and forbidden commands are yours at every level.",
                classes="quiet",
            )

    def pick(self, index: int) -> None:
        """Take that level."""
        self.dismiss(LEVELS[index])

    def on_key(self, event: events.Key) -> None:
        """Choose."""
        event.stop()
        if event.key in ("escape", "q"):
            self.dismiss(None)
        elif event.key == "enter":
            self.dismiss(self.level)
        elif event.key in ("1", "2", "3", "4"):
            self.dismiss(LEVELS[int(event.key) - 1])
        elif event.key in ("up", "down", "k", "j"):
            step = -1 if event.key in ("up", "k") else 1
            self.level = LEVELS[(LEVELS.index(self.level) + step) % len(LEVELS)]
            self.query_one("#levels", Static).update(levels_content(self.level))
