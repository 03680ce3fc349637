"""The entries that `copilot mcp install` writes, read by the CLIs themselves; and the MCP Inspector as a client."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from copilot.lab.clis.base import base_environment
from copilot.lab.model_server import Playbook
from copilot.testrunner.install import ENTRIES, SERVER, write_entry
from copilot.timebox.output_log import clean
from tests.real.conftest import REQUIRED
from tests.real.install import INSPECTOR, NotInstallable, installed
from tests.real.run import COPILOT
from tests.real.stage import Stage, stage

SERVER_COMMAND = (str(COPILOT.with_name("copilot-terminal")), "mcp")
_SECONDS = 90.0
_TOLD_AS_ERROR = 5
"""How the Inspector ends when the tool says of its result that it is an error."""
LISTED = {
    "gemini": f"✓ {SERVER}: {' '.join(SERVER_COMMAND)} (stdio) - Connected",
    "qwen": f"✓ {SERVER}: {' '.join(SERVER_COMMAND)} (stdio) - Connected",
    "opencode": f"✓ {SERVER} connected",
    "copilot": f"{SERVER} (local)",
}
"""What `mcp list` of each says; all but the last have started the server for it."""


def ended(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], exit_code: int = 0
) -> subprocess.CompletedProcess[str]:
    """A command that must end with this exit code."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    assert done.returncode == exit_code, done.stdout + done.stderr
    return done


def listed(name: str, on: Stage) -> str:
    """The servers as the CLI lists them, without colours. Gemini CLI lists them on its standard error."""
    done = ended([name, "mcp", "list"], on.project, on.recipe.environment)
    return clean(done.stdout + done.stderr)


@pytest.mark.real_cli
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", sorted(LISTED))
def test_the_cli_reads_the_entry_of_its_project(name: str, tmp_path: Path) -> None:
    with stage(name, tmp_path, playbook=Playbook(()), lenient=True) as on:
        assert SERVER not in listed(name, on)
        assert write_entry(on.project, ENTRIES[name], SERVER_COMMAND)
        if name == "qwen":
            ended([name, "mcp", "approve", SERVER], on.project, on.recipe.environment)
        assert LISTED[name] in listed(name, on)


@pytest.fixture(scope="module")
def inspector() -> Path:
    try:
        return installed(INSPECTOR)
    except NotInstallable as problem:
        if os.environ.get(REQUIRED) == "1":
            pytest.fail(str(problem))
        pytest.skip(str(problem))


def inspected(programs: Path, folder: Path, *method: str, exit_code: int = 0) -> Any:
    """What the Inspector's command-line mode prints of our server."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    command = [INSPECTOR.name, "--cli", *SERVER_COMMAND, "--method", *method]
    return json.loads(ended(command, folder, base_environment(home, programs), exit_code).stdout)


@pytest.mark.real_cli("node")
@pytest.mark.timeout(900)
@pytest.mark.row("TB-1")
def test_the_inspector_lists_and_calls_the_tool(inspector: Path, tmp_path: Path) -> None:
    body = "import unittest\nclass A(unittest.TestCase):\n    def test_it(self): self.assertTrue({})\n"
    (tmp_path / "test_a.py").write_text(body.format(True))
    (tmp_path / "test_b.py").write_text(body.format(False))
    tools = inspected(inspector, tmp_path, "tools/list")["tools"]
    assert [tool["name"] for tool in tools] == ["run_test"]
    assert set(tools[0]["inputSchema"]["required"]) <= set(tools[0]["inputSchema"]["properties"])
    limits = ["timeout_ms=60000", "no_output_timeout_ms=30000", "max_output_bytes=20000"]
    for target, status in (("test_a.py", "pass"), ("test_b.py", "fail"), ("test_none.py", "error")):
        given = ["runner=unittest", "scope=file", f"target={target}", *limits]
        call = ["tools/call", "--tool-name", "run_test", "--tool-arg", *given]
        code = _TOLD_AS_ERROR if status == "error" else 0
        result = inspected(inspector, tmp_path, *call, exit_code=code)["structuredContent"]
        assert result["status"] == status
        assert bool(result["report_dir"]) == (status != "error")
