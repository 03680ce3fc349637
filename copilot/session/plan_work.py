"""The hands of a plan: runs its commands in the time box and looks for texts on the screen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import re2

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.errors import CopilotError
from copilot.recording.artifacts import command_log
from copilot.redaction.redact import Redactor
from copilot.session.recent_output import RecentOutput
from copilot.timebox.box import Boxed, run
from copilot.timebox.limits import Limits, Outcome
from copilot.timebox.output_log import OutputLog

_EXCERPT_CHARACTERS = 2000
_ENOUGH_TO_KNOW = 120
"""This many letters and digits identify a prompt."""


class Desk(Protocol):
    """The session, as far as a plan's work needs it."""

    def clock(self) -> float:
        """Seconds since the run began."""

    def feed(self, event: ev.Event) -> None:
        """Give an event to the core."""

    def answer(self, event: ev.Event) -> None:
        """Give an event to the core once the present one is dealt with."""

    def fault(self, problem: Exception) -> None:
        """Something of ours broke."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workplace:
    """Where commands run, and with what. `log_folder` is the run's."""

    folder: str
    environment: Mapping[str, str]
    redactor: Redactor
    log_folder: Path
    recent: Callable[[], RecentOutput]
    saved: Callable[[], Awaitable[bool]]
    """Waits for the checkpoint before a command; whether it is taken."""


class PlanWorker:
    """Carries out a plan's effects; the answers are events. One command runs at a time."""

    def __init__(self, place: Workplace, desk: Desk) -> None:
        self._place = place
        self._desk = desk
        self._task: asyncio.Task[None] | None = None
        self._seen: dict[str, int] = {}
        """How often each pattern was on the screen: the minimum since the prompt was taken."""

    def carry_out(self, effect: fx.Effect) -> None:
        """Do what the effect says."""
        match effect:
            case fx.RunCommand():
                self._task = asyncio.get_running_loop().create_task(self._run(effect), name="plan command")
            case fx.StopCommand():
                self._stop()
            case fx.SearchScreen():
                found = self._search(effect)
                at = self._desk.clock()
                self._desk.answer(ev.ScreenSearched(at=at, ticket=effect.ticket, found=found))
            case _:
                pass

    async def close(self) -> None:
        """End the command that runs; returns when nothing of it is left."""
        self._stop()
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _run(self, effect: fx.RunCommand) -> None:
        """Run the command and report its end. Any error is reported as a failed command."""
        began = self._desk.clock()
        if not await self._place.saved():
            self._report_end(effect, began, passed=False, outcome="was not run: its checkpoint took too long")
            return
        try:
            log = self._log(effect.ticket)
        except OSError as error:
            self._report_end(effect, began, passed=False, outcome=f"cannot be recorded: {error.strerror}")
            return
        try:
            boxed = await run(
                effect.command.argv,
                Limits(hard_seconds=effect.seconds),
                folder=self._place.folder,
                environment=self._place.environment,
                on_output=log.take,
            )
        except CopilotError as problem:
            self._report_end(effect, began, passed=False, outcome=f"cannot be run: {problem}")
        except Exception as problem:
            self._desk.fault(problem)
        else:
            log.close()
            outcome = ended_words(boxed, effect.seconds)
            excerpt = log.tail()[-_EXCERPT_CHARACTERS:]
            self._report_end(effect, began, passed=boxed.passed, outcome=outcome, excerpt=excerpt)
        finally:
            log.close()

    def _log(self, ticket: int) -> OutputLog:
        path = self._place.log_folder / command_log(ticket)
        path.parent.mkdir(mode=0o700, exist_ok=True)
        return OutputLog(path, self._place.redactor)

    def _report_end(
        self, effect: fx.RunCommand, began: float, *, passed: bool, outcome: str, excerpt: str = ""
    ) -> None:
        at = self._desk.clock()
        ended = ev.CommandEnded(
            at=at, ticket=effect.ticket, passed=passed, outcome=outcome, excerpt=excerpt, seconds=at - began
        )
        self._desk.feed(ended)

    def _search(self, effect: fx.SearchScreen) -> bool:
        text = self._place.recent().text
        if effect.words:
            wanted = _letters(effect.words)[:_ENOUGH_TO_KNOW]
            return bool(wanted) and wanted in _letters(text)
        count = sum(1 for _ in re2.finditer(f"(?m){effect.pattern}", text))
        fewest = count if effect.mark else min(count, self._seen.get(effect.pattern, count))
        self._seen[effect.pattern] = fewest
        return count > fewest


def ended_words(boxed: Boxed, seconds: float) -> str:
    """How a command ended, to follow its name in a sentence."""
    if boxed.outcome is Outcome.TIMEOUT:
        return f"took longer than {seconds:g} s"
    if boxed.outcome is Outcome.NO_OUTPUT or boxed.exit_code is None:
        return "wrote nothing for too long"
    if boxed.exit_code < 0:
        return f"was ended by signal {-boxed.exit_code}"
    return "passed" if boxed.exit_code == 0 else f"exited with {boxed.exit_code}"


def _letters(text: str) -> str:
    """Letters and digits alone: CLIs wrap what was said, and set it into boxes."""
    return "".join(filter(str.isalnum, text))
