"""A plan's hands: commands in the time box; texts looked for on the screen."""

from __future__ import annotations

import asyncio
import os
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.plan import PlanCommand
from copilot.core.risk import Risk, RiskLevel
from copilot.redaction.redact import Redactor
from copilot.session.plan_work import PlanWorker, Workplace
from copilot.session.recent_output import RecentOutput

SECRET = "correct-horse-battery-staple-42"
HIGH = Risk(RiskLevel.HIGH, ("deletes",), "test.high")


@dataclass
class Desk:
    """The session's side: what came back."""

    events: list[ev.Event] = field(default_factory=list)
    came: asyncio.Event = field(default_factory=asyncio.Event)

    def clock(self) -> float:
        return 1.0

    def feed(self, event: ev.Event) -> None:
        self.events.append(event)
        self.came.set()

    answer = feed

    def fault(self, problem: Exception) -> None:
        raise problem

    async def next(self) -> ev.Event:
        async with asyncio.timeout(20):
            while not self.events:
                self.came.clear()
                await self.came.wait()
        return self.events.pop(0)


@dataclass
class Office:
    """A worker, its desk, and a screen."""

    worker: PlanWorker
    desk: Desk
    log: Path
    screen: list[str]


@pytest.fixture
def office(tmp_path: Path) -> Office:
    screen = [""]
    log = tmp_path / "run"
    log.mkdir()
    project = tmp_path / "project"
    project.mkdir()
    place = Workplace(
        folder=str(project),
        environment={"PATH": os.environ["PATH"], "TOKEN_OF_TEST": SECRET},
        redactor=Redactor({"TOKEN_OF_TEST": SECRET}),
        log_folder=log,
        saved=_saved,
        recent=lambda: RecentOutput(screen[0]),
    )
    desk = Desk()
    return Office(PlanWorker(place, desk), desk, log, screen)


async def ran(office: Office, line: str, seconds: float = 10.0) -> ev.CommandEnded:
    command = PlanCommand(line, ("sh", "-c", line))
    office.worker.carry_out(fx.RunCommand(7, 1, command, seconds))
    ended = await office.desk.next()
    assert isinstance(ended, ev.CommandEnded) and ended.ticket == 7
    return ended


async def test_a_command_passes_and_its_output_is_kept_redacted(office: Office) -> None:
    ended = await ran(office, 'pwd; echo "token: $TOKEN_OF_TEST"; echo warning >&2')
    assert (ended.passed, ended.outcome) == (True, "passed")
    assert "/project" in ended.excerpt and "warning" in ended.excerpt
    kept = (office.log / "commands" / "007.log").read_text()
    assert "warning" in kept
    assert SECRET not in kept + ended.excerpt


@pytest.mark.row("CP-69")
@pytest.mark.parametrize(
    ("line", "seconds", "outcome"),
    [
        ("exit 3", 10.0, "exited with 3"),
        ("kill -9 $$", 10.0, "was ended by signal 9"),
        ("echo begun; sleep 600", 0.4, "took longer than 0.4 s"),
    ],
)
async def test_how_a_command_ends_is_said(office: Office, line: str, seconds: float, outcome: str) -> None:
    ended = await ran(office, line, seconds)
    assert (ended.passed, ended.outcome) == (False, outcome)


async def test_a_program_that_is_not_there_fails_the_command(office: Office) -> None:
    office.worker.carry_out(fx.RunCommand(7, 1, PlanCommand("nothing-like-it", ("nothing-like-it",)), 5.0))
    ended = await office.desk.next()
    assert isinstance(ended, ev.CommandEnded) and not ended.passed
    assert ended.outcome.startswith("cannot be run: ") and "nothing-like-it" in ended.outcome


async def test_a_stopped_command_is_gone_and_tells_nothing(office: Office) -> None:
    marker = office.log / "pid"
    line = f"echo $$ > {marker}; exec sleep 600"
    office.worker.carry_out(fx.RunCommand(7, 1, PlanCommand(line, ("sh", "-c", line)), 600.0))
    pid = await asyncio.to_thread(_written, marker)
    office.worker.carry_out(fx.StopCommand())
    await office.worker.close()
    assert office.desk.events == []
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def _saved() -> bool:
    return True


def _written(path: Path) -> int:
    deadline = time.monotonic() + 20
    while not (path.exists() and path.read_text().strip()):
        assert time.monotonic() < deadline, "the command never began"
        time.sleep(0.01)
    return int(path.read_text())


async def _found(office: Office, **search: object) -> bool:
    office.worker.carry_out(fx.SearchScreen(1, **search))  # type: ignore[arg-type]
    found = await office.desk.next()
    assert isinstance(found, ev.ScreenSearched)
    return found.found


async def test_words_are_found_however_they_are_wrapped(office: Office) -> None:
    office.screen[0] = "╭──────╮\n│ > Plan the gree │\n│   ting, please. │\n╰──────╯"
    assert await _found(office, words="Plan the greeting, please.")
    assert not await _found(office, words="Plan the farewell, please.")
    assert not await _found(office, words="...")


async def test_only_a_text_that_came_since_the_prompt_counts(office: Office) -> None:
    office.screen[0] = "READY\nold talk"
    assert not await _found(office, pattern="^READY$", mark=True)
    assert not await _found(office, pattern="^READY$")
    office.screen[0] = "READY\nold talk\nREADY"
    assert await _found(office, pattern="^READY$")
    office.screen[0] = "nothing"
    assert not await _found(office, pattern="^READY$", mark=True)
    office.screen[0] = "READY"
    assert await _found(office, pattern="^READY$")
