"""The choice of the autonomy level: four levels in four lines."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.widgets import Static

from copilot.core.reply import LEVEL_WORDS, Autonomy
from copilot.tui.mouse import pickable
from copilot.tui.screens.dialog import Dialog
from copilot.tui.text import CHOSEN_STYLE, noted
from copilot.tui.themes import LEVEL_SHAPES

LEVELS = tuple(Autonomy)
_EDGE_CELLS = 6
"""Frame, padding and scroll bar."""


def levels_content(chosen: Autonomy, *, keys: bool = True) -> Content:
    return Content("\n").join(level_lines(chosen, keys=keys))


def level_lines(chosen: Autonomy, *, keys: bool = True, width: int | None = None) -> list[Content]:
    """The same one by one. In `width` cells only the words of the chosen one run over several rows."""
    lines = []
    for number, level in enumerate(LEVELS, 1):
        mark, style = ("▸", CHOSEN_STYLE) if level is chosen else (" ", "")
        key = f"{number} " if keys else ""
        head = f" {mark} {key}{LEVEL_SHAPES[level]} {level.value:<8}"
        words = Content.styled(f" {LEVEL_WORDS[level]} ", style or "$quiet")
        line = Content.styled(head, style) + words
        if width is not None and len(line.plain.rstrip()) > width:
            one = noted(Content.styled(head, style), words, width)
            line = one if level is chosen else line.truncate(width, ellipsis=True)
        lines.append(pickable(line, number - 1))
    return lines


class AutonomyScreen(Dialog[Autonomy | None], inherit_bindings=False):
    """Keys 1 to 4 or the arrows choose, Enter takes, Esc leaves all as it was."""

    def __init__(self, level: Autonomy) -> None:
        super().__init__()
        self.level = level

    def compose(self) -> ComposeResult:
        with Container(classes="dialog") as box:
            box.border_title = "how much is sent without you"
            box.border_subtitle = "Esc leaves it · 1-4 or ↑↓ · Enter takes"
            yield Static(id="levels")
            yield Static(
                "\nPasswords, unknown screens and forbidden commands are yours at every level.",
                classes="quiet",
            )

    def on_resize(self) -> None:
        self._show()

    def _show(self) -> None:
        levels = self.query_one("#levels", Static)
        lines = level_lines(self.level, width=self.columns_inside(_EDGE_CELLS))
        levels.update(Content("\n").join(lines))
        self.keep_line_in_sight("#levels", lines, LEVELS.index(self.level))

    def pick(self, index: int) -> None:
        self.dismiss(LEVELS[index])

    def on_key(self, event: events.Key) -> None:
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
            self._show()
