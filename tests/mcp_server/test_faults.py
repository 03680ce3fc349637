"""Badly behaved tests through the real client: every call returns in time, and nothing survives.

The default suite runs a few once; `-m slow` runs all of them, `FAULT_REPEATS` times (50).
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from mcp import Client

from copilot.timebox.testing import GRACE_SECONDS
from tests.mcp_server.conftest import FAULT_SCRIPT, Connect
from tests.mcp_server.test_server import call
from tests.terminal.fault_scripts import FAULTS
from tests.terminal.faults import marked

LIMIT_SECONDS = 1.0
REPEATS = int(os.environ.get("FAULT_REPEATS", "50"))
TEN = list(FAULTS)[:10]
WHOLE = "a gigabyte of output"
_SEEN = {"pass", "fail", "timeout"}


async def run_fault(
    client: Client, name: str, project: Path, environment: Mapping[str, str], servers: set[int]
) -> float:
    """One call with the fault as the test run; the seconds it took."""
    code = FAULTS[name].argv[-1]
    (project / FAULT_SCRIPT).write_text(code)
    begun = time.monotonic()
    data = await call(client, {"timeout_ms": round(LIMIT_SECONDS * 1000), "no_output_timeout_ms": 60_000})
    seconds = time.monotonic() - begun
    assert data["status"] in _SEEN, data
    await asyncio.sleep(0)
    left = marked(environment["FAULT_MARK"]) - servers
    assert not left, f"{name}: {len(left)} survived"
    return seconds


@pytest.mark.row("TB-4", "TB-22", "TB-28")
@pytest.mark.timeout(180)
async def test_ill_behaved_tests_come_back(
    connect: Connect, project: Path, environment: dict[str, str]
) -> None:
    async with connect() as client:
        await client.list_tools()
        servers = marked(environment["FAULT_MARK"])
        for name in ("setsid escape", "ignores TERM, INT and HUP", "stops itself"):
            await run_fault(client, name, project, environment, servers)


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.row("TB-4", "TB-22", "TB-28", "TB-36")
@pytest.mark.parametrize("name", TEN)
async def test_all_faults_many_times(
    name: str, connect: Connect, project: Path, environment: dict[str, str]
) -> None:
    async with connect() as client:
        await client.list_tools()
        servers = marked(environment["FAULT_MARK"])
        times = [await run_fault(client, name, project, environment, servers) for _ in range(REPEATS)]
    print(f"{name}: {len(times)} runs, slowest {max(times):.2f} s")
    assert max(times) < LIMIT_SECONDS + GRACE_SECONDS + 1.0 + _ALLOWANCE_SECONDS


_ALLOWANCE_SECONDS = float(os.environ.get("FAULT_ALLOWANCE", "1.0"))
"""For starting the runner and writing the report; more on a busy machine."""
