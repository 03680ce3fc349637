"""The choice of the autonomy level: four levels in four lines."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.widgets import Static

from copilot.core.reply import LEVEL_WORDS, Autonomy
from copilot.tui.mouse import pickable
from copilot.tui.screens.dialog import Choice
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


class AutonomyScreen(Choice[Autonomy | None], inherit_bindings=False):
    """Keys 1 to 4, and a click, take a level at once."""

    list_id = "#levels"
    wraps = True

    def __init__(self, level: Autonomy) -> None:
        super().__init__()
        self.chosen = LEVELS.index(level)

    def compose(self) -> ComposeResult:
        with Container(classes="dialog") as box:
            box.border_title = "how much is sent without you"
            box.border_subtitle = "Esc leaves it · 1-4 or ↑↓ · Enter takes"
            yield Static(id="levels")
            yield Static(
                "\nPasswords, unknown screens and forbidden commands are yours at every level.",
                classes="quiet",
            )

    def lines(self) -> list[Content]:
        return level_lines(LEVELS[self.chosen], width=self.columns_inside(_EDGE_CELLS))

    def take(self) -> None:
        self.dismiss(LEVELS[self.chosen])

    def pick(self, index: int) -> None:
        self.dismiss(LEVELS[index])

    def other_key(self, key: str) -> None:
        if key in ("1", "2", "3", "4"):
            self.dismiss(LEVELS[int(key) - 1])
