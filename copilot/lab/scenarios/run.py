"""One scenario, from an empty folder to a verdict: `run_job`, which any process can be given."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from copilot.core.provider_registry import KEY_VARIABLES
from copilot.errors import InputError
from copilot.lab.checks import WEIGHTS, Finding, Trial, all_checks
from copilot.lab.harness import Harness
from copilot.lab.launch import adjusted, base_variables
from copilot.lab.record import ToolUse, TrialRecord
from copilot.lab.scenarios import CheckResult, CheckSpec, Outcome, Scenario, Verdict
from copilot.lab.scenarios.assets import with_assets
from copilot.lab.scenarios.command_agent import COMMAND_AGENT, CommandAgent
from copilot.lab.scenarios.command_tool import CommandTool
from copilot.lab.stopping import STOPPING
from copilot.lab.workspace import NoWorkspace, Workspace, difference, picture, write_files
from copilot.plain_files import read_plain

TRANSIENT = (ConnectionError, BlockingIOError, InterruptedError, NoWorkspace)
"""Kinds of faults that a second try may mend. A timeout is none, and neither is a failed check."""
_FIRST_WAIT_SECONDS = 0.2
_MOST_WAIT_SECONDS = 5.0
_MOST_TEXT = 100_000
_log = logging.getLogger("copilot.lab")


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A scenario to be run once, and how. `keep` leaves the folder of one that is not as expected."""

    scenario: Scenario
    repetition: int = 1
    root: Path | None = None
    programs: Path | None = None
    retries: int = 2
    keep: bool = False
    timeout_seconds: float | None = None
    debug: bool = False


def run_job(job: Job) -> Outcome:
    """Run it, with retries for transient faults. Raises KeyboardInterrupt, and nothing else."""
    faults: list[str] = []
    began = time.monotonic()
    with _log_of(job.debug) as log:
        while True:
            try:
                outcome = _tried(job)
            except TRANSIENT as error:
                faults.append(f"{type(error).__name__}: {error}")
                if len(faults) <= job.retries:
                    STOPPING.run(asyncio.sleep(wait_seconds(len(faults))))
                    continue
                outcome = ended(job, Verdict.ERROR, faults[-1])
            except InputError as error:
                outcome = ended(job, Verdict.ERROR, str(error))
            except Exception as error:
                outcome = ended(job, Verdict.ERROR, f"{type(error).__name__}: {error}")
            break
    return replace(
        outcome,
        attempts=min(len(faults), job.retries) + 1,
        faults=tuple(faults),
        seconds=round(time.monotonic() - began, 3),
        log=tuple(log),
    )


def wait_seconds(fault: int, chance: Callable[[], float] = random.random) -> float:
    """How long to wait after so many faults: doubled each time, capped, with jitter."""
    longest: float = min(_MOST_WAIT_SECONDS, _FIRST_WAIT_SECONDS * 2.0 ** (fault - 1))
    return longest * (0.5 + chance() / 2)


def _tried(job: Job) -> Outcome:
    scenario = job.scenario
    began = time.monotonic()
    workspace = Workspace.make(scenario.cli, scenario.id, job.root)
    kept = ""
    try:
        write_files(workspace.project, scenario.files)
        made = time.monotonic() - began
        asks = scenario.cli == COMMAND_AGENT or scenario.commands
        outcome = _with_commands(job, workspace) if asks else _with_cli(job, workspace)
        if job.keep and not outcome.as_expected:
            kept = str(workspace.path)
    finally:
        leaving = time.monotonic()
        if not kept:
            workspace.remove()
    return replace(outcome, kept=kept, overhead_seconds=round(made + time.monotonic() - leaving, 4))


def _with_cli(job: Job, workspace: Workspace) -> Outcome:
    scenario = job.scenario
    prompt = with_assets(scenario.task, scenario.assets_folder, workspace.project)
    governing = with_assets(scenario.governing_prompt, scenario.assets_folder, workspace.project)
    if missing := _missing_key(scenario):
        return ended(job, Verdict.INCONCLUSIVE, missing, prompt)
    assert scenario.playbook is not None
    seconds = job.timeout_seconds or scenario.timeout_seconds
    settings: dict[str, object] = {"max_steps": scenario.max_steps}
    if scenario.detectors:
        patterns = workspace.path / "detectors.json"
        patterns.write_text(json.dumps(dict(scenario.detectors)), encoding="utf-8")
        settings["detectors"] = str(patterns)
    existed = _texts(workspace.project)
    with Harness(
        scenario.playbook,
        workspace=workspace,
        cli=scenario.cli,
        profile=scenario.profile,
        governing_prompt=governing,
        autonomy=scenario.autonomy,
        provider=scenario.provider,
        replies=scenario.replies,
        allow=scenario.allow,
        programs=job.programs,
        mcp_servers=scenario.mcp_servers,
        environment=scenario.set_variables,
        unset=scenario.unset_variables,
        deadline_seconds=seconds,
        settings=settings,
        check_playbook=False,
    ) as harness:
        records = [harness.run(prompt)]
        if scenario.twice and not records[0].timed_out:
            records.append(harness.run(prompt))
        problems = (*harness.model.problems(), *harness.model.unused())
    if any(record.timed_out for record in records):
        return ended(job, Verdict.TIMEOUT, f"it took more than {seconds:g} s", prompt)
    return _judged(job, Trial(tuple(records), workspace.project, existed, problems), prompt)


def _missing_key(scenario: Scenario) -> str:
    """Why a real model cannot be asked, or nothing."""
    key, *_ = KEY_VARIABLES.get(scenario.provider, ("",))
    if key and key not in scenario.set_variables:
        return f"provider {scenario.provider} needs {key} under `environment: set`: no key of yours is seen"
    return ""


def _with_commands(job: Job, workspace: Workspace) -> Outcome:
    """The commands, one after the other, in the trial's folder or each in a fresh one."""
    scenario = job.scenario
    home = workspace.path / "home"
    home.mkdir()
    base = {**base_variables(os.environ), "HOME": str(home)}
    environment = adjusted(base, scenario.set_variables, scenario.unset_variables)
    tool = CommandTool(workspace.project, environment, scenario.allow_commands)
    before, existed = picture(workspace.project), _texts(workspace.project)
    began = time.monotonic()
    uses: list[ToolUse] = []
    agent = CommandAgent(scenario, workspace) if scenario.cli == COMMAND_AGENT else None
    written_by = agent.commands() if agent is not None else iter(scenario.commands)
    for number, written in enumerate(written_by, start=1):
        folder = workspace.project
        if scenario.isolation == "command":
            folder = workspace.path / f"command-{number}"
            folder.mkdir()
        command = with_assets(written, scenario.assets_folder, folder)
        done = STOPPING.run(tool.use({"command": command}, folder))
        if agent is not None:
            agent.answer(done)
        uses.append(
            ToolUse(
                "command",
                {"command": command},
                turn=f"command {number}",
                blocked="was not run" in done.error,
                reason=done.error,
                result=done.output if done.success else done.logged(),
                is_error=not done.success,
                at=round(time.monotonic() - began, 3),
            )
        )
    record = TrialRecord(
        task=scenario.task or "\n".join(scenario.commands),
        events=agent.events if agent is not None else (),
        exit_code=int(any(use.is_error for use in uses)),
        outcome="completed",
        reason="; ".join(use.reason for use in uses if use.is_error),
        seconds=time.monotonic() - began,
        tools=tuple(uses),
        files=difference(before, picture(workspace.project)),
        project=str(workspace.project),
    )
    prompt = "\n".join(str(use.arguments["command"]) for use in uses)
    problems = agent.problems if agent is not None else ()
    return _judged(job, Trial((record,), workspace.project, existed, problems), prompt)


def _texts(project: Path) -> dict[str, str]:
    found = {}
    for path in sorted(project.rglob("*")):
        with suppress(OSError):
            found[str(path.relative_to(project))] = read_plain(path, _MOST_TEXT).decode("utf-8", "replace")
    return found


def _judged(job: Job, trial: Trial, prompt: str) -> Outcome:
    results = tuple(_checked(trial, spec) for spec in _with_the_playbook(job.scenario))
    failed = [f"{one.name}: {one.reasons[0]}" for one in results if one.passed is False]
    unsure = [f"{one.name}: inconclusive: {one.reasons[0]}" for one in results if one.passed is None]
    verdict = Verdict.FAIL if failed or unsure else Verdict.PASS
    reason = "; ".join(failed or unsure)
    tools = tuple(
        {
            "name": use.name,
            "subject": use.subject[:300],
            "blocked": use.blocked,
            "is_error": use.is_error,
            "reason": use.reason,
        }
        for run in trial.records
        for use in run.tools
    )
    outcome = ended(job, verdict, reason, prompt, results)
    return replace(outcome, exit_code=trial.record.exit_code, tools=tools)


def _with_the_playbook(scenario: Scenario) -> tuple[CheckSpec, ...]:
    """The checks; that the model's playbook was kept is always one of them."""
    if scenario.playbook is None or any(spec.name == "playbook_kept" for spec in scenario.checks):
        return scenario.checks
    return (*scenario.checks, CheckSpec("playbook_kept", {}, scenario.line))


def _checked(trial: Trial, spec: CheckSpec) -> CheckResult:
    check = all_checks()[spec.name]
    try:
        finding = check.run(trial, spec.given)
    except Exception as error:
        finding = Finding(None, (f"the check itself failed: {type(error).__name__}: {error}",))
    weight = WEIGHTS[check.family]
    return CheckResult(spec.name, check.family.value, finding.passed, finding.reasons, weight, finding.score)


def ended(
    job: Job, verdict: Verdict, reason: str, prompt: str = "", checks: tuple[CheckResult, ...] = ()
) -> Outcome:
    """The outcome of a job that took no time and was tried once; `run_job` knows better."""
    scenario = job.scenario
    failing = {one.name for one in checks if one.passed is not True}
    as_expected = verdict is scenario.expect and (
        not scenario.expect_failing or failing == set(scenario.expect_failing)
    )
    return Outcome(
        id=scenario.id,
        name=scenario.name,
        verdict=verdict,
        as_expected=as_expected,
        seconds=0.0,
        reason=reason,
        repetition=job.repetition,
        tags=scenario.tags,
        checks=checks,
        task=scenario.task or "\n".join(scenario.commands),
        prompt=prompt,
        cli=scenario.cli if scenario.task else "command",
    )


class _Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.levelname.lower()}: {record.getMessage()}")


@contextmanager
def _log_of(debug: bool) -> Iterator[list[str]]:
    """What is logged inside the block, warnings only unless `debug`."""
    handler, before = _Lines(), _log.level
    _log.addHandler(handler)
    _log.setLevel(logging.DEBUG if debug else logging.WARNING)
    try:
        yield handler.lines
    finally:
        _log.removeHandler(handler)
        _log.setLevel(before)
