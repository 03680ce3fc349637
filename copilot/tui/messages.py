"""Messages that more than one widget knows. Those of one widget are nested in it."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from copilot.session.view import SessionView


class ScreenDirty(Message):
    """The emulated screen changed; many in one turn of the loop are handled once."""

    def can_replace(self, message: Message) -> bool:
        """Whether this stands for `message` too."""
        return isinstance(message, ScreenDirty)


@dataclass
class ViewChanged(Message):
    """The session's state changed; only the newest matters."""

    view: SessionView

    def can_replace(self, message: Message) -> bool:
        """Whether this stands for `message` too."""
        return isinstance(message, ViewChanged)


@dataclass
class ReplyStreamed(Message):
    """More text of the reply came in."""

    text: str


@dataclass
class NoteGiven(Message):
    """Something a person should read once."""

    text: str


@dataclass
class SessionEnded(Message):
    """The session's own task is over: its exit code, or the fault that ended it."""

    exit_code: int
    fault: str = ""
