"""Scenarios that name MCP servers, and an agent that asks a model for its commands."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from copilot import cli
from copilot.errors import InputError
from copilot.lab.scenarios.read import load_scenarios

SMALL_SERVER = Path(__file__).parent / "small_mcp_server.py"
SERVERS = """\
scenarios:
  - name: two servers
    task: Where are you?
    environment: {{set: {{MCP_TIMEOUT: "1500"}}}}
    mcp_servers:
      good: {{command: [{python}, {server}], env: {{PID_FILE: {folder}/good.pid}}}}
      hangs: {{command: [{python}, {server}, --hang], env: {{PID_FILE: {folder}/hangs.pid}}}}
    playbook:
      turns:
        - tool_calls: [{{name: mcp__good__where}}]
        - text: "There."
    checks:
      - called: mcp__good__where
      - result: {{tool: mcp__good__where, contains: project home}}
      - playbook_kept
"""
AGENT = """\
scenarios:
  - name: three commands
    cli: commands
    task: Count the lines.
    allow_commands: [wc, cat]
    files: {notes.txt: "one"}
    playbook:
      turns:
        - tool_calls: [{name: execute_command, arguments: {command: cat notes.txt}}]
        - tool_calls: [{name: execute_command, arguments: {command: wc -c notes.txt}}]
        - tool_calls: [{name: execute_command, arguments: {command: rm notes.txt}}]
        - text: Three bytes.
    checks:
      - called: {tool: command, times: 3}
      - result: {tool: command, contains: 3 notes.txt}
      - blocked: {tool: command, reason: is not allowed}
      - said: {contains: Three bytes}
      - file: notes.txt
      - playbook_kept
"""


@pytest.mark.row("SI-42")
def test_servers_of_a_scenario_are_started_and_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "servers.yaml"
    file.write_text(SERVERS.format(python=sys.executable, server=SMALL_SERVER, folder=tmp_path))
    assert cli.main(["eval", str(file), "--parallel", "1"]) == 0, capsys.readouterr()
    for name in ("good", "hangs"):
        with pytest.raises(ProcessLookupError):
            os.kill(int((tmp_path / f"{name}.pid").read_text()), 0)


@pytest.mark.row("SI-43")
def test_an_agent_asks_its_model_for_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "agent.yaml"
    file.write_text(AGENT)
    assert cli.main(["eval", str(file), "--parallel", "1"]) == 0, capsys.readouterr()
    file.write_text(AGENT.replace("        - text: Three bytes.\n", ""))
    assert cli.main(["eval", str(file), "--parallel", "1"]) == 1
    assert "the playbook is used up" in "".join(capsys.readouterr())


@pytest.mark.row("SI-42")
def test_a_server_without_a_command_is_told(tmp_path: Path) -> None:
    file = tmp_path / "servers.yaml"
    bad = "scenarios: [{name: a, task: b, playbook: {turns: [{text: x}]}, checks: [playbook_kept], mcp_servers: {s: {env: {A: b}}}}]"
    file.write_text(bad)
    with pytest.raises(InputError, match="s: needs either a `command`"):
        load_scenarios(file)
