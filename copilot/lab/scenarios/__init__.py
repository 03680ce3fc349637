"""The words of scenarios: what is tried, with what, and what must be true afterwards."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from copilot.lab.clis.extras import McpServer
from copilot.lab.model_server import Playbook


class Verdict(enum.StrEnum):
    PASS = "pass"
    FAIL = "fail"
    ERROR = "error"
    TIMEOUT = "timeout"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True)
class CheckSpec:
    """A check by its name, with its parameters and its line in the file."""

    name: str
    given: Mapping[str, Any]
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """One isolated trial. `id` is category/file/name; `task` is as written, references and all.

    Either `task` is given to the CLI (with `cli: commands` to a plain agent whose model asks for commands),
    or `commands` are run by the command tool. `expect` is the verdict that is looked for, `expect_failing`
    the checks that must fail, and no others.
    """

    id: str
    name: str
    source: Path
    line: int
    number: int
    feature: str = ""
    category: str = ""
    task: str = ""
    commands: tuple[str, ...] = ()
    allow_commands: tuple[str, ...] = ()
    expected: str = ""
    criteria: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    cli: str = "simulated"
    profile: str = ""
    governing_prompt: str = ""
    autonomy: str = "full"
    provider: str = "rules"
    replies: tuple[Mapping[str, Any], ...] = ()
    allow: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    mcp_servers: Mapping[str, McpServer] = field(default_factory=dict)
    """Started by the CLI, in its own HOME, and ended with it."""
    set_variables: Mapping[str, str] = field(default_factory=dict)
    unset_variables: tuple[str, ...] = ()
    isolation: str = "scenario"
    """What has a folder of its own: the `scenario`, or each `command`."""
    timeout_seconds: float = 60.0
    max_steps: int = 50
    detectors: Mapping[str, Any] = field(default_factory=dict)
    playbook: Playbook | None = None
    twice: bool = False
    checks: tuple[CheckSpec, ...] = ()
    expect: Verdict = Verdict.PASS
    expect_failing: tuple[str, ...] = ()

    @property
    def assets_folder(self) -> Path:
        """Beside the file, named like it without its ending."""
        return self.source.with_suffix("")


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check found. `passed` is None if it cannot be known."""

    name: str
    family: str
    passed: bool | None
    reasons: tuple[str, ...]
    weight: float
    score: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one scenario (or of one of its repetitions, `repetition` counting from 1)."""

    id: str
    name: str
    verdict: Verdict
    as_expected: bool
    seconds: float
    reason: str = ""
    attempts: int = 1
    faults: tuple[str, ...] = ()
    repetition: int = 1
    tags: tuple[str, ...] = ()
    checks: tuple[CheckResult, ...] = ()
    task: str = ""
    prompt: str = ""
    cli: str = ""
    exit_code: int | None = None
    tools: tuple[Mapping[str, Any], ...] = ()
    log: tuple[str, ...] = ()
    kept: str = ""
    overhead_seconds: float = 0.0
