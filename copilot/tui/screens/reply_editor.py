"""Writing a reply: the editor, what was written before, and what is left in it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial

from copilot.core.reply import Reply
from copilot.core.screen_kinds import READY_KINDS, ScreenKind
from copilot.tui.model import CockpitModel
from copilot.tui.widgets.reply_box import ReplyBox

_MOST_TEXTS = 100
_WANTS_WORDS = READY_KINDS | {ScreenKind.QUESTION}
"""Kinds to which a bare Enter is no answer. At a text prompt it may take the default."""


class WrittenTexts:
    """Texts of this run, the oldest first, and where in them the editor is. Kept in memory, never on disk."""

    def __init__(self) -> None:
        self._texts: deque[str] = deque(maxlen=_MOST_TEXTS)
        self._at = 0
        self._draft = ""

    def add(self, text: str) -> None:
        if text.strip() and (not self._texts or self._texts[-1] != text):
            self._texts.append(text)

    def begin(self) -> None:
        """Go behind the newest: the editor opens."""
        self._at = len(self._texts)
        self._draft = ""

    def step(self, by: int, present: str) -> str | None:
        """The text that many further on (back, if negative); None at an end. The draft is kept."""
        to = self._at + by
        if not 0 <= to <= len(self._texts):
            return None
        if self._at == len(self._texts):
            self._draft = present
        self._at = to
        return self._draft if to == len(self._texts) else self._texts[to]


class UnsentText:
    """What was left in the editor; dropped when the prompt or the reply that it began with changes."""

    def __init__(self) -> None:
        self._about = ("", "")
        self._text: str | None = None

    def opened_on(self, identity: str, draft: str) -> str:
        """What the editor opens on at this prompt: what was left there, else the drafted reply."""
        if self._about != (identity, draft):
            self._about, self._text = (identity, draft), None
        return draft if self._text is None else self._text

    def keep(self, text: str) -> None:
        self._text = text


class ReplyEditor:
    """The actions of the editor. `send` sends a reply and goes back to the terminal."""

    def __init__(self, model: CockpitModel, panel: ReplyBox, send: Callable[[Reply], None]) -> None:
        self._model = model
        self._panel = panel
        self._send = send
        self._written, self._unsent = WrittenTexts(), UnsentText()
        self._identity = ""
        """The prompt that the editor was opened at."""
        self.actions: dict[str, Callable[[], None]] = {
            "send_edit": self._send_soon,
            "new_line": self._add_line,
            "older": partial(self._take_written, -1),
            "newer": partial(self._take_written, 1),
        }

    def open(self) -> None:
        """Open on what was left at this prompt, else on the drafted reply."""
        self._identity = self._model.detection.identity
        self._written.begin()
        self._panel.open_editor(self._unsent.opened_on(self._identity, self._model.draft_text()))

    def leave(self) -> None:
        """Keep what is written for the next time; after another prompt `older` finds it."""
        text = self._panel.editor.text
        self._unsent.keep(text)
        if self._model.detection.identity != self._identity:
            self._written.add(text)

    def _send_soon(self) -> None:
        # Once the editor has taken all that was typed before.
        self._panel.editor.call_later(self._send_written)

    def _send_written(self) -> None:
        model = self._model
        if model.detection.identity != self._identity or not model.answerable:
            self._refuse("the prompt has changed: Esc, and look again")
            return
        text = self._panel.editor.text
        self._unsent.keep(text)
        marked = model.marked_index()
        choice = None if marked is None else model.detection.options[marked].label
        if choice is None and not text.strip() and model.detection.kind in _WANTS_WORDS:
            self._refuse("nothing is written yet: write, or Esc")
            return
        self._written.add(text)
        self._send(Reply(choice=choice, text=text or None if choice else text))

    def _refuse(self, why: str) -> None:
        self._panel.border_subtitle = why
        self._panel.app.bell()

    def _take_written(self, by: int) -> None:
        editor = self._panel.editor
        text = self._written.step(by, editor.text)
        if text is not None:
            editor.load_text(text)
            editor.move_cursor(editor.document.end)

    def _add_line(self) -> None:
        editor = self._panel.editor
        editor.call_later(editor.insert, "\n")
