"""The question before something is allowed: which rules, for how long. Nothing counts before Enter."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.widgets import Static

from copilot.tui.picking import pickable
from copilot.tui.screens.dialog import Dialog
from copilot.tui.text import CHOSEN_STYLE, clean_line

SPANS = (("times=1", "once"), ("for=30m", "for 30 minutes"), ("", "for this run"))
"""Limits of a grant, and their words."""


def span_lines(chosen: int) -> list[Content]:
    """The three spans, the chosen one marked."""
    lines = []
    for index, (_, words) in enumerate(SPANS):
        mark, style = ("▸", CHOSEN_STYLE) if index == chosen else (" ", "")
        lines.append(pickable(Content.styled(f" {mark} {index + 1} {words} ", style), index))
    return lines


class AllowScreen(Dialog[str | None], inherit_bindings=False):
    """Keys 1 to 3 or the arrows choose how long, Enter allows it, Esc allows nothing. Gives the limits."""

    def __init__(self, rules: tuple[str, ...]) -> None:
        super().__init__()
        self._rules = rules
        self._chosen = 0

    def compose(self) -> ComposeResult:
        """The rules word by word, then how long."""
        with Container(classes="dialog") as box:
            box.border_title = "allow exactly this?"
            box.border_subtitle = "Esc allows nothing · 1-3 or ↑↓ · Enter allows it"
            for rule in self._rules:
                yield Static(Content.styled(clean_line(rule), "bold $warning"))
            yield Static(
                Content.styled(
                    "\nIts risk then counts as medium instead of high. Anything else, and the same with "
                    "other words, stays held.\n",
                    "$quiet",
                )
            )
            yield Static(id="allow-spans")

    def on_resize(self) -> None:
        """The rules may take more rows."""
        self._choose(self._chosen)

    def pick(self, index: int) -> None:
        """For so long; allowed only by the hint at the edge."""
        self._choose(index)

    def on_key(self, event: events.Key) -> None:
        """Choose, allow or leave."""
        event.stop()
        if event.key in ("escape", "q"):
            self.dismiss(None)
        elif event.key == "enter":
            self.dismiss(SPANS[self._chosen][0])
        elif event.key in ("1", "2", "3"):
            self._choose(int(event.key) - 1)
        elif event.key in ("up", "k", "down", "j"):
            self._choose((self._chosen + (-1 if event.key in ("up", "k") else 1)) % len(SPANS))

    def _choose(self, index: int) -> None:
        self._chosen = index
        lines = span_lines(index)
        self.query_one("#allow-spans", Static).update(Content("\n").join(lines))
        self.keep_line_in_sight("#allow-spans", lines, index)
