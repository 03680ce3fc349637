"""Coding CLIs that no profile knows take the whole way: file, tests, a refused deletion, a question, the end.

The task is typed into their composers. What the generic profile holds is shown to be held.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from copilot.lab.model_server import Playbook, ToolCall
from tests.real.run import HeadlessRun, copilot_command, run_to_the_end
from tests.real.scenes import ASKED, DELETE, PACE, TASK, story_of
from tests.real.stage import Stage, stage
from tests.real.tools import WRITTEN, Tools

pytestmark = [pytest.mark.real_cli, pytest.mark.timeout(300), pytest.mark.invariant(12)]
PLAN = f"version: 1\nname: words\nsteps:\n  - {{name: task, send: '{TASK}', ends: idle}}\n"
REPLIES = f"""\
order: any
replies:
  - kind: permission
    choice: {{matches: "^(Yes$|Approve$|Continue [(]tab[)])"}}
    times: any
  - kind: question
    question: {{contains: "{ASKED}"}}
    text: MIT
    times: any
"""
"""The question may be asked again: on a busy machine the screen settles anew behind the letter typed as a test."""
CLIS = {
    "cline": Tools(
        write=lambda path: ToolCall("editor", {"path": path, "new_text": WRITTEN}),
        run=lambda command: ToolCall("run_commands", {"commands": [command]}),
    ),
    "grok": Tools(
        write=lambda path: ToolCall("create_file", {"path": path, "content": WRITTEN}),
        run=lambda command: ToolCall("bash", {"command": command}),
    ),
}


def run_without_profile(on: Stage, *options: str) -> HeadlessRun:
    """The story at `full`, with a playbook that says yes to everything."""
    (on.folder / "replies.yaml").write_text(REPLIES, encoding="utf-8")
    (on.folder / "plan.yaml").write_text(PLAN, encoding="utf-8")
    words = ["--headless", "--autonomy", "full", "--profile", "generic", "--provider", "playbook"]
    words += ["--playbook", str(on.folder / "replies.yaml"), "--plan", str(on.folder / "plan.yaml")]
    words += ["--columns", "120", "--lines", "40", "--timeout", "120s", *options]
    log = on.folder / "runs"
    command = copilot_command(on, *words, log=log, child=on.recipe.command)
    return run_to_the_end(command, on.project, on.recipe.environment, on.recipe.home, log, 240.0)


@pytest.mark.parametrize("name", sorted(CLIS))
def test_without_a_profile_all_is_done_but_what_the_guard_refuses(name: str, tmp_path: Path) -> None:
    with stage(name, tmp_path, playbook=Playbook(story_of(CLIS[name]), pace=PACE), lenient=True) as on:
        run = run_without_profile(on)
        on.assert_files()
        requests = {request.turn: request for request in on.model.main_requests}
        assert "Ran 1 test" in requests["delete"].tool_result
        assert requests["done"].prompt.split()[0] == "MIT"
    refused = [one for one in run.folder.decisions if one["verdict"] == "refuse"]
    assert len(refused) == 1
    asked = {
        record.data["detection"]["identity"]: record.data["detection"]["subject"]
        for record in run.folder.records("event.ScreenSettled")
    }
    subject = asked[refused[0]["identity"]]
    assert subject is not None and subject["text"] == DELETE
    run.folder.assert_keys_follow_their_decisions()
    assert run.exit_code in (0, 3)
