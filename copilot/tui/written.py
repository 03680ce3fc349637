"""What a person has written in a run, to be taken again. Kept in memory alone, never on the disk."""

from __future__ import annotations

from collections import deque

_MOST = 100


class Written:
    """The texts, the oldest first, and where in them the editor stands."""

    def __init__(self) -> None:
        self._texts: deque[str] = deque(maxlen=_MOST)
        self._at = 0
        self._draft = ""

    def add(self, text: str) -> None:
        """A text was sent."""
        if text.strip() and (not self._texts or self._texts[-1] != text):
            self._texts.append(text)

    def begin(self) -> None:
        """The editor has opened: it stands behind the newest."""
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


class Unsent:
    """What was left in the editor, while the prompt and the reply that it began with stand there."""

    def __init__(self) -> None:
        self._about = ("", "")
        self._text: str | None = None

    def opened_on(self, identity: str, draft: str) -> str:
        """What the editor opens on at this prompt: what was left there, else the drafted reply."""
        if self._about != (identity, draft):
            self._about, self._text = (identity, draft), None
        return draft if self._text is None else self._text

    def left(self, text: str) -> None:
        """The editor closes on this."""
        self._text = text
