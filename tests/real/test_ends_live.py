"""How runs of real CLIs end, in two versions each: trust refused, and an error as the last word (S1, S2)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from copilot.lab.model_server import ANY_TIMES, HttpError, Playbook, Turn, playbook
from tests.real import install
from tests.real.run import HeadlessRun, run_headless
from tests.real.stage import stage

pytestmark = [pytest.mark.real_cli, pytest.mark.timeout(240)]
TASK = "Say hello."
VERSIONS = [("claude", "2.1.216"), ("claude", "2.1.330"), ("codex", "0.150.1"), ("codex", "0.169.0")]
BUSY = playbook(Turn(name="overloaded", error=HttpError(529, "Overloaded"), times=ANY_TIMES))
HELLO = playbook("Hello from the model.")


def run_of(
    name: str, version: str, folder: Path, book: Playbook, *options: str, asks: tuple[str, ...] = ()
) -> HeadlessRun:
    """The run of this version of the CLI on a task of one turn; what the model was asked is checked after."""
    try:
        programs = install.installed(replace(install.BY_NAME[name], version=version))
    except install.NotInstallable as problem:
        pytest.skip(f"{name} {version}: {problem}")
    with stage(name, folder, asks=asks, playbook=book, lenient=True, programs=programs) as on:
        if (name, version) == ("codex", "0.150.1"):
            on = replace(on, recipe=replace(on.recipe, arguments=()))  # it knows no --no-daemon
        run = run_headless(on, "--autonomy", "full", "--timeout", "90s", *options, task=TASK)
        if asks and "--trust" not in options:
            assert on.model.requests == [], "the task ran though trust was refused"
    return run


@pytest.mark.parametrize(("name", "version"), [*VERSIONS, ("claude", "2.1.296"), ("codex", "0.166.0")])
def test_trust_refused_ends_with_3(name: str, version: str, tmp_path: Path) -> None:
    run = run_of(name, version, tmp_path, HELLO, asks=("trust",))
    outcome = run.folder.manifest["outcome"]
    assert run.exit_code == 3 and "trust refused" in outcome["reason"], outcome


@pytest.mark.parametrize(("name", "version"), VERSIONS)
def test_an_overloaded_model_ends_with_1(name: str, version: str, tmp_path: Path) -> None:
    run = run_of(name, version, tmp_path, BUSY)
    outcome = run.folder.manifest["outcome"]
    assert run.exit_code == 1 and outcome["word"] == "failed", outcome
    assert "529" in outcome["reason"] or "verload" in outcome["reason"]


@pytest.mark.parametrize(("name", "version"), [one for one in VERSIONS if one[1] != "0.150.1"])
def test_a_completed_turn_ends_with_0(name: str, version: str, tmp_path: Path) -> None:
    run = run_of(name, version, tmp_path, HELLO)
    assert run.exit_code == 0 and "Hello from the model." in run.output
