"""A plan drives a real CLI, headless at level full and offline: whole, and killed in mid-step and resumed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from copilot.core.planning import CONTINUE
from copilot.lab.model_server import Playbook, TextMatch, Turn
from tests.real.processes import gone_within
from tests.real.run import HeadlessRun, copilot_command, run_to_the_end
from tests.real.scenes import HELLO, PACE
from tests.real.stage import Stage, stage
from tests.real.tools import TOOLS

pytestmark = [pytest.mark.real_cli, pytest.mark.timeout(400)]
CLIS = ("claude", "codex")
SECONDS = 180.0
GREET, FAREWELL, SUM = "Plan the greeting module", "Think about the farewell", "Sum up what was done"
CHECK = "test -s hello.py"
PLAN = f"""\
name: "Greeting: from nothing to a summary"
steps:
  - name: Look around
    run: [ls, "cat README.md"]
  - name: Greeting
    send: {GREET}
    verify: {CHECK}
    returns: 1
  - name: Farewell
    send: {FAREWELL}
  - name: Tests
    run: python3 -m unittest
    timeout: 1m
  - name: Summary
    send: {SUM}
"""
YES = """\
order: any
replies:
  - kind: permission
    choice: {matches: "^Yes($|, proceed)"}
    times: any
"""


def turns(name: str, *farewell: Turn) -> tuple[Turn, ...]:
    """What the model does: at first it only talks, so that the check fails once."""
    return (
        Turn("I have a plan for the module.", name="talk", when=_has(GREET)),
        Turn("I'll create it.", (TOOLS[name].write(HELLO),), name="write", when=_has("The check")),
        Turn("The greeting is there.", name="written"),
        *farewell,
        Turn("All done.", name="sum", when=_has(SUM)),
    )


def _has(words: str) -> TextMatch:
    return TextMatch(contains=words)


def command(on: Stage, log: Path, *options: str) -> list[str]:
    """`copilot --headless` at level full, with the plan or going on with an earlier run."""
    replies = on.folder / "replies.yaml"
    replies.write_text(YES)
    fixed = ["--headless", "--autonomy", "full", "--provider", "playbook", "--playbook", str(replies)]
    fixed += ["--columns", "120", "--lines", "40", "--timeout", "150s"]
    return copilot_command(on, *fixed, *options, log=log, child=on.recipe.command)


def planned(on: Stage, log: Path) -> list[str]:
    plan = on.folder / "plan.yml"
    plan.write_text(PLAN)
    return command(on, log, "--plan", str(plan))


def to_the_end(on: Stage, argv: list[str], log: Path) -> HeadlessRun:
    return run_to_the_end(argv, on.project, on.recipe.environment, on.recipe.home, log, SECONDS)


def told(on: Stage, words: str) -> int:
    """How often the CLI was told `words`: messages of the user in the last request that hold them."""
    last = on.model.main_requests[-1]
    return sum(one.text.count(words) for one in last.messages if one.role == "user")


@pytest.mark.row("CP-10", "CP-67", "CP-68")
@pytest.mark.parametrize("name", CLIS)
def test_a_plan_is_done_step_by_step(name: str, tmp_path: Path) -> None:
    book = Playbook(turns(name, Turn("Farewell.", name="farewell", when=_has(FAREWELL))), pace=PACE)
    with stage(name, tmp_path, playbook=book) as on:
        log = tmp_path / "runs"
        run = to_the_end(on, planned(on, log), log)
        assert run.exit_code == 0
        assert [told(on, one) for one in (GREET, "The check", FAREWELL, SUM)] == [1, 1, 1, 1]
        on.assert_files()
    moves = [
        (one.data["step"], one.data["part"], one.data["state"])
        for one in run.folder.records("effect.PlanMoved")
    ]
    assert [step for step, part, state in moves if part == "" and state == "done" and step] == [1, 2, 3, 4, 5]
    assert (2, "verify 1", "failed") in moves
    run.folder.assert_keys_follow_their_decisions()
    run.folder.busy_check().assert_no_key_while_busy()


@pytest.mark.row("CP-64", "CP-65")
@pytest.mark.parametrize("name", CLIS)
def test_killed_in_mid_step_and_resumed_nothing_is_typed_twice(name: str, tmp_path: Path) -> None:
    hang = Turn("Let me think", name="hang", when=_has(FAREWELL), hang_seconds=600.0, keep_alive=True)
    on_again = Turn("Farewell.", name="farewell", when=_has("was interrupted during this task"))
    with stage(name, tmp_path, playbook=Playbook(turns(name, hang, on_again), pace=PACE)) as on:
        first = tmp_path / "first"
        process = subprocess.Popen(
            planned(on, first), cwd=on.project, env=dict(on.recipe.environment), stdin=subprocess.DEVNULL,
            stdout=sys.stderr, stderr=sys.stderr,
        )  # fmt: skip
        try:
            on.model.wait_for_turn("hang", SECONDS)
        finally:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        assert not gone_within(on.recipe.home, 5.0)
        second = tmp_path / "second"
        run = to_the_end(on, command(on, second, "--resume", str(first)), second)
        assert run.exit_code == 0
        assert [told(on, one) for one in (GREET, "The check", FAREWELL, CONTINUE, SUM)] == [1, 1, 1, 1, 1]
        on.assert_files()
    typed = [key.what for key in run.folder.keys]
    assert not any(GREET in one or FAREWELL in one for one in typed), typed
    assert run.folder.manifest["parent"] == str(first)
    run.folder.assert_keys_follow_their_decisions()
