"""What goes out of the terminal: events for the application, and answers for the child.

Every string of an event comes from the child: without control characters and bounded, but hostile until
it has gone through `safety.safe_text`.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from copilot.core.snapshot import ProgramStatus


@dataclass(frozen=True, slots=True)
class TitleChanged:
    """OSC 0 or 2."""

    title: str


@dataclass(frozen=True, slots=True)
class Bell:
    """BEL outside any sequence."""


@dataclass(frozen=True, slots=True)
class LinkSeen:
    """OSC 8: text drawn from now on links to `target` (empty: no longer)."""

    target: str


@dataclass(frozen=True, slots=True)
class ClipboardWrite:
    """OSC 52: the child asks that `text` be put into the clipboard. Only by the user's leave."""

    text: str


@dataclass(frozen=True, slots=True)
class Notification:
    """OSC 9, 99 or 777."""

    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class ProgressChanged:
    """OSC 9;4: None when no progress is shown, -1 when it is indeterminate, else per cent."""

    progress: int | None


@dataclass(frozen=True, slots=True)
class ShellMark:
    """OSC 133: `A` prompt, `B` command line, `C` output, `D` end, with its exit code if known."""

    kind: str
    exit_code: int | None = None


@dataclass(frozen=True, slots=True)
class StatusReported:
    """OSC 7501: the program status report; state `clear` takes back what was reported."""

    status: ProgramStatus


ScreenEvent = (
    TitleChanged
    | Bell
    | LinkSeen
    | ClipboardWrite
    | Notification
    | ProgressChanged
    | ShellMark
    | StatusReported
)

MOST_EVENTS = 1000
MOST_REPLIES = 64 * 1024
"""Bytes of answers that wait; a child that asks and never reads gets no more."""


class Outbox:
    """What waits to be taken. Of too many events the oldest are dropped, of answers the newest."""

    def __init__(self) -> None:
        self._events: deque[ScreenEvent] = deque(maxlen=MOST_EVENTS)
        self._replies: list[bytes] = []
        self._reply_bytes = 0

    def reply(self, answer: str) -> None:
        data = answer.encode()
        if self._reply_bytes + len(data) <= MOST_REPLIES:
            self._replies.append(data)
            self._reply_bytes += len(data)

    def emit(self, event: ScreenEvent) -> None:
        self._events.append(event)

    def bell(self, *_args: object) -> None:
        self.emit(Bell())

    def take_replies(self) -> bytes:
        replies = b"".join(self._replies)
        self._replies.clear()
        self._reply_bytes = 0
        return replies

    def take_events(self) -> tuple[ScreenEvent, ...]:
        events = tuple(self._events)
        self._events.clear()
        return events
