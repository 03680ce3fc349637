"""Every CLI that runs offline, headless at level full, takes the whole way: permission, a choice where it has
a tool for one, a deletion that is refused, a question in prose, the end; and a failed turn, an interruption.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.real.run import HeadlessRun, RunFolder, run_headless
from tests.real.scenes import DELETE, FAULT, NAMES, REPLIES, TASK, failing, hanging, story
from tests.real.stage import Stage, stage
from tests.real.tools import TOOLS

pytestmark = [pytest.mark.real_cli, pytest.mark.timeout(300)]
SECONDS = 240.0
"""A slow and busy machine takes half a minute to start some of them."""
REPORTING = ("claude", "codex", "gemini", "qwen")
"""Those whose own word on being busy is checked too; of the others only the model's side is known."""
WAITING = ("permission", "menu", "yes_no", "question")


def at_full(
    on: Stage,
    limit: str = "200s",
    meanwhile: Callable[[int], None] | None = None,
    environment: Mapping[str, str] | None = None,
    size: tuple[int, int] = (120, 40),
) -> HeadlessRun:
    """The run of every test here: every permission is said yes to, unless the guard steps in."""
    replies = on.folder / "replies.yaml"
    replies.write_text(REPLIES)
    options = ["--autonomy", "full", "--provider", "playbook", "--playbook", str(replies)]
    options += ["--columns", str(size[0]), "--lines", str(size[1]), "--timeout", limit]
    return run_headless(
        on, *options, task=TASK, seconds=SECONDS, environment=environment, meanwhile=meanwhile
    )


@pytest.mark.row("CP-1", "PH-32")
@pytest.mark.parametrize("name", NAMES)
def test_the_whole_way(name: str, tmp_path: Path) -> None:
    with stage(name, tmp_path, playbook=story(name)) as on:
        run = at_full(on)
        assert run.exit_code == 0
        on.assert_files()
        assert_the_model_was_told(name, on)
    assert_on_record(name, run)
    if name == "aider":  # a task from a file is a talk of its own: what was run is not told to the next
        assert "Ran 1 test" in "".join(event.data for event in run.folder.cast.events)
    run.folder.assert_no_key_while_answered(on.model.given)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (100, 30), (200, 60)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", NAMES)
def test_the_same_prompts_at_other_sizes(name: str, size: tuple[int, int], tmp_path: Path) -> None:
    with stage(name, tmp_path, playbook=story(name)) as on:
        run = at_full(on, size=size)
        assert run.exit_code == 0
        on.assert_files()
    assert_on_record(name, run)


def assert_the_model_was_told(name: str, on: Stage) -> None:
    """The CLI really received the replies: its next requests carry them."""
    requests = {request.turn: request for request in on.model.main_requests}
    after = {one: other for one, other in zip(requests, list(requests)[1:], strict=False)}
    told = {
        turn: f"{other.tool_result}\n{other.prompt}" for turn in after for other in [requests[after[turn]]]
    }
    if name == "aider":
        assert "Refused by the guard" in requests["ask"].prompt
    else:
        assert "Ran 1 test" in told["test"]
        assert ("Refused by the guard" if TOOLS[name].refusal_ends_turn else "refused") in told["delete"]
    if "choose" in told:
        assert "Postgres" in told["choose"]
    assert requests["done"].prompt.split()[0] == "MIT", "aider puts its rules below"


def assert_on_record(name: str, run: HeadlessRun) -> None:
    """The run folder says what happened: each prompt once, the deletion refused, no key without a decision."""
    folder = run.folder
    assert not folder.transcript.problems
    assert folder.manifest["outcome"]["word"] == "completed"
    folder.assert_keys_follow_their_decisions()
    prompts = prompts_of(folder)
    assert [one["kind"] for one in prompts] == expected_kinds(name)
    refused = [decision for decision in folder.decisions if decision["verdict"] == "refuse"]
    (deletion,) = refused
    (about,) = [one for one in prompts if one["identity"] == deletion["identity"]]
    assert about["subject"]["text"] == DELETE
    outcomes = [record.data["outcome"] for record in folder.records("effect.ReplyTaken")]
    assert set(outcomes) <= {"taken", "blocked"}, outcomes
    if name in REPORTING:
        folder.busy_check().assert_no_key_while_busy()


def prompts_of(folder: RunFolder) -> list[dict[str, Any]]:
    """Each prompt once, in order, until the CLI is left."""
    left_at = next(
        record.at
        for record in folder.records("effect.RecordDecision")
        if record.data["decision"]["rule"] == "run.leave"
    )
    settled = [one.data["detection"] for one in folder.records("event.ScreenSettled") if one.at < left_at]
    return list({one["identity"]: one for one in settled if one["kind"] in WAITING}.values())


def expected_kinds(name: str) -> list[str]:
    if name == "aider":
        return ["permission", "permission", "yes_no", "permission", "question"]
    menu = ["menu"] if TOOLS[name].ask is not None else []
    return ["permission", "permission", *menu, "permission", "question"]


@pytest.mark.parametrize("name", NAMES)
def test_a_failed_turn(name: str, tmp_path: Path) -> None:
    """The vendor refuses the key: the run fails with the CLI's own words, and nothing was typed."""
    with stage(name, tmp_path, playbook=failing(name), lenient=True) as on:
        run = at_full(on)
    assert run.exit_code == 1
    outcome = run.folder.manifest["outcome"]
    assert outcome["word"] == "failed"
    assert any(part in outcome["reason"] for part in (FAULT, "Authentication failed")), outcome
    shown = run.folder.kinds
    since = shown[shown.index("error") :]
    assert since[-1] == "exited"
    assert set(since[1:-1]) <= {"starting", "busy"}, "some clear or redraw the screen as they leave"
    assert run.folder.keys == []


@pytest.mark.parametrize("name", NAMES)
def test_an_interruption(name: str, tmp_path: Path) -> None:
    """Ctrl-C while the model speaks: the child is ended, nothing of it is left, the exit code says why."""
    with stage(name, tmp_path, playbook=hanging(name)) as on:

        def interrupt(pid: int) -> None:
            on.model.wait_for_turn("hang", SECONDS)
            os.kill(pid, signal.SIGINT)

        run = at_full(on, meanwhile=interrupt)
    assert run.exit_code == 130
    assert run.folder.manifest["outcome"]["word"] == "aborted"
    assert run.folder.kinds[-1] == "exited"
    assert run.folder.keys == []


@pytest.mark.parametrize("name", ["codex", "copilot"])
def test_the_time_limit(name: str, tmp_path: Path) -> None:
    """The model never ends: the limit does."""
    with stage(name, tmp_path, playbook=hanging(name), lenient=True) as on:
        run = at_full(on, limit="20s")
    assert run.exit_code == 3
    assert "time limit" in run.folder.manifest["outcome"]["reason"]
    assert run.folder.kinds[-1] == "exited"
