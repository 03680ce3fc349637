"""`Harness`: a coding CLI, real or simulated, on a scripted model, under the co-pilot, in its own folders."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from copilot.core.detection import Detection
from copilot.core.reply import Autonomy
from copilot.core.settings import RunSettings
from copilot.lab.clis.extras import KINDS, McpServer, OfferedTools
from copilot.lab.collector import Answer, Collector, Person
from copilot.lab.launch import Launch, adjusted, launch, swapped_environment, tool_names
from copilot.lab.live_trial import LiveTrial
from copilot.lab.mock_tools import Answering, MockTool, ToolServer, renamed
from copilot.lab.model_server import Given, ModelRequest, ModelServer, Playbook, PlaybookError, Turn
from copilot.lab.model_server.server import read_script
from copilot.lab.record import ToolUse, TrialRecord, Wire
from copilot.lab.simulated import SIMULATED
from copilot.lab.stopping import STOPPING
from copilot.lab.stream import Subscriber, TrialStream
from copilot.lab.workspace import Workspace, difference, picture, write_files
from copilot.lab.worlds import WorldLog
from copilot.session.start import prepare, start

_log = logging.getLogger("copilot.lab")
Script = Playbook | Path | str | Sequence[Turn | str]


@dataclass(frozen=True, slots=True, kw_only=True)
class HarnessOptions:
    """How a trial is set up.

    `files` are written into the project before. `replies` are the entries of a playbook of the co-pilot's own
    replies; without them `provider` answers. `person` answers what is held: without one it is refused.
    `programs` is the folder with the CLI's program. `deadline_seconds` ends whatever hangs. `settings` are
    further fields of a run's settings (`max_steps`, `trust`, `dry_run`, …).

    What the CLI itself is given, where it has such a thing (else InputError): `tools`, mock tools by name,
    each a text, a function of the arguments, a `ToolAnswer` or a `MockTool`; `mcp_servers` by name; `plugins`
    (its plug-ins or extensions) and `skills` by path; a `system_prompt` in place of its own; `cli_settings`,
    merged into its settings file.
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
    tools: Mapping[str, Answering | MockTool] = field(default_factory=dict)
    mcp_servers: Mapping[str, McpServer] = field(default_factory=dict)
    plugins: Sequence[Path] = ()
    skills: Sequence[Path] = ()
    system_prompt: str = ""
    cli_settings: Mapping[str, Any] = field(default_factory=dict)


class Harness:
    """Runs tasks. Use it with `with`, or call `close`; both may be repeated.

    `script` is what the model says. `cwd` is used as it is and stays; without it the project is a temporary
    folder and goes with the rest. Leaving the block without an exception checks the playbook.
    """

    def __init__(self, script: Script, *, workspace: Workspace | None = None, **options: Any) -> None:
        self.options = HarnessOptions(**options)
        self.tools = ToolServer(self.options.tools)
        self._wire_names = tool_names(self.options.cli, self.tools.tools)
        self._names = {wire: name for name, wire in self._wire_names.items()}
        book = renamed(read_script(script), self._wire_names)
        self.workspace = workspace or Workspace.make(self.options.cli, self.options.name, self.options.root)
        self._owns_workspace = workspace is None
        self.project = self.options.cwd or self.workspace.project
        self.model = ModelServer(
            book,
            cwd=self.project,
            check_at_exit=False,
            on_request=self._on_request,
            on_given=self._on_given,
        )
        self._stream: TrialStream | None = None
        self._worlds: WorldLog | None = None
        self._began = 0.0
        self._subscribers: list[Subscriber] = []
        self._runs = 0
        self._closed = False

    def __enter__(self) -> Self:
        try:
            self.model.__enter__()
            if self.tools.tools:
                self.tools.__enter__()
            write_files(self.project, self.options.files)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close()
        if kind is None:
            self.check()

    def check(self) -> None:
        """Raises PlaybookError if the playbook was not kept, or if a mock tool failed."""
        if self.options.check_playbook:
            self.model.check()
        if self.tools.faults:
            raise PlaybookError("\n".join(self.tools.faults))

    def close(self) -> None:
        """Stop the model server and remove what is ours. Harmless when repeated."""
        if self._closed:
            return
        self._closed = True
        self.model.close()
        self.tools.close()
        if self._owns_workspace:
            self.workspace.remove()

    def run(self, task: str) -> TrialRecord:
        """One session on this task, to its end or to the deadline. Raises InputError for bad settings."""
        return STOPPING.run(self.arun(task))

    async def arun(self, task: str) -> TrialRecord:
        async with self._started(task, stays=False) as trial:
            await trial.ended(self.options.deadline_seconds)
        return trial.record

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """It gets every event of all later runs, as it happens; call the result to end that."""
        self._subscribers.append(subscriber)
        return lambda: self._subscribers.remove(subscriber)

    @asynccontextmanager
    async def session(self, task: str) -> AsyncIterator[LiveTrial]:
        """A session that stays when the task is done: say more, look at events. Leaving the block ends it."""
        async with self._started(task, stays=True) as trial:
            yield trial

    @asynccontextmanager
    async def _started(self, task: str, *, stays: bool) -> AsyncIterator[LiveTrial]:
        self._runs += 1
        options = self.options
        folder = self.workspace.path / f"run-{self._runs}"
        launched = launch(options.cli, folder, self.project, self.model.url, options.programs, self._extras())
        before, around = picture(self.project), picture(self.workspace.outside)
        seen = len(self.model.requests), len(self.model.given), len(self.tools.calls)
        began = self._began = time.monotonic()
        worlds = self._worlds = WorldLog(self.project)
        worlds.note(0.0)
        environment = adjusted(launched.environment, options.environment, options.unset)
        stream = self._stream = TrialStream(began, self._names, self._subscribers)
        with swapped_environment(environment):
            trial = await self._open(self._settings(launched, folder, task, stays), stream, stays)
            try:
                yield trial
            finally:
                await trial.close()
                self._stream = None
        worlds.note(time.monotonic() - began)
        if stream.fault is not None:
            raise stream.fault
        requests, given = self.model.requests[seen[0] :], self.model.given[seen[1] :]
        reached = self.tools.calls[seen[2] :]
        wire = Wire(requests, given, self.model.started_at - began, self._names, reached)
        trial.record = TrialRecord(
            task=task,
            exit_code=trial.end.exit_code,
            outcome=trial.end.outcome,
            reason=trial.end.reason,
            seconds=time.monotonic() - began,
            timed_out=trial.timed_out,
            events=tuple(stream.events),
            tools=tuple(_rounded(wire.tools(stream.events))),
            files=difference(before, picture(self.project)),
            outside=difference(around, picture(self.workspace.outside)),
            unexpected=_unexpected(launched),
            screen=trial.screen,
            run_folder=str(folder / "runs"),
            project=str(self.project),
            worlds=tuple(worlds.worlds),
            texts=worlds.texts,
        )

    def _extras(self) -> dict[str, Any]:
        given: dict[str, Any] = {kind: getattr(self.options, kind) for kind in KINDS}
        if self.tools.tools:
            given["tools"] = OfferedTools(self.tools.mcp_url, self.tools.listed())
        return given

    async def _open(self, settings: RunSettings, stream: TrialStream, stays: bool) -> LiveTrial:
        prepared = prepare(settings)
        person = self.options.person or (_nobody if stays else None)
        collector = Collector(prepared.profile, person, self._note, stream, stays)
        session = collector.session = await start(prepared, collector)
        stream.on_fault = session.interrupt
        return LiveTrial(session, stream, collector)

    def _on_request(self, request: ModelRequest) -> None:
        """Called while the CLI waits for the model: what its tools did before is done."""
        if self._worlds is not None and not request.side:
            self._worlds.note(time.monotonic() - self._began)
        if self._stream is not None:
            self._stream.on_request(request)

    def _on_given(self, given: Given) -> None:
        if self._stream is not None:
            self._stream.on_given(given)

    def _settings(self, launched: Launch, folder: Path, task: str, stays: bool) -> RunSettings:
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
            headless=options.person is None and not stays,
        )
        return replace(settings, **options.settings)

    def _note(self, text: str) -> None:
        _log.debug("%s: %s", self.workspace.path.name, text)


def _nobody(detection: Detection) -> Answer:
    """Says no to all that is held."""
    return None


def _rounded(items: Iterable[ToolUse]) -> Iterator[ToolUse]:
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
