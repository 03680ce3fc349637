"""A live session, a replay and `detect` drive the same engine: same input, same readings, decisions and keys."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import fields, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from copilot.core import events as ev
from copilot.core.detection import Detection
from copilot.core.effects import Effect
from copilot.core.events import Event
from copilot.core.profile import Profile
from copilot.core.reply import Autonomy, Proposal, Reply, ReplyRequest
from copilot.core.run import Run
from copilot.core.snapshot import UNKNOWN_FACTS, TtyFacts
from copilot.detection import Examiner
from copilot.engine.engine import Engine
from copilot.engine.prompt_risk import RiskAssessor
from copilot.engine.reader import ScreenReader
from copilot.guard.scope import ProjectScope
from copilot.prompting import TextGuards
from copilot.recording.asciicast import Cast, read_cast
from copilot.replay.detect import detections_of
from copilot.replay.driver import CastPlayer, Piece, pieces_of, watching
from copilot.screen import TerminalScreen
from copilot.session.asking import Asker, RequestDefaults
from copilot.session.live import LiveSession
from copilot.session.recent_output import recent_output
from tests.engine import virtual_time
from tests.examples import ALL
from tests.scoreboard import casts_under
from tests.scoring.labels import CORPUS
from tests.scoring.scores import PLAIN, profile_of

LIMIT_SECONDS = 90.0
CASTS = list(casts_under([CORPUS], []))
EVERY = 1 if ALL else 12


def engine_for(cast: Cast, profile: Profile) -> Engine:
    screen = TerminalScreen(cast.header.columns, cast.header.lines)
    run = Run(profile=profile, autonomy=Autonomy.FULL)
    return Engine(run, ScreenReader(screen, Examiner(profile)), RiskAssessor(ProjectScope("/p", "/home/me")))


def first_option(detection: Detection) -> Proposal:
    """A model without judgement: the first option, or a word."""
    options = detection.options
    return Proposal(Reply(choice=options[0].label) if options else Reply(text="go on"))


class _Child:
    """A child that is only its output; what is typed goes nowhere."""

    alive = True

    def facts(self) -> TtyFacts:
        return UNKNOWN_FACTS

    def cpu_used(self) -> float | None:
        return None

    def write(self, data: bytes) -> None: ...

    def resize(self, columns: int, lines: int) -> None: ...

    def signal(self, word: str) -> None: ...

    async def end(self, grace_seconds: float) -> None: ...


class _Recorder:
    """Records nothing, and keeps the steps."""

    folder = Path()
    failed = report_failed = ""

    def __init__(self) -> None:
        self.steps: list[Event | Effect] = []

    def event(self, event: Event) -> None:
        self.steps.append(event)

    def effect(self, effect: Effect, at: float) -> None:
        self.steps.append(effect)

    def unknown_screen(self, *_: Any) -> int:
        return 0

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_: None


class _Provider:
    """Answers at once."""

    name, model = "first option", ""

    def __init__(self, run: Run) -> None:
        self.run = run

    async def propose(self, request: ReplyRequest, on_text: Callable[[str], None]) -> Proposal:
        return first_option(self.run.detection)

    async def close(self) -> None: ...


class _Listener:
    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_: None


def deliver(session: LiveSession, pieces: list[Piece]) -> None:
    """What the child writes at one moment, in its order."""
    for piece in pieces:
        if piece.size is not None:
            session.resize(*piece.size)
        elif piece.data:
            session.child_wrote(piece.data)


async def live(cast: Cast, profile: Profile) -> list[Event | Effect]:
    """The recording as the output of a child of a live session."""
    recorder: Any = _Recorder()
    listener: Any = _Listener()
    child: Any = _Child()
    session = LiveSession(engine_for(cast, profile), recorder, listener, lambda _: None)

    async def nothing() -> None:
        return None

    provider: Any = _Provider(session.run)
    rules = RequestDefaults(
        governing_prompt="", profile_title=profile.name, upload=False, guards=TextGuards()
    )
    asker = Asker(provider, rules, lambda: recent_output(session.screen), nothing, session)
    session.start(child, asker)
    loop = asyncio.get_running_loop()
    for at, pieces in groupby(pieces_of(cast), key=lambda piece: piece.at):
        if at <= LIMIT_SECONDS:
            loop.call_at(at, deliver, session, list(pieces))
    await asyncio.sleep(LIMIT_SECONDS)
    await session.close()
    return list(recorder.steps)


def replayed(cast: Cast, profile: Profile) -> list[Event | Effect]:
    """The same by the replay's driver."""
    player = CastPlayer(cast, engine_for(cast, profile), propose=lambda asked: first_option(asked.detection))
    return [step for step in player.outputs(until=LIMIT_SECONDS) if isinstance(step, Event | Effect)]


def rounded(step: Event | Effect) -> Event | Effect:
    """Without what the sums of times differ by."""
    times: dict[str, Any] = {
        field.name: round(value, 6)
        for field in fields(step)
        if isinstance(value := getattr(step, field.name), float)
    }
    return replace(step, **times)


@pytest.mark.parametrize("path", CASTS[::EVERY], ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_live_and_replay_are_the_same_event_for_event(path: Path) -> None:
    cast, profile = read_cast(path), profile_of(path.parent.name, PLAIN)
    lived = [rounded(step) for step in virtual_time.run(live(cast, profile))]
    again = [rounded(step) for step in replayed(cast, profile)]
    for number, (one, other) in enumerate(zip(lived, again, strict=False)):
        assert one == other, f"step {number}"
    assert len(lived) == len(again)
    assert any(isinstance(step, ev.ScreenSettled) for step in lived)


@pytest.mark.parametrize("path", CASTS[::EVERY], ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_detect_says_what_a_watching_run_sees(path: Path) -> None:
    cast, profile = read_cast(path), profile_of(path.parent.name, PLAIN)
    seen = [
        one
        for one in CastPlayer(cast, watching(cast, profile)).outputs()
        if isinstance(one, ev.ScreenSettled)
    ]
    assert [one.detection.kind.value for one in seen] == [
        found["kind"] for found in detections_of(path, profile)
    ]
