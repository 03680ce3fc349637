"""`copilot mcp` as the SDK's own client sees it."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from copilot.timebox.runners import RUNNERS
from copilot.timebox.testing import OWN_PLACE
from tests.pty.faults import marked
from tests.testrunner.conftest import FAULT_SCRIPT
from tests.timebox.conftest import USUAL

if TYPE_CHECKING:
    from mcp import Client
    from mcp_types import CallToolResult

    from tests.testrunner.conftest import Connect

ENDLESS = (
    "import os, time\nos.fork(); os.write(1, b'started\\n')\nwhile True: time.sleep(1); os.write(1, b'.')\n"
)


def told(result: CallToolResult) -> dict[str, Any]:
    """The structured result; its text says the same, and it keeps to the schema."""
    import jsonschema

    from copilot.testrunner.tools.run_test import output_schema

    data = result.structured_content
    assert isinstance(data, dict)
    jsonschema.validate(data, output_schema())
    (content,) = result.content
    assert content.type == "text" and json.loads(content.text) == data
    assert result.is_error is (data["status"] == "error")
    return data


async def call(client: Client, given: Mapping[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return told(await client.call_tool("run_test", {**USUAL, **(given or {})}, **more))


def survivors(environment: Mapping[str, str]) -> set[int]:
    """Processes of the tests (or the server) that still run."""
    return marked(environment["FAULT_MARK"])


async def none_left(environment: Mapping[str, str]) -> None:
    """Waits until nothing of the run is there; the test's own limit ends it."""
    while survivors(environment):  # noqa: ASYNC110
        await asyncio.sleep(0.05)


@pytest.mark.row("TB-1", "TB-2", "TB-3", "TB-14", "TB-52", "TB-53")
@pytest.mark.timeout(120)
async def test_one_tool_that_runs_reports_and_is_cancelled(
    connect: Connect, project: Path, environment: dict[str, str]
) -> None:
    from copilot.testrunner.tools.run_test import input_schema

    (project / FAULT_SCRIPT).write_text("import time\nprint('noise', flush=True); time.sleep(3)\n")
    progress: list[tuple[float, float | None, str | None]] = []

    async def hear(done: float, total: float | None, message: str | None) -> None:
        progress.append((done, total, message))

    async with connect() as client:
        (tool,) = (await client.list_tools()).tools
        assert tool.name == "run_test" and tool.input_schema == input_schema([project])
        data = await call(client, progress_callback=hear)
        assert data["status"] == "pass" and data["excerpt"] == "noise"
        assert progress and progress[0][1] == USUAL["timeout_ms"] / 1000 and "bytes" in str(progress[0][2])
        assert [done for done, _, _ in progress] == sorted(done for done, _, _ in progress)

        assert "runner: " in (await call(client, {"runner": "make"}))["error_message"]
        unknown = await client.call_tool("other", {})
        assert told(unknown)["error_message"].startswith("there is no tool")

        (project / FAULT_SCRIPT).write_text(ENDLESS)
        before = survivors(environment)
        task = asyncio.create_task(call(client))
        while len(survivors(environment) - before) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        while survivors(environment) - before:  # noqa: ASYNC110
            await asyncio.sleep(0.05)

        (project / FAULT_SCRIPT).write_text("import sys\nprint(sys.argv[-1])\n")
        calls = [call(client, {"scope": "pattern", "target": f"t{n}"}) for n in range(4)]
        results = await asyncio.gather(*calls)
        assert [data["excerpt"] for data in results] == ["t0", "t1", "t2", "t3"]
        assert len({data["report_dir"] for data in results}) == 4
    await none_left(environment)


@pytest.mark.row("TB-52")
@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "how", ["pipe closed", "server killed", pytest.param("server terminated", marks=pytest.mark.slow)]
)
async def test_when_the_client_or_the_server_is_gone_so_are_the_tests(
    how: str, project: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    (project / FAULT_SCRIPT).write_text(ENDLESS)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    environment = {**environment, "TMPDIR": str(scratch)}
    command = (sys.executable, "-m", "copilot", "mcp", "--root", str(project))
    server = subprocess.Popen(  # noqa: ASYNC220
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=project, env=environment
    )
    assert server.stdin is not None and server.stdout is not None
    for message in _session(USUAL):
        server.stdin.write(json.dumps(message).encode() + b"\n")
    server.stdin.flush()
    log = None
    while log is None or "started" not in log.read_text():
        await asyncio.sleep(0.05)
        log = next((project / OWN_PLACE).glob("*/raw.log"), None)
    if how == "pipe closed":
        server.stdin.close()
        server.stdout.close()
    else:
        server.send_signal(signal.SIGKILL if how == "server killed" else signal.SIGTERM)
    await none_left(environment)
    server.wait()
    assert "[stdout] started" in log.read_text()
    if how != "server killed":
        assert not list(scratch.iterdir())


def _session(arguments: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What a client of the older protocol sends up to its first call."""
    client = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "a test", "version": "1"},
    }
    return [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "tools/call",
            "params": {"name": "run_test", "arguments": dict(arguments)},
        },
    ]


def test_the_schema_is_that_of_the_source_document(tmp_path: Path) -> None:
    from copilot.testrunner.tools.run_test import input_schema, output_schema

    schema = input_schema([tmp_path])
    names = [
        *("runner", "scope", "target", "timeout_ms", "no_output_timeout_ms"),
        "max_output_bytes",
        "report_dir",
    ]
    assert list(schema["properties"]) == names
    assert schema["required"] == ["runner", "scope", "timeout_ms", "no_output_timeout_ms", "max_output_bytes"]
    assert schema["properties"]["scope"]["enum"] == ["all", "file", "pattern"]
    assert "flutter" in schema["properties"]["runner"]["enum"] == list(RUNNERS)
    assert output_schema()["properties"]["status"]["enum"] == [
        "pass",
        "fail",
        "timeout",
        "no_output",
        "error",
    ]


@pytest.mark.row("TB-12")
def test_with_several_roots_a_call_says_which(tmp_path: Path) -> None:
    from copilot.testrunner.tools.run_test import input_schema

    schema = input_schema([tmp_path, tmp_path / "b"])
    assert schema["properties"]["cwd"]["enum"] == [str(tmp_path), str(tmp_path / "b")]


def test_the_server_is_not_for_a_terminal_and_names_a_bad_root(tmp_path: Path) -> None:
    command = (sys.executable, "-m", "copilot", "mcp", "--root", str(tmp_path / "none"))
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == 2 and done.stderr.startswith("copilot: error: --root: ") and not done.stdout
