"""Messages that more than one widget knows. Those of one widget are nested in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from copilot.engine.view import SessionView
    from copilot.tui.screens.session import SessionScreen


class ScreenDirty(Message):
    """The emulated screen changed; many in one turn of the loop are handled once."""

    def can_replace(self, message: Message) -> bool:
        return isinstance(message, ScreenDirty)


@dataclass
class ViewChanged(Message):
    """The session's state changed; only the newest matters."""

    view: SessionView

    def can_replace(self, message: Message) -> bool:
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


@dataclass
class AttentionWanted(Message):
    """The run newly needs a person, or its state changed: title for the outer terminal, bell or not."""

    screen: SessionScreen
    title: str
    ring: bool
    reason: str = ""
    """What the person is needed for, in one line."""


@dataclass
class SessionLeft(Message):
    """The run is over and its person leaves it."""

    screen: SessionScreen
    exit_code: int
