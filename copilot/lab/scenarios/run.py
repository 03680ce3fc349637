"""One scenario, from an empty folder to a verdict: `run_job`, which any process can be given."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import random
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from copilot.errors import InputError
from copilot.lab.checks import WEIGHTS, Finding, Trial, all_checks
from copilot.lab.harness import Harness
from copilot.lab.launch import adjusted, base_variables
from copilot.lab.record import ToolUse, TrialRecord
from copilot.lab.scenarios import CheckResult, Isolation, Outcome, Scenario, Verdict
from copilot.lab.scenarios.command_tool import CommandTool
from copilot.lab.workspace import NoWorkspace, Workspace, difference, picture

# References to assets in a task: `[[asset:name]]` is the content, `{{path:name}}` the path of the copy.
#
# What is put in is data: it is not looked through for references again, and nothing in it is special.


FOLDER = "assets"
_REFERENCE = re.compile(r"\[\[asset:([^\[\]]+)\]\]|\{\{path:([^{}]+)\}\}")


def references(task: str) -> list[str]:
    """The names of the assets that a task speaks of, each once, in order."""
    return list(dict.fromkeys(one.group(1) or one.group(2) for one in _REFERENCE.finditer(task)))


def with_assets(task: str, source: Path, project: Path) -> str:
    """The task with its assets filled in; those given by path are copied to `assets/` in the project.

    Raises InputError, naming the asset, for one that is missing, leads out of the folder, or is no text.
    """
    for name in references(task):
        _found(source, name)

    def filled(reference: re.Match[str]) -> str:
        inline, by_path = reference.groups()
        if inline is not None:
            return _content(source, inline)
        return str(_copied(source, by_path, project))

    return _REFERENCE.sub(filled, task)


def _found(source: Path, name: str) -> Path:
    """The asset. Its name may lead into subfolders, but not out, by a link neither."""
    folder = source.resolve()
    path = source / name
    if Path(name).is_absolute() or not path.resolve().is_relative_to(folder):
        raise InputError(f"asset {name!r}: leads out of {source}; assets stand in that folder")
    if not path.exists():
        raise InputError(f"asset {name!r}: is missing; it is looked for at {path}")
    if path.is_dir() and any(
        not one.resolve().is_relative_to(folder) for one in path.rglob("*") if one.is_symlink()
    ):
        raise InputError(f"asset {name!r}: holds a link that leads out of {source}")
    return path


def _content(source: Path, name: str) -> str:
    path = _found(source, name)
    try:
        return path.read_text(encoding="utf-8")
    except (UnicodeDecodeError, IsADirectoryError):
        raise InputError(f"asset {name!r}: is no text; refer to it by {{{{path:{name}}}}}") from None


def _copied(source: Path, name: str, project: Path) -> Path:
    """The copy, at the same place below `assets/`, so that equal base names stay apart."""
    path, copy = _found(source, name), project / FOLDER / name
    copy.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        shutil.copytree(path, copy, dirs_exist_ok=True)
    elif not copy.exists():
        shutil.copyfile(path, copy)
    return copy


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
                break
            except TRANSIENT as error:
                faults.append(f"{type(error).__name__}: {error}")
                if len(faults) > job.retries:
                    outcome = _ended(job, Verdict.ERROR, faults[-1])
                    break
                time.sleep(wait_seconds(len(faults)))
            except InputError as error:
                outcome = _ended(job, Verdict.ERROR, str(error))
                break
            except Exception as error:
                outcome = _ended(job, Verdict.ERROR, f"{type(error).__name__}: {error}")
                break
    return replace(
        outcome,
        attempts=len(faults) + (0 if len(faults) > job.retries else 1),
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
        for name, text in scenario.files.items():
            path = workspace.project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        made = time.monotonic() - began
        outcome = _with_commands(job, workspace) if scenario.commands else _with_cli(job, workspace)
        if job.keep and not outcome.as_expected:
            kept = str(workspace.path)
        outcome = replace(outcome, kept=kept)
    finally:
        leaving = time.monotonic()
        if not kept:
            workspace.remove()
    return replace(outcome, overhead_seconds=round(made + time.monotonic() - leaving, 4))


def _with_cli(job: Job, workspace: Workspace) -> Outcome:
    scenario = job.scenario
    prompt = with_assets(scenario.task, scenario.assets_folder, workspace.project)
    governing = with_assets(scenario.governing_prompt, scenario.assets_folder, workspace.project)
    missing = _missing_key(scenario)
    if missing:
        return _ended(job, Verdict.INCONCLUSIVE, missing, prompt)
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
        environment=scenario.set_variables,
        unset=scenario.unset_variables,
        deadline_seconds=seconds,
        settings=settings,
        check_playbook=False,
    ) as harness:
        records = [harness.run(prompt)]
        if scenario.twice and not records[0].timed_out:
            records.append(harness.run(prompt))
        problems = tuple(harness.model.problems()) + tuple(harness.model.unused())
    if any(record.timed_out for record in records):
        return _ended(job, Verdict.TIMEOUT, f"it took more than {seconds:g} s", prompt)
    return _judged(job, Trial(tuple(records), workspace.project, existed, problems), prompt)


def _missing_key(scenario: Scenario) -> str:
    """Why a real model cannot be asked, or nothing."""
    key = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}.get(scenario.provider, "")
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
    for number, written in enumerate(scenario.commands, start=1):
        folder = workspace.project
        if scenario.isolation is Isolation.COMMAND:
            folder = workspace.path / f"command-{number}"
            folder.mkdir()
        command = with_assets(written, scenario.assets_folder, folder)
        done = asyncio.run(tool.use({"command": command}, folder))
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
        task="\n".join(scenario.commands),
        exit_code=int(any(use.is_error for use in uses)),
        outcome="completed",
        reason="; ".join(use.reason for use in uses if use.is_error),
        seconds=time.monotonic() - began,
        tools=tuple(uses),
        files=difference(before, picture(workspace.project)),
        project=str(workspace.project),
    )
    prompt = "\n".join(str(use.arguments["command"]) for use in uses)
    return _judged(job, Trial((record,), workspace.project, existed), prompt)


def _texts(project: Path) -> dict[str, str]:
    """The small text files of the project."""
    found = {}
    for path in sorted(project.rglob("*")):
        if path.is_file() and path.stat().st_size < _MOST_TEXT:
            found[str(path.relative_to(project))] = path.read_text(encoding="utf-8", errors="replace")
    return found


def _judged(job: Job, trial: Trial, prompt: str) -> Outcome:
    known = all_checks()
    results = []
    for spec in job.scenario.checks:
        check = known[spec.name]
        try:
            finding = check.run(trial, spec.given)
        except Exception as error:
            finding = Finding(None, (f"the check itself failed: {type(error).__name__}: {error}",))
        results.append(
            CheckResult(
                spec.name,
                check.family.value,
                finding.passed,
                finding.reasons,
                WEIGHTS[check.family],
                finding.score,
            )
        )
    failed = [one for one in results if one.passed is False]
    unsure = [one for one in results if one.passed is None]
    verdict = Verdict.FAIL if failed else Verdict.INCONCLUSIVE if unsure else Verdict.PASS
    reason = "; ".join(f"{one.name}: {one.reasons[0]}" for one in failed or unsure)
    record = trial.record
    outcome = _ended(job, verdict, reason, prompt, tuple(results))
    return replace(
        outcome,
        exit_code=record.exit_code,
        tools=tuple(
            {
                "name": use.name,
                "subject": use.subject[:300],
                "blocked": use.blocked,
                "is_error": use.is_error,
                "reason": use.reason,
            }
            for run in trial.records
            for use in run.tools
        ),
    )


def _ended(
    job: Job, verdict: Verdict, reason: str, prompt: str = "", checks: tuple[CheckResult, ...] = ()
) -> Outcome:
    scenario = job.scenario
    failing = {one.name for one in checks if one.passed is False}
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


class _Kept(logging.Handler):
    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.append(f"{record.levelname.lower()}: {record.getMessage()}")


@contextmanager
def _log_of(debug: bool) -> Iterator[list[str]]:
    """What is logged while the block lasts, warnings only unless `debug`."""
    lines: list[str] = []
    handler, before = _Kept(lines), _log.level
    _log.addHandler(handler)
    _log.setLevel(logging.DEBUG if debug else logging.WARNING)
    try:
        yield lines
    finally:
        _log.removeHandler(handler)
        _log.setLevel(before)
