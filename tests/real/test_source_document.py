"""The source document's plan, detectors and narrative, as they stand there, on real CLIs without a person.

The plan starts the repository, its packages and the workspace tool by commands that the governing prompt names.
The model asks for a template, writes a service, installs and tests. The offline rules reply.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from copilot.lab.model_server import Playbook, TextMatch, Turn
from tests.plans import source_document
from tests.real.run import copilot_command, run_to_the_end
from tests.real.scenes import HELLO, PACE, TESTS
from tests.real.stage import Stage, stage
from tests.real.tools import TOOLS

pytestmark = [pytest.mark.real_cli, pytest.mark.timeout(400)]
SECONDS = 200.0
GOVERNING = (
    source_document.GOVERNING
    + source_document.ASKS_FOR_ITS_COMMANDS
    + "You may run `npm install`, run the tests and install the project's dependencies.\nUse Express.\n"
)
TEMPLATE = "Choose a template"
OFFLINE = {"npm_config_offline": "true", "npm_config_audit": "false", "npm_config_update_notifier": "false"}


def turns(name: str) -> tuple[Turn, ...]:
    """What the model does with the two prompts of the plan: ask, write, install, and then test."""
    tools = TOOLS[name]
    scaffold, tests = TextMatch(contains="cursor create service"), TextMatch(contains="cursor generate tests")
    ask = [("Which one?", tools.ask(TEMPLATE, ("React", "Next.js", "Express")))] if tools.ask else []
    calls = [
        *ask,
        ("I write the service.", tools.write(HELLO)),
        ("Now its packages.", tools.run("npm install")),
    ]
    first, *more = (
        Turn(text, (call,), name=text, when=scaffold if not index else None)
        for index, (text, call) in enumerate(calls)
    )
    return (
        first,
        *more,
        Turn("✅ Scaffold complete", name="scaffold"),
        Turn("The tests run.", (tools.run(TESTS),), name="test", when=tests),
        Turn("All tasks complete.", name="all"),
    )


def install_workspace_tool(project: Path) -> None:
    for name, text in source_document.installed_workspace_tool({}).items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    script = project / "node_modules/@radzion/workspace/init.js"
    script.chmod(0o755)
    bins = project / "node_modules/.bin"
    bins.mkdir()
    (bins / "workspace").symlink_to("../@radzion/workspace/init.js")


def command(on: Stage, log: Path) -> list[str]:
    """The document's own command line, on this CLI."""
    files = {
        "plan.yml": source_document.PLAN,
        "detectors.json": source_document.DETECTORS,
        "governing.md": GOVERNING,
    }
    for name, text in files.items():
        (on.folder / name).write_text(text, "utf-8")
    options = ["--headless", "--autonomy", "full", "--timeout", "170s", "--columns", "120", "--lines", "40"]
    options += ["--plan", str(on.folder / "plan.yml"), "--prompt", str(on.folder / "governing.md")]
    options += ["--detectors", str(on.folder / "detectors.json")]
    return copilot_command(on, *options, log=log, child=on.recipe.command)


@pytest.mark.row("CP-86", "CP-88", "CP-95")
@pytest.mark.parametrize("name", ["claude", "codex"])
def test_the_document_s_plan_is_done_as_given(name: str, tmp_path: Path) -> None:
    with stage(name, tmp_path, playbook=Playbook(turns(name), pace=PACE)) as on:
        install_workspace_tool(on.project)
        log = tmp_path / "runs"
        environment = dict(on.recipe.environment) | OFFLINE
        run = run_to_the_end(command(on, log), on.project, environment, on.recipe.home, log, SECONDS)
        assert run.exit_code == 0
        on.assert_files()
        assert (on.project / "packages" / "api").is_dir() and (on.project / "package.json").is_file()
        asked = ["git", "rev-parse", "--is-inside-work-tree"]
        assert subprocess.run(asked, cwd=on.project, check=False, capture_output=True).returncode == 0
    moves = [one.data for one in run.folder.records("effect.PlanMoved")]
    assert [one["step"] for one in moves if not one["part"] and one["state"] == "done"] == [1, 2, 3, 4, 0]
    sent = [one["reason"] for one in run.folder.decisions if "your prompt, line 6" in one["reason"]]
    assert len(sent) == 3, "git init, npm init -y and npx rest on the governing prompt"
    assert not any(one["by"] == "person" for one in run.folder.decisions)
    run.folder.assert_keys_follow_their_decisions()
    run.folder.busy_check().assert_no_key_while_busy()
