"""Badly behaved tests through the real client: every call returns in time, and nothing survives.

The default suite runs a few once; `-m slow` runs all of them, `FAULT_REPEATS` times (50).
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from copilot.timebox.testing import GRACE_SECONDS
from tests.pty.fault_scripts import FAULTS
from tests.pty.faults import marked
from tests.testrunner.conftest import FAULT_SCRIPT
from tests.testrunner.test_server import call

if TYPE_CHECKING:
    from mcp import Client

    from tests.testrunner.conftest import Connect

LIMIT_SECONDS = 1.0
REPEATS = int(os.environ.get("FAULT_REPEATS", "50"))
TEN = list(FAULTS)[:10]
WHOLE = "a gigabyte of output"
MOST_MEMORY_KIB = 100_000_000 >> 10
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


@pytest.mark.waits
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


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.row("TB-36")
async def test_a_gigabyte_of_output_takes_little_memory(
    connect: Connect, project: Path, environment: dict[str, str]
) -> None:
    (project / FAULT_SCRIPT).write_text(FAULTS[WHOLE].argv[-1])
    async with connect() as client:
        await client.list_tools()
        servers = marked(environment["FAULT_MARK"])
        before = {one: memory(one) for one in servers}
        data = await call(client, {"timeout_ms": 480_000, "no_output_timeout_ms": 60_000})
        after = {one: memory(one) for one in servers}
        left = marked(environment["FAULT_MARK"]) - servers
    print(f"most memory in KiB, before {before}, after {after}; {data['duration_ms']} ms")
    assert data["status"] == "pass" and not left
    assert written(data) > 1 << 30
    assert sum(after.values()) < MOST_MEMORY_KIB


def written(data: Mapping[str, Any]) -> int:
    """How many bytes of output the report tells of."""
    summary = json.loads(Path(data["artifacts"]["summary_json"]).read_text())
    return int(summary["output_bytes"])


def memory(pid: int) -> int:
    """The most memory that the process has held so far, in KiB."""
    (line,) = re.findall(r"^VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    return int(line)


_ALLOWANCE_SECONDS = float(os.environ.get("FAULT_ALLOWANCE", "0"))
"""More, for a machine that is too busy to start programs within the second that is promised."""
