"""A stage for classic interactive programs: a project in a git repository, a HOME of its own, no model.

The programs are those of the machine; a test whose program is missing is skipped with that reason.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from copilot.core.events import ScreenSettled
from tests.real.processes import end, gone_within
from tests.real.recipes import base_environment, make_project
from tests.real.run import HeadlessRun, copilot_command, run_to_the_end

_END_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Settled:
    """A prompt as the transcript tells of it."""

    kind: str
    question: str
    labels: tuple[str, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class ClassicStage:
    """Where a classic program runs. `environment` is the whole of copilot's and, through it, the child's."""

    folder: Path
    project: Path
    home: Path
    environment: dict[str, str] = field(default_factory=dict)

    def write(self, name: str, text: str, mode: int = 0o644) -> Path:
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(mode)
        return path

    def run(
        self,
        *child: str,
        replies: str = "",
        options: Sequence[str] = (),
        level: str = "full",
        seconds: float = 60.0,
        environment: Mapping[str, str] | None = None,
    ) -> HeadlessRun:
        """`copilot --headless -- CHILD` to its end, answered by a playbook of `replies`, else by `rules`."""
        arguments = ["--headless", "--autonomy", level, "--timeout", "40s", *options]
        if replies:
            playbook = self.folder / f"replies-{len(list(self.folder.glob('replies-*')))}.yaml"
            playbook.write_text(f"order: any\nreplies:\n{replies}", encoding="utf-8")
            arguments += ["--provider", "playbook", "--playbook", str(playbook)]
        log = self.folder / f"run-{len(list(self.folder.glob('run-*')))}"
        command = copilot_command(self, *arguments, log=log, child=child)
        environment = {**self.environment, **(environment or {})}
        return run_to_the_end(command, self.project, environment, self.home, log, seconds)


@contextmanager
def classic_stage(folder: Path, *programs: str) -> Iterator[ClassicStage]:
    """A stage; skips where one of `programs` is missing. At the end no process of it may be left."""
    for program in programs:
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    home = folder / "home"
    home.mkdir()
    (home / ".gitconfig").write_text("[user]\n\tname = Test\n\temail = test@example.invalid\n")
    (home / ".npmrc").write_text("update-notifier=false\nfund=false\naudit=false\n")
    environment = {**base_environment(home, Path(sys.executable).parent), **_certificates()}
    try:
        yield ClassicStage(folder, make_project(folder), home, environment)
    finally:
        left = gone_within(home, _END_SECONDS)
        end(left)
    assert not left, f"left running: {left}"


def _certificates() -> dict[str, str]:
    """What npm and pip need behind a proxy of this machine; no credentials."""
    names = ("NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "PIP_CERT", "REQUESTS_CA_BUNDLE")
    return {name: os.environ[name] for name in names if name in os.environ}


def settled(run: HeadlessRun) -> list[Settled]:
    """Every settled prompt of a run in order: what was detected, and by which rule."""
    found = []
    for record in run.folder.records("event.ScreenSettled"):
        step = record.step()
        assert isinstance(step, ScreenSettled)
        seen = step.detection
        labels = tuple(option.label for option in seen.options)
        found.append(Settled(seen.kind.value, seen.question or "", labels, seen.rule))
    return found


def typed(run: HeadlessRun) -> list[str]:
    return [key.what for key in run.folder.keys]
