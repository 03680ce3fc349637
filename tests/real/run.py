"""Runs `copilot` on a stage, and reads what it left."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from copilot.core.effects import WriteKeys
from copilot.lab.model_server import Given
from copilot.recording.asciicast import Cast, read_cast
from copilot.recording.transcript_reader import Record, Transcript, read_transcript
from tests.real.busy_check import BusyCheck, Key, check_keys
from tests.real.processes import end, with_home
from tests.real.stage import Stage

COPILOT = Path(sys.executable).with_name("copilot")


@dataclass(frozen=True, slots=True)
class RunFolder:
    """A run folder as a reader finds it."""

    path: Path
    manifest: dict[str, Any]
    transcript: Transcript
    cast: Cast

    def records(self, kind: str) -> list[Record]:
        """The records of this type (`effect.RecordDecision`)."""
        return [record for record in self.transcript.records if record.type == kind]

    @property
    def decisions(self) -> list[dict[str, Any]]:
        """The decisions, oldest first."""
        return [record.data["decision"] for record in self.records("effect.RecordDecision")]

    @property
    def keys(self) -> list[Key]:
        return [Key(record.at, _typed(record)) for record in self.records("effect.WriteKeys")]

    @property
    def kinds(self) -> list[str]:
        """The kinds of screen that settled, oldest first."""
        return [record.data["detection"]["kind"] for record in self.records("event.ScreenSettled")]

    def busy_check(self) -> BusyCheck:
        """Whether a key was typed while the CLI said to be busy."""
        return check_keys(self.cast, self.keys)

    def assert_no_key_while_answered(self, answered: Sequence[Given]) -> None:
        """No key went in while the model was still answering: for CLIs that say nothing of themselves."""
        assert answered, "the model was never asked: nothing was checked"
        for record in self.records("effect.WriteKeys"):
            at = datetime.fromisoformat(record.time)
            during = [one.request for one in answered if one.began_at < at < one.ended_at]
            assert not during, f"{_typed(record)!r} was typed during the answer to request {during}"

    def assert_keys_follow_their_decisions(self) -> None:
        """Every key rests on a decision that stands above it in the transcript (invariant 1)."""
        decided: set[int] = set()
        for record in self.transcript.records:
            if record.type == "effect.RecordDecision":
                decided.add(record.data["decision"]["number"])
            elif record.type == "effect.WriteKeys":
                assert record.data["decision"] in decided, f"keys without a decision: {record}"


@dataclass(frozen=True, slots=True)
class HeadlessRun:
    exit_code: int
    output: str
    errors: str
    folder: RunFolder


class InProject(Protocol):
    """Something that runs in a project."""

    @property
    def project(self) -> Path:
        """The folder."""


def copilot_command(on: InProject, *options: str, log: Path, child: Sequence[str]) -> list[str]:
    """The argv of `copilot` for this stage; everything but HOME and PATH is said by flags."""
    return [str(COPILOT), "--cwd", str(on.project), "--log", str(log), *options, "--", *child]


def run_headless(
    on: Stage,
    *options: str,
    task: str,
    seconds: float = 120.0,
    environment: Mapping[str, str] | None = None,
    meanwhile: Callable[[int], None] | None = None,
) -> HeadlessRun:
    """`copilot --headless` with the stage's CLI on `task`, to its end; `meanwhile` as in `run_to_the_end`."""
    log = on.folder / "runs"
    command = copilot_command(on, "--headless", *options, log=log, child=on.recipe.with_task(task))
    environment = {**on.recipe.environment, **(environment or {})}
    return run_to_the_end(command, on.project, environment, on.recipe.home, log, seconds, meanwhile)


def run_to_the_end(
    command: Sequence[str],
    project: Path,
    environment: Mapping[str, str],
    home: Path,
    log: Path,
    seconds: float,
    meanwhile: Callable[[int], None] | None = None,
) -> HeadlessRun:
    """A headless run of copilot, and what it left. `meanwhile` is called once it runs, with its process id.

    What it told is printed, so that pytest shows it where a test fails. A run that takes too long is killed
    with everything it started.
    """
    process = subprocess.Popen(
        command,
        cwd=project,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    beside = threading.Thread(target=meanwhile, args=(process.pid,), daemon=True) if meanwhile else None
    if beside is not None:
        beside.start()
    try:
        output, errors = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        end(with_home(home))
        output, errors = process.communicate()
        raise AssertionError(f"still running after {seconds} s:\n{output}\n{errors}") from None
    print(output, errors, sep="\n")
    return HeadlessRun(process.returncode, output, errors, read_run(log, f"{output}\n{errors}"))


def read_run(log: Path, told: str = "") -> RunFolder:
    """The one run folder below `log`; `told` is shown if there is none."""
    found = [path.parent for path in log.rglob("transcript.jsonl")]
    assert len(found) == 1, f"{len(found)} run folders in {log}\n{told}"
    (path,) = found
    manifest = json.loads((path / "manifest.json").read_text())
    return RunFolder(path, manifest, read_transcript(path), read_cast(path / "session.cast"))


def _typed(record: Record) -> str:
    step = record.step()
    assert isinstance(step, WriteKeys)
    return step.text or " ".join(step.keys)
