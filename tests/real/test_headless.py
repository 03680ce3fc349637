"""The main job, end to end: `copilot --headless` takes a real CLI through a whole run, offline."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.real.run import HeadlessRun, run_headless
from tests.real.stage import PLAYBOOKS, Stage, stage

pytestmark = [pytest.mark.real_cli, pytest.mark.timeout(240)]
TASK = "Create hello.py, then run the tests."
TURNS = ["write a file", "run the tests", "delete the build", "ask in prose", "done"]
CLIS = ("claude", "codex")
SIZES = {"120x40": ("120", "40"), "80x24": ("80", "24"), "80x24-deep": ("80", "24")}


def full_run(on: Stage, columns: str, lines: str, **environment: str) -> HeadlessRun:
    """The run of every test here; `environment` is more of copilot's own."""
    options = [
        "--autonomy",
        "full",
        "--provider",
        "playbook",
        "--trust",
        "--columns",
        columns,
        "--lines",
        lines,
    ]
    replies = PLAYBOOKS / f"{on.recipe.name}-replies.yaml"
    options += ["--playbook", str(replies), "--timeout", "100s"]
    return run_headless(on, *options, task=TASK, environment=environment)


@pytest.mark.row("CP-1", "PH-1", "PH-32")
@pytest.mark.parametrize("size", sorted(SIZES))
@pytest.mark.parametrize("name", CLIS)
def test_the_whole_way_of_a_run(name: str, size: str, tmp_path: Path) -> None:
    with stage(name, tmp_path, asks=("trust",), deep=size.endswith("deep")) as on:
        run = full_run(on, *SIZES[size])
        assert run.exit_code == 0
        assert [request.turn for request in on.model.main_requests] == TURNS
        on.assert_files()
        assert_the_model_was_told(on)
    assert_on_record(run)


def test_without_a_report_the_title_and_the_screen_do(tmp_path: Path) -> None:
    """Claude Code reports its state only to a terminal that answers its query; most do not."""
    with stage("claude", tmp_path, asks=("trust",)) as on:
        run = full_run(on, *SIZES["120x40"], COPILOT_PROGRAM_STATUS="off")
        assert run.exit_code == 0
        on.assert_files()
        assert_the_model_was_told(on)
    assert_on_record(run)
    assert not any("]7501;state" in event.data for event in run.folder.cast.events)


def assert_the_model_was_told(on: Stage) -> None:
    """The CLI really received the replies: its next requests carry them."""
    requests = {request.turn: request for request in on.model.main_requests}
    assert "Ran 1 test" in requests["delete the build"].tool_result
    told = requests["ask in prose"]
    assert "build/ must stay" in f"{told.tool_result}\n{told.prompt}"
    assert requests["done"].prompt == "MIT"


def assert_on_record(run: HeadlessRun) -> None:
    """The run folder says what happened, and that no key went where none should."""
    folder = run.folder
    assert not folder.transcript.problems
    assert folder.manifest["outcome"]["word"] == "completed"
    folder.assert_keys_follow_their_decisions()
    folder.busy_check().assert_no_key_while_busy()
    denied = [decision for decision in folder.decisions if "build/ must stay" in str(decision["reply"])]
    assert denied, folder.decisions
    assert all(record.data["outcome"] != "not taken" for record in folder.records("effect.ReplyTaken"))


@pytest.mark.parametrize("name", CLIS)
def test_a_destructive_command_is_never_approved(name: str, tmp_path: Path) -> None:
    """Even if the replies say yes to everything: the run stops or refuses, and the files are there."""
    replies = tmp_path / "yes.yaml"
    yes = '{matches: "^Yes($|, proceed)"}'
    replies.write_text(
        "order: any\nreplies:\n"
        f"  - {{kind: permission, choice: {yes}, times: any}}\n"
        "  - {kind: question, text: MIT, optional: true}\n"
    )
    with stage(name, tmp_path, lenient=True) as on:
        options = ["--autonomy", "full", "--provider", "playbook", "--playbook", str(replies)]
        run = run_headless(on, *options, "--timeout", "60s", task=TASK)
        on.assert_files()
        given = [request.turn for request in on.model.main_requests]
        assert "delete the build" in given
    assert run.exit_code in (0, 1, 3)
    run.folder.busy_check().assert_no_key_while_busy()


@pytest.mark.invariant(1)
def test_a_login_is_left_to_the_person(tmp_path: Path) -> None:
    """Claude Code's question about the API key: nobody is there, so the run ends and says why."""
    with stage("claude", tmp_path, asks=("trust", "api_key"), lenient=True) as on:
        run = full_run(on, *SIZES["120x40"])
        assert run.exit_code == 3
        assert on.model.requests == []
    assert "login" in run.folder.manifest["outcome"]["reason"]
    assert [key.what for key in run.folder.keys] == ["Down", "Enter"], "only the trust dialog is answered"
