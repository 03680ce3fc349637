"""What a screen is that nobody understood: one key says it."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from copilot.core.detection import ScreenKind
from copilot.core.kind_words import KIND_WORDS
from copilot.tui.picking import pickable
from copilot.tui.screens.dialog import Dialog

_KIND_CELLS = max(map(len, KIND_WORDS.values()))
LABEL_KEYS: dict[str, tuple[ScreenKind, str]] = {
    "p": (ScreenKind.PERMISSION, "asks whether a command or an edit may be done"),
    "m": (ScreenKind.MENU, "a list to choose from"),
    "y": (ScreenKind.YES_NO, "a question for yes or no"),
    "r": (ScreenKind.TRUST, "asks whether the folder is trusted"),
    "q": (ScreenKind.QUESTION, "its last message asks something"),
    "t": (ScreenKind.TEXT_INPUT, "wants text"),
    "w": (ScreenKind.PASSWORD, "wants a secret"),
    "l": (ScreenKind.LOGIN, "wants an account or key"),
    "k": (ScreenKind.PRESS_KEY, "goes on at any key"),
    "g": (ScreenKind.PAGER, "text is being paged"),
    "v": (ScreenKind.EDITOR, "an editor is open"),
    "i": (ScreenKind.IDLE, "ready, nothing is asked"),
    "c": (ScreenKind.COMPLETED, "ready, after a turn"),
    "b": (ScreenKind.BUSY, "it works"),
    "s": (ScreenKind.STARTING, "it starts"),
    "e": (ScreenKind.ERROR, "a turn failed"),
}


def label_content() -> Content:
    """One line for each kind, with its key."""
    lines = []
    for index, (key, (kind, words)) in enumerate(LABEL_KEYS.items()):
        named = f" {KIND_WORDS[kind]:<{_KIND_CELLS}}  "
        lines.append(
            pickable(Content.assemble((f" {key} ", "bold $primary"), named, (words, "$quiet")), index)
        )
    return Content("\n").join(lines)


class LabelScreen(Dialog[ScreenKind | None], inherit_bindings=False):
    """One key labels, Esc leaves it as it is."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number

    def compose(self) -> ComposeResult:
        """A small box."""
        with VerticalScroll(classes="dialog", id="label-box") as box:
            box.border_title = f"what is this screen? (unknown {self._number})"
            box.border_subtitle = "Esc leaves it · one key says it"
            yield Static(label_content(), id="labels")
            told = ("\n Nothing is typed at it; ", ("copilot profiles learn", "bold"), " makes a rule.")
            yield Static(Content.assemble(*told), classes="quiet")

    def pick(self, index: int) -> None:
        """That is what it is."""
        self.dismiss(list(LABEL_KEYS.values())[index][0])

    def on_key(self, event: events.Key) -> None:
        """Say it; the box itself takes the scrolling keys."""
        if event.key == "escape":
            event.stop()
            self.dismiss(None)
        elif event.key in LABEL_KEYS:
            event.stop()
            self.dismiss(LABEL_KEYS[event.key][0])
