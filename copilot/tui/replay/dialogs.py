"""The pages over a replay: a verdict, every key."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from copilot.core.plan_progress import shown_kind
from copilot.core.screen_kinds import KIND_WORDS, ScreenKind
from copilot.engine.review import Prompt
from copilot.replay.verdicts import Word
from copilot.tui.replay.bars import legend
from copilot.tui.replay.describe import STATES, mark_signs
from copilot.tui.replay.keys import ACTIONS, GROUPS, shown_keys
from copilot.tui.screens.dialog import Dialog
from copilot.tui.screens.label import LABEL_KEYS
from copilot.tui.text import clean_line, hanging
from copilot.tui.widgets.text_boxes import LineBox

VERDICT_KEYS: dict[str, tuple[Word, str]] = {
    "r": (Word.RIGHT, "what was seen and done was right"),
    "k": (Word.WRONG_KIND, "it is another kind of screen"),
    "h": (Word.SHOULD_HAVE_HELD, "it was mine to decide, not to be sent by itself"),
    "s": (Word.SHOULD_HAVE_SENT, "there was no need to wait for me"),
    "w": (Word.WRONG_REPLY, "the reply was wrong; the note says the right one"),
    "u": (Word.WITHDRAWN, "take back what I said"),
}


_KIND_CELLS = max(len(KIND_WORDS[kind]) for kind, _ in LABEL_KEYS.values())


@dataclass(frozen=True, slots=True)
class Said:
    """What the reviewer says."""

    word: Word
    kind: ScreenKind | None
    note: str


class VerdictScreen(Dialog[Said | None], inherit_bindings=False):
    """One key for the word, for a wrong kind another for the right one, then a note; Esc leaves it."""

    def __init__(self, prompt: Prompt) -> None:
        super().__init__()
        self._prompt = prompt
        self._word: Word | None = None
        self._kind: ScreenKind | None = None

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", id="verdict-box") as box:
            detection = self._prompt.detection
            box.border_title = clean_line(f"prompt {self._prompt.number}: {shown_kind(detection)}")
            box.border_subtitle = "Esc leaves it · one key says it"
            yield Static(_verdict_lines(), id="verdict-words")
            yield LineBox(placeholder="a note, or just Enter", id="verdict-note")

    def on_mount(self) -> None:
        self.query_one(Input).display = False

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            event.stop()
            self.dismiss(None)
        elif self._word is None and event.key in VERDICT_KEYS:
            event.stop()
            self._say(VERDICT_KEYS[event.key][0])
        elif self._word is Word.WRONG_KIND and self._kind is None and event.key in LABEL_KEYS:
            event.stop()
            self._kind = LABEL_KEYS[event.key][0]
            self._ask_note(f"it is {KIND_WORDS[self._kind]}")

    def _say(self, word: Word) -> None:
        self._word = word
        if word is Word.WITHDRAWN:
            self.dismiss(Said(word, None, ""))
        elif word is Word.WRONG_KIND:
            lines = (
                Content.assemble(
                    (f" {key} ", "bold $accent"),
                    f" {KIND_WORDS[kind]:<{_KIND_CELLS}}  ",
                    (words, "$quiet"),
                )
                for key, (kind, words) in LABEL_KEYS.items()
            )
            self.query_one("#verdict-words", Static).update(Content("\n").join(lines))
        else:
            self._ask_note(word.value)

    def _ask_note(self, said: str) -> None:
        self.query_one("#verdict-words", Static).update(Content.styled(said, "bold"))
        note = self.query_one(Input)
        note.display = True
        # Focused once this key has been dealt with: else it would be typed.
        self.call_after_refresh(note.focus)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self._word is not None:
            self.dismiss(Said(self._word, self._kind, event.value))


def _verdict_lines() -> Content:
    return Content("\n").join(
        Content.assemble((f" {key} ", "bold $accent"), f" {word.value:<18}", (words, "$quiet"))
        for key, (word, words) in VERDICT_KEYS.items()
    )


def help_content(width: int) -> Content:
    """Every key, and what the shapes of the timeline mean, in rows of `width` cells."""
    lines: list[Content] = []
    for group, title in GROUPS.items():
        lines += [Content.styled(title, "bold $primary")]
        lines += [
            hanging(Content.styled(f"  {shown_keys(action):<12} ", "bold"), Content(action.help), width)
            for action in ACTIONS
            if action.group == group
        ]
        lines.append(Content(""))
    lines += [
        Content.styled("the timeline", "bold $primary"),
        *(
            hanging(Content("  "), legend(signs), width)
            for signs in (mark_signs(), list(STATES.values())[1:])
        ),
        Content("  third row: the risk of a yes to each prompt; a click goes to a moment"),
    ]
    return Content("\n").join(lines)
