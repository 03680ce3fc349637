"""What the child tells the application beside what it draws.

Every string in here comes from the child: without control characters and bounded, but hostile until
it has gone through `safety.safe_text`.
"""

from __future__ import annotations

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
    """OSC 133: `A` prompt, `B` command line, `C` output, `D` end, here with its exit code if one was told."""

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
