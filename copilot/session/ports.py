"""What a session needs of the adapters around it."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from copilot.core.effects import Effect, EndRun
from copilot.core.events import Event
from copilot.core.reply import Proposal, ReplyRequest
from copilot.core.snapshot import ScreenSnapshot, TtyFacts

_log = logging.getLogger("copilot.session")


class _EndsByFault(Protocol):
    def fault(self, problem: Exception) -> None: ...


Session = TypeVar("Session", bound=_EndsByFault)
Given = ParamSpec("Given")


def ends_by_fault(
    entry: Callable[Concatenate[Session, Given], None],
) -> Callable[Concatenate[Session, Given], None]:
    """An entry point of the session: whatever it raises becomes the session's fault."""

    @functools.wraps(entry)
    def guarded(session: Session, /, *given: Given.args, **named: Given.kwargs) -> None:
        try:
            entry(session, *given, **named)
        except Exception as problem:
            _log.exception("in %s", entry.__name__)
            session.fault(problem)

    return guarded


class Child(Protocol):
    """The child process in its terminal."""

    @property
    def alive(self) -> bool:
        """Whether it runs still."""

    def write(self, data: bytes) -> None:
        """Queue bytes for the child; a child that does not read is reported, never waited for."""

    def resize(self, columns: int, lines: int) -> None:
        """Report the new size to the kernel."""

    def signal(self, word: str) -> None:
        """`interrupt`, `continue` (after a stop), `end` (in order, with grace) or `kill`; returns at once."""

    def stopped(self) -> bool:
        """Whether the child is stopped, as after SIGSTOP."""

    def reads_keys(self) -> bool | None:
        """Whether the child itself has keys one by one, or echoed lines; None if that is not known."""

    def waits_idle(self) -> bool:
        """Whether nothing runs in front but the child, and it only waits for keys; False under doubt."""

    def cpu_used(self) -> float | None:
        """Seconds of CPU time that it and all below it used since the last call; None if not known."""

    def facts(self) -> TtyFacts:
        """What the kernel knows of the terminal now."""

    def hides_typing(self) -> bool:
        """Whether the terminal takes a line now without echoing it, as for a password."""

    async def end(self, grace_seconds: float) -> None:
        """End the child and all its descendants; returns when nothing of it is left."""


class Recorder(Protocol):
    """Where the run is written as it happens. Nothing here raises."""

    folder: Path
    failed: str
    """Why recording has failed; empty while it works. What cannot be recorded must not be typed."""

    report_failed: str
    """Why the page about the run is missing; empty if it is there."""

    def output(self, data: bytes, at: float) -> None:
        """Output of the child."""

    def defer_writes(self) -> None:
        """A person has pressed a key: what need not be recorded at once waits for a moment."""

    def event(self, event: Event) -> None:
        """An event, before it is handled."""

    def effect(self, effect: Effect, at: float) -> None:
        """An effect, before it is carried out; a decision is on the disk when this returns."""

    def record(self, kind: str, at: float, data: dict[str, Any]) -> None:
        """Something that is neither an event nor an effect; texts in `data` are redacted."""

    def request(self, request: ReplyRequest, series: str = "step") -> None:
        """The prompt exactly as the model gets it."""

    def proposal(self, request: ReplyRequest, proposal: Proposal, series: str = "step") -> None:
        """What the model answered."""

    def governing_prompt(self, number: int, text: str) -> tuple[str, str]:
        """Keep a version of the governing prompt: file and SHA-256, both empty if it is not kept."""

    def resize(self, columns: int, lines: int, at: float) -> None:
        """The terminal's new size."""

    def unknown_screen(self, snapshot: ScreenSnapshot, at: float, evidence: dict[str, Any]) -> int:
        """Keep a screen that was not understood; its number, 0 if it is not kept."""

    def no_report(self, reason: str) -> None:
        """The page about the run could not be written, though its records are whole."""

    def close(self, end: EndRun) -> None:
        """The run is over: the outcome is written and everything closed."""
