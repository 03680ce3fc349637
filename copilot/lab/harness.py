"""`Harness`: a coding CLI, real or simulated, on a scripted model, under the co-pilot, in its own folders."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self, TypeVar

from copilot.core.effects import EndRun
from copilot.core.reply import Autonomy
from copilot.core.settings import RunSettings
from copilot.lab.collector import Collector, Person
from copilot.lab.launch import SIMULATED, Launch, adjusted, launch, swapped_environment
from copilot.lab.model_server import ModelServer, Playbook, Turn
from copilot.lab.record import ToolUse, TrialEvent, TrialRecord, Wire
from copilot.lab.stopping import STOPPING
from copilot.lab.workspace import Workspace, difference, picture, write_files
from copilot.session.live import LiveSession
from copilot.session.start import finish, prepare, start

_log = logging.getLogger("copilot.lab")
_END_SECONDS = 15.0
Script = Playbook | Path | str | Sequence[Turn | str]
Timed = TypeVar("Timed", TrialEvent, ToolUse)


@dataclass(frozen=True, slots=True, kw_only=True)
class HarnessOptions:
    """How a trial is set up.

    `files` are written into the project before. `replies` are the entries of a playbook of the co-pilot's own
    replies; without them `provider` answers. `person` answers what is held: without one it is refused.
    `programs` is the folder with the CLI's program. `deadline_seconds` ends whatever hangs. `settings` are
    further fields of a run's settings (`max_steps`, `trust`, `dry_run`, …).
    """

    cli: str = SIMULATED
    profile: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    governing_prompt: str = ""
    autonomy: str = "full"
    provider: str = "rules"
    replies: Sequence[Mapping[str, Any]] = ()
    person: Person | None = None
    cwd: Path | None = None
    programs: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    unset: Sequence[str] = ()
    allow: Sequence[str] = ()
    deadline_seconds: float = 120.0
    settings: Mapping[str, Any] = field(default_factory=dict)
    check_playbook: bool = True
    root: Path | None = None
    name: str = "test"


class Harness:
    """Runs tasks. Use it with `with`, or call `close`; both may be repeated.

    `script` is what the model says. `cwd` is used as it is and stays; without it the project is a temporary
    folder and goes with the rest. Leaving the block without an exception checks the playbook.
    """

    def __init__(self, script: Script, *, workspace: Workspace | None = None, **options: Any) -> None:
        self.options = HarnessOptions(**options)
        self.workspace = workspace or Workspace.make(self.options.cli, self.options.name, self.options.root)
        self._owns_workspace = workspace is None
        self.project = self.options.cwd or self.workspace.project
        self.model = ModelServer(script, cwd=self.project, check_at_exit=False)
        self._runs = 0
        self._closed = False

    def __enter__(self) -> Self:
        try:
            self.model.__enter__()
            write_files(self.project, self.options.files)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close()
        if kind is None and self.options.check_playbook:
            self.model.check()

    def close(self) -> None:
        """Stop the model server and remove what is ours. Harmless when repeated."""
        if self._closed:
            return
        self._closed = True
        self.model.close()
        if self._owns_workspace:
            self.workspace.remove()

    def run(self, task: str) -> TrialRecord:
        """One session on this task, to its end or to the deadline. Raises InputError for bad settings."""
        return STOPPING.run(self.arun(task))

    async def arun(self, task: str) -> TrialRecord:
        self._runs += 1
        options = self.options
        folder = self.workspace.path / f"run-{self._runs}"
        launched = launch(options.cli, folder, self.project, self.model.url, options.programs)
        before, around = picture(self.project), picture(self.workspace.outside)
        first_request, first_given = len(self.model.requests), len(self.model.given)
        began = time.monotonic()
        environment = adjusted(launched.environment, options.environment, options.unset)
        with swapped_environment(environment):
            ended = await self._session(self._settings(launched, folder, task), began)
        requests, given = self.model.requests[first_request:], self.model.given[first_given:]
        wire = Wire(requests, given, self.model.started_at - began)
        return TrialRecord(
            task=task,
            exit_code=ended.end.exit_code,
            outcome=ended.end.outcome,
            reason=ended.end.reason,
            seconds=time.monotonic() - began,
            timed_out=ended.timed_out,
            events=tuple(_rounded(sorted([*ended.events, *wire.events()], key=lambda event: event.at))),
            tools=tuple(_rounded(wire.tools(ended.events))),
            files=difference(before, picture(self.project)),
            outside=difference(around, picture(self.workspace.outside)),
            unexpected=_unexpected(launched),
            screen=ended.screen,
            run_folder=str(folder / "runs"),
            project=str(self.project),
        )

    def _settings(self, launched: Launch, folder: Path, task: str) -> RunSettings:
        options = self.options
        provider, playbook = options.provider, None
        if options.replies:
            written = folder / "replies.yaml"
            replies = [dict(one) for one in options.replies]
            written.write_text(json.dumps({"order": "any", "replies": replies}), encoding="utf-8")
            provider, playbook = "playbook", str(written)
        settings = RunSettings(
            child=launched.recipe.with_task(task),
            profile=options.profile or launched.profile,
            autonomy=Autonomy(options.autonomy),
            cwd=str(self.project),
            log_folder=str(folder / "runs"),
            governing_prompt=options.governing_prompt,
            provider=provider,
            playbook=playbook,
            allow=tuple(options.allow),
            headless=options.person is None,
        )
        return replace(settings, **options.settings)

    async def _session(self, settings: RunSettings, began: float) -> _Ended:
        prepared = prepare(settings)
        collector = Collector(prepared.profile, self.options.person, self._note, began)
        session = collector.session = await start(prepared, collector)
        timed_out = False
        try:
            async with asyncio.timeout(self.options.deadline_seconds):
                await asyncio.shield(session.ended)
        except TimeoutError:
            timed_out = True
        finally:
            screen = "\n".join(line.rstrip() for line in session.screen.snapshot().lines).strip()
            end = await end_session(session)
        if collector.fault is not None:
            raise collector.fault
        return _Ended(end, timed_out, screen, collector.events)

    def _note(self, text: str) -> None:
        _log.debug("%s: %s", self.workspace.path.name, text)


@dataclass(frozen=True, slots=True)
class _Ended:
    end: EndRun
    timed_out: bool
    screen: str
    events: list[TrialEvent]


async def end_session(session: LiveSession) -> EndRun:
    """The end of the run: awaited, or brought about."""
    if not session.ended.done():
        session.interrupt()
        session.interrupt()
    async with asyncio.timeout(_END_SECONDS):
        return await finish(session)


def _rounded(items: Iterable[Timed]) -> Iterator[Timed]:
    return (replace(item, at=round(item.at, 3)) for item in items)


def _unexpected(launched: Launch) -> tuple[str, ...]:
    """What the simulated CLI was typed without having asked for it."""
    if launched.journal is None or not launched.journal.is_file():
        return ()
    rows: list[dict[str, Any]] = []
    with suppress(json.JSONDecodeError):  # of a torn last line
        for line in launched.journal.read_text(encoding="utf-8").splitlines():
            rows.append(json.loads(line))
    return tuple(str(row["value"]) for row in rows if row["event"] == "unexpected")
