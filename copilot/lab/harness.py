"""`Harness`: a coding CLI, real or simulated, on a scripted model, under the co-pilot, in its own folders."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from copilot.core import effects as fx
from copilot.core import events as ev
from copilot.core.detection import Detection, ScreenKind
from copilot.core.effects import EndRun
from copilot.core.profile import Profile
from copilot.core.reply import Autonomy, Decision, Reply
from copilot.core.reply_keys import refusing_option
from copilot.core.settings import RunSettings
from copilot.engine.history import Step
from copilot.lab.harness.launch import SIMULATED, Launch, adjusted, launch, swapped_environment
from copilot.lab.harness.person import Person, as_reply
from copilot.lab.harness.record import ToolUse, TrialEvent, TrialRecord
from copilot.lab.harness.wire import Wire
from copilot.lab.harness.workspace import Workspace, difference, picture
from copilot.lab.launch import SIMULATED, Launch, adjusted, launch, swapped_environment
from copilot.lab.model_server import ModelServer, Playbook, Turn
from copilot.lab.person import Person, as_reply
from copilot.lab.record import ToolUse, TrialEvent, TrialRecord, Wire
from copilot.lab.workspace import Workspace, difference, picture, write_files
from copilot.session.live import LiveSession
from copilot.session.start import finish, prepare, start
from copilot.session.view import SessionView

ENTER_SECONDS = 0.3
"""Between the words that leave the CLI and their Enter: together they would be a paste."""


class Collector:
    """The front end of a trial. With a `person` it also leaves the CLI when the work is done."""

    def __init__(self, profile: Profile, person: Person | None, note: Callable[[str], None]) -> None:
        self.events: list[TrialEvent] = []
        self.session: LiveSession | None = None
        self.fault: Exception | None = None
        self._profile = profile
        self._person = person
        self._note = note
        self._asked = ""
        self._left = False

    def on_screen(self) -> None:
        """Nothing is drawn."""

    def on_view(self, view: SessionView) -> None:
        """The steps tell it already."""

    def on_reply_text(self, text: str) -> None:
        """The whole reply is told when it is there."""

    def on_note(self, text: str) -> None:
        """For the trial's log."""
        self._note(text)

    def on_step(self, step: Step, at: float) -> None:
        """Note it, and answer where a person is called."""
        told = _told(step)
        if told is not None:
            self.events.append(TrialEvent(time.monotonic(), *told))
        if self._person is None:
            return
        if isinstance(step, fx.CallPerson):
            asyncio.get_running_loop().call_soon(self._answer, step.identity)
        elif isinstance(step, ev.ScreenSettled) and step.detection.kind is ScreenKind.COMPLETED:
            asyncio.get_running_loop().call_soon(self._leave, step.detection)

    def _answer(self, identity: str) -> None:
        session, person = self.session, self._person
        if session is None or person is None or identity == self._asked:
            return
        detection = session.run.detection
        if detection.identity != identity or not detection.asks:
            return
        self._asked = identity
        try:
            reply = as_reply(person(detection), detection)
        except Exception as error:
            self.fault = error
            session.interrupt()
            return
        data = {"identity": identity, "denied": reply is None}
        self.events.append(
            TrialEvent(time.monotonic(), "asked", detection.kind.value, detection.question or "", data)
        )
        refusal = refusing_option(detection, self._profile.reply_keys)
        if reply is None and refusal is not None:
            reply = Reply(choice=refusal.label)
        if reply is None:
            session.interrupt()
        else:
            session.send(reply, identity=identity)

    def _leave(self, detection: Detection) -> None:
        session, words = self.session, self._profile.launch.leave
        if session is None or self._left or session.run.detection.identity != detection.identity:
            return
        self._left = True
        if words:
            session.type_bytes(words.encode())
            asyncio.get_running_loop().call_later(ENTER_SECONDS, session.type_bytes, b"\r")
        else:
            session.interrupt()


_Told = tuple[str, str, str, dict[str, Any]]


def _told(step: Step) -> _Told | None:
    """Kind, name, text and data of a step, or None for what no check looks at."""
    told: _Told | None = None
    match step:
        case ev.ScreenSettled():
            told = _seen(step.detection)
        case ev.ReplyProposed():
            why = {"reason": step.proposal.reason, "request": step.request}
            told = "proposal", "", str(step.proposal.reply), why
        case ev.ReplyFailed():
            told = "no_reply", "", step.reason, {"request": step.request}
        case fx.RecordDecision():
            told = _decided(step.decision)
        case fx.WriteKeys():
            told = "keys", "", step.text or " ".join(step.keys), {"decision": step.decision}
        case fx.ReplyTaken():
            told = "reply", step.outcome, "", {"decision": step.decision}
        case fx.ReplyExpired():
            told = "expired", "", step.reason, {"identity": step.identity}
        case fx.EndRun():
            told = "end", step.outcome, step.reason, {"exit_code": step.exit_code}
        case _:
            pass
    return told


def _decided(one: Decision) -> _Told:
    data: dict[str, Any] = {"rule": one.rule, "reason": one.reason, "risk": one.risk.level.word}
    data |= {"by": one.by, "identity": one.identity, "number": one.number}
    return "decision", one.verdict.value, str(one.reply or ""), data


def _seen(detection: Detection) -> _Told:
    subject = detection.subject
    data: dict[str, Any] = {
        "rule": detection.rule,
        "identity": detection.identity,
        "options": [option.label for option in detection.options],
        "action": subject.action if subject else "",
        "subject": subject.text if subject else "",
    }
    return "screen", detection.kind.value, detection.question or "", data


_log = logging.getLogger("copilot.lab")
_END_SECONDS = 15.0
Script = Playbook | Path | str | Sequence[Turn | str]


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
        self.notes: list[str] = []
        self._launched: Launch | None = None
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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        if error is None and self.options.check_playbook:
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
        return asyncio.run(self.arun(task))

    async def arun(self, task: str) -> TrialRecord:
        """The same from a running loop."""
        self._runs += 1
        options = self.options
        folder = self.workspace.path / f"run-{self._runs}"
        launched = launch(options.cli, folder, self.project, self.model.url, options.programs)
        before, around = picture(self.project), picture(self.workspace.outside)
        first_request, first_given = len(self.model.requests), len(self.model.given)
        began = time.monotonic()
        environment = adjusted(launched.environment, options.environment, options.unset)
        with swapped_environment(environment):
            ended = await self._session(self._settings(launched, folder, task), launched)
        wire = Wire(
            self.model.requests[first_request:], self.model.given[first_given:], self.model.started_at
        )
        return TrialRecord(
            task=task,
            exit_code=ended.end.exit_code,
            outcome=ended.end.outcome,
            reason=ended.end.reason,
            seconds=time.monotonic() - began,
            timed_out=ended.timed_out,
            events=_in_order([*ended.events, *wire.events()], began),
            tools=tuple(_since(use, began) for use in wire.tools(ended.events)),
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
            written.write_text(
                json.dumps({"order": "any", "replies": [dict(one) for one in options.replies]}),
                encoding="utf-8",
            )
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

    async def _session(self, settings: RunSettings, launched: Launch) -> _Ended:
        prepared = prepare(settings)
        collector = Collector(prepared.profile, self.options.person, self._note)
        session = collector.session = await start(prepared, collector)
        timed_out = False
        try:
            async with asyncio.timeout(self.options.deadline_seconds):
                await asyncio.shield(session.ended)
        except TimeoutError:
            timed_out = True
        finally:
            screen = "\n".join(line.rstrip() for line in session.screen.snapshot().lines).strip()
            end = await _ended(session)
        if collector.fault is not None:
            raise collector.fault
        return _Ended(end, timed_out, screen, collector.events)

    def _note(self, text: str) -> None:
        self.notes.append(text)
        _log.debug("%s: %s", self.workspace.path.name, text)


@dataclass(frozen=True, slots=True)
class _Ended:
    end: EndRun
    timed_out: bool
    screen: str
    events: list[TrialEvent]


async def _ended(session: LiveSession) -> EndRun:
    """The end of the run: awaited, or brought about."""
    if not session.ended.done():
        session.interrupt()
        session.interrupt()
    async with asyncio.timeout(_END_SECONDS):
        return await finish(session)


def _in_order(events: Sequence[TrialEvent], began: float) -> tuple[TrialEvent, ...]:
    ordered = sorted(events, key=lambda event: event.at)
    return tuple(replace(event, at=round(event.at - began, 3)) for event in ordered)


def _since(use: ToolUse, began: float) -> ToolUse:
    return replace(use, at=round(use.at - began, 3))


def _unexpected(launched: Launch) -> tuple[str, ...]:
    """What the simulated CLI was typed without having asked for it."""
    if launched.journal is None or not launched.journal.is_file():
        return ()
    rows: list[dict[str, Any]] = []
    for line in launched.journal.read_text(encoding="utf-8").splitlines():
        try:
            rows.append(json.loads(line))
        except json.JSONDecodeError:
            break
    return tuple(str(row["value"]) for row in rows if row["event"] == "unexpected")
