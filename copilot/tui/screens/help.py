"""Every key, made from the registry."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from copilot.tui.keymap import ACTIONS, Action, Place, shown

_SECTIONS = (
    (Place.LEADER, "after the leader {leader}"),
    (Place.REPLY, "in the reply panel (single keys)"),
    (Place.EDIT, "while you write a reply"),
    (Place.INSTRUCT, "while you write an instruction"),
    (Place.SCROLL, "while you look back"),
)


def help_content(leader: str) -> Content:
    """All places with their keys."""
    lines = [
        Content.assemble("In the terminal every key goes to the program, but ", (leader, "bold $accent"), ": the leader."),
        Content.assemble("Press it twice to send it through. While a reply counts down, ", ("any key", "bold"), " stops it."),
    ]
    for place, title in _SECTIONS:
        lines += [Content(""), Content.styled(title.format(leader=leader), "bold $primary")]
        lines += [_line(action, place) for action in ACTIONS if place in action.keys]
    return Content("\n").join(lines)


def _line(action: Action, place: Place) -> Content:
    keys = " ".join("↑" if key == "up" else shown(key) for key in action.keys[place])
    return Content.assemble((f"  {keys:<18}", "bold"), action.help)


class HelpScreen(ModalScreen[None], inherit_bindings=False):
    """A page that any of Esc, q and ? closes."""

    def __init__(self, leader: str) -> None:
        super().__init__()
        self.leader = leader

    def compose(self) -> ComposeResult:
        """A page that scrolls."""
        with VerticalScroll(classes="page") as page:
            page.border_title = "keys"
            page.border_subtitle = "↑↓ PgUp PgDn scroll · Esc closes"
            yield Static(help_content(self.leader))

    def on_key(self, event: events.Key) -> None:
        """Close; the page itself takes the scrolling keys."""
        if event.key in ("escape", "q", "question_mark"):
            event.stop()
            self.dismiss(None)
