"""A live session on the simulated coding CLI: the real driver, terminal, detectors, guard and recorder."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from copilot.core import effects as fx
from copilot.core.effects import Effect, EndRun
from copilot.core.events import Event
from copilot.core.reply import Autonomy, Proposal, Reply, ReplyRequest
from copilot.core.settings import RunSettings
from copilot.core.states import RunState
from copilot.demo.project import DemoProject
from copilot.engine.view import SessionView
from copilot.providers.model_provider import Provider
from copilot.session.live import LiveSession
from copilot.session.start import finish, prepare, start

PATIENCE_SECONDS = 100.0


@dataclass
class FakeProvider:
    """Gives the proposals in order, each after the gate is open; the last one repeats."""

    proposals: list[Proposal]
    name: str = "fake"
    model: str = ""
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    requests: list[ReplyRequest] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.gate.set()

    async def propose(self, request: ReplyRequest, on_text: Callable[[str], None]) -> Proposal:
        self.requests.append(request)
        await self.gate.wait()
        return self.proposals.pop(0) if len(self.proposals) > 1 else self.proposals[0]

    def unused(self) -> tuple[str, ...]:
        return ()

    async def close(self) -> None:
        """Nothing to give back."""


def yes() -> Proposal:
    """The first option of the demo's permissions."""
    return Proposal(Reply(choice="Yes"))


@dataclass
class Watched:
    """A listener that remembers, and can be waited on."""

    session: LiveSession | None = None
    steps: list[Event | Effect] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def live(self) -> LiveSession:
        assert self.session is not None
        return self.session

    def on_screen(self) -> None:
        self.changed.set()

    def on_view(self, view: SessionView) -> None:
        self.changed.set()

    def on_reply_text(self, text: str) -> None:
        """Not needed here."""

    def on_note(self, text: str) -> None:
        self.notes.append(text)

    def on_step(self, step: Event | Effect, at: float) -> None:
        self.steps.append(step)
        self.changed.set()

    def of(self, kind: type[Any]) -> list[Any]:
        return [step for step in self.steps if isinstance(step, kind)]

    @property
    def writes(self) -> list[fx.WriteKeys]:
        return self.of(fx.WriteKeys)

    async def until(self, holds: Callable[[], bool], what: str) -> None:
        """Return when it holds; the test fails when it does not in time."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while not holds():
                    self.changed.clear()
                    await self.changed.wait()
        except TimeoutError:
            raise AssertionError(f"waited in vain for: {what}; last steps: {self.steps[-6:]}") from None

    async def state(self, state: RunState) -> None:
        await self.until(lambda: self.live.run.state is state, state.value)

    def screen_text(self) -> str:
        return "\n".join(self.live.screen.snapshot().lines)


def demo_settings(project: DemoProject, log: Path, *options: str, **changes: Any) -> RunSettings:
    """A run of the simulated CLI at high speed."""
    child = (sys.executable, "-P", "-m", "copilot.demo.simulated_cli", "--speed", "30")
    base = RunSettings(
        child=(*child, "--journal", str(project.journal), *options, "Greet the visitors"),
        profile="demo",
        autonomy=Autonomy.FULL,
        cwd=str(project.folder),
        log_folder=str(log),
        columns=100,
        lines=30,
    )
    return replace(base, **changes)


def run_settings(folder: Path, *child: str | Path, **changes: Any) -> RunSettings:
    """A run at level full of a program that no profile knows; what it leaves is in `folder/run`."""
    base = RunSettings(
        child=tuple(map(str, child)),
        profile="generic",
        autonomy=Autonomy.FULL,
        cwd=str(folder),
        log_folder=str(folder / "run"),
    )
    return replace(base, **changes)


def python_settings(script: str, folder: Path, **changes: Any) -> RunSettings:
    """A run of a Python program at level suggest."""
    changes = {"autonomy": Autonomy.SUGGEST, "columns": 80, "lines": 24, **changes}
    return run_settings(folder, sys.executable, "-c", script, **changes)


@asynccontextmanager
async def running(
    settings: RunSettings, provider: Provider | None = None, second: FakeProvider | None = None
) -> AsyncIterator[Watched]:
    """The session, ended and cleaned up whatever happens. `second` gives second opinions."""
    prepared = replace(prepare(settings), second=second)
    if provider is not None:
        prepared = replace(prepared, provider=provider)
    watched = Watched()
    session = watched.session = await start(prepared, watched)
    try:
        yield watched
    finally:
        if not session.ended.done():
            session.interrupt()
            session.interrupt()
        async with asyncio.timeout(PATIENCE_SECONDS):
            await finish(session)


async def ended(watched: Watched) -> EndRun:
    assert watched.session is not None
    async with asyncio.timeout(PATIENCE_SECONDS):
        return await asyncio.shield(watched.session.ended)
