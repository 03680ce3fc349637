"""What the tests of test runs share: a small project, and a call of `run_test` in it."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from copilot.redaction.redact import Redactor
from copilot.timebox.summary import TestResult
from copilot.timebox.testing import run_test

Call = Callable[..., TestResult]
CallLater = Callable[..., Coroutine[Any, Any, TestResult]]
USUAL: dict[str, Any] = {
    "runner": "flutter",
    "scope": "all",
    "timeout_ms": 50_000,
    "no_output_timeout_ms": 40_000,
    "max_output_bytes": 100_000,
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder.resolve()


@pytest.fixture
def runner_program(tmp_path: Path) -> Callable[[str], str]:
    """Makes a Python program that stands for `flutter` on a PATH of its own; gives that PATH.

    The real runners have tests of their own; here it matters what a program does, not which one it is.
    """
    folder = tmp_path / "programs"

    def make(code: str) -> str:
        folder.mkdir(exist_ok=True)
        program = folder / "flutter"
        text = f"#!{sys.executable} -S\nimport os, signal, sys, time\n{code}\n"
        # One that is being started may not be written.
        if not program.exists() or program.read_text() != text:
            program.write_text(text)
            program.chmod(0o755)
        return os.pathsep.join([str(folder), os.environ["PATH"]])

    return make


@pytest.fixture
def call(call_later: CallLater) -> Call:
    return lambda code="", **given: asyncio.run(call_later(code, **given))


@pytest.fixture
def call_later(project: Path, runner_program: Callable[[str], str]) -> CallLater:
    """`run_test` with usual parameters and a program of these words."""

    async def run(code: str = "", *, environment: dict[str, str] | None = None, **given: Any) -> TestResult:
        surroundings = {**os.environ, "PATH": runner_program(code), **(environment or {})}
        return await run_test(
            {**USUAL, **given},
            [project],
            Redactor({"PLANTED": "planted-value-of-the-environment"}),
            environment=surroundings,
        )

    return run
