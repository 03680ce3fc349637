"""Real Claude Code and Codex run tests through our MCP server: they pass, fail, hang and fall silent.

The CLIs find the server in the project's own configuration, as `copilot mcp install` writes it; the co-pilot
answers their permission prompts for the tool.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from copilot.lab.model_server import Playbook, load_playbook
from copilot.testrunner.install import ENTRIES, SERVER, write_entry
from copilot.timebox.testing import OWN_PLACE
from tests.real.processes import with_home
from tests.real.run import COPILOT, run_headless
from tests.real.stage import Stage, stage

pytestmark = [pytest.mark.real_cli, pytest.mark.timeout(300)]
TASK = "Run the four test files."
SUITES = {
    "test_passes.py": "        self.assertTrue(True)",
    "test_fails.py": "        self.assertEqual('MARK-OF-THE-FAILURE', 2)",
    "test_hangs.py": "        while True:\n            print('.', flush=True); time.sleep(0.2)",
    "test_silent.py": "        time.sleep(600)",
}
STATUSES = {
    "test_passes.py": "pass",
    "test_fails.py": "fail",
    "test_hangs.py": "timeout",
    "test_silent.py": "no_output",
}


WAIT = """\
until grep -qs 'Successfully connected' "$HOME"/.cache/claude-cli-nodejs/*/mcp-logs-*/*.jsonl; do sleep 0.2; done
sleep 1
"""
"""Claude Code begins its first turn while servers still start; a person would not be faster than that."""


def arguments_for(suite: str) -> dict[str, Any]:
    """The tool's parameters for one file; what shall fall silent has the short silence limit."""
    return {
        "runner": "unittest",
        "scope": "file",
        "target": suite,
        "timeout_ms": 6_000 if suite == "test_hangs.py" else 120_000,
        "no_output_timeout_ms": 5_000 if suite == "test_silent.py" else 60_000,
        # Codex shows three of the parameters; the same question three times running would be held.
        "max_output_bytes": 20_000 + list(SUITES).index(suite),
    }


def told(status: str) -> dict[str, Any]:
    """The expectation that the CLI gave the model a result of this status (as JSON, however spaced)."""
    return {"tool_result": {"regex": f'"status": ?"{status}"'}}


def playbook(folder: Path, *, waits: bool) -> Playbook:
    """The model: one tool call per file, each after the result of the one before, then the end."""
    calls = list(SUITES)
    turns: list[dict[str, Any]] = []
    if waits:
        bash = {"name": "Bash", "arguments": {"command": "sh wait.sh", "timeout": 120_000}}
        turns.append({"name": "wait", "when": "four test files", "text": "Wait.", "tool_calls": [bash]})
    for number, suite in enumerate(calls):
        arguments = arguments_for(suite)
        call: dict[str, Any] = {"name": f"mcp__{SERVER}__run_test", "arguments": arguments}
        turn: dict[str, Any] = {"name": suite, "text": f"Now {suite}.", "tool_calls": [call]}
        if number == 0:
            turn["when"] = "four test files"
        else:
            turn["expect"] = told(STATUSES[calls[number - 1]])
        turns.append(turn)
    turns.append({"name": "done", "expect": told("no_output"), "text": "Done: one of four passes."})
    path = folder / "model.yaml"
    path.write_text(json.dumps({"turns": turns}))
    return load_playbook(path)


def furnish(on: Stage) -> None:
    """The test files, and the entry of the server in the project, accepted by its person."""
    for suite, body in SUITES.items():
        (on.project / suite).write_text(
            "import time, unittest\n\n\nclass Case(unittest.TestCase):\n    def test_it(self):\n"
            + body
            + "\n"
        )
    server = (str(COPILOT.with_name("copilot-terminal")), "mcp")
    assert write_entry(on.project, ENTRIES[on.recipe.name], server)
    if on.recipe.name == "codex":
        # A model that Codex does not know gets its tools without a search for them; and the first turn waits.
        home = on.recipe.home / ".codex" / "config.toml"
        home.write_text(home.read_text().replace('model = "gpt-5.5"', 'model = "local"'))
        entry = on.project / ENTRIES["codex"].file
        entry.write_text(entry.read_text() + "required = true\n")
    if on.recipe.name == "claude":
        settings = on.project / ".claude" / "settings.local.json"
        settings.parent.mkdir()
        allowed = {"permissions": {"allow": ["Bash(sh wait.sh)"]}}
        settings.write_text(json.dumps({"enabledMcpjsonServers": [SERVER], **allowed}))
        (on.project / "wait.sh").write_text(WAIT)


@pytest.mark.row("TB-1", "TB-2")
@pytest.mark.parametrize("name", ["claude", "codex"])
def test_a_real_cli_runs_tests_through_the_server(name: str, tmp_path: Path) -> None:
    with stage(name, tmp_path, playbook=playbook(tmp_path, waits=name == "claude")) as on:
        furnish(on)
        run = run_headless(
            on, *("--autonomy", "full", "--provider", "rules", "--timeout", "150s"), task=TASK, seconds=200.0
        )
        assert run.exit_code == 0, run.output[-3000:]
        turns = [request.turn for request in on.model.main_requests if request.turn != "wait"]
        assert turns == [*SUITES, "done"]
        assert_reports(on.project)
        assert not with_home(on.recipe.home)
    answered = [one for one in run.folder.decisions if "copilot's own time box" in json.dumps(one)]
    assert len(answered) == len(SUITES)
    run.folder.assert_keys_follow_their_decisions()


def assert_reports(project: Path) -> None:
    """Each run left its report: what was said to the CLI is on the disk."""
    found = {}
    for folder in (project / OWN_PLACE).iterdir():
        summary = json.loads((folder / "summary.json").read_text())
        found[summary["args"][-1]] = summary["status"]
        assert (folder / "raw.log").is_file() and (folder / "summary.md").is_file()
        if summary["status"] == "fail":
            assert any("MARK-OF-THE-FAILURE" in block for block in summary["excerpts"])
    assert found == STATUSES
