"""The server as a client has it: a process of its own, spoken to with the SDK's client."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from mcp import Client

    Connect = Callable[[], AbstractAsyncContextManager[Client]]
FAULT_SCRIPT = "fault.py"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project whose `flutter` runs the Python program `fault.py` in it."""
    folder = (tmp_path / "project").resolve()
    folder.mkdir()
    return folder


@pytest.fixture
def environment(tmp_path: Path, project: Path) -> dict[str, str]:
    """What the server's process gets, with the runner first on PATH and a mark by which its children are found."""
    programs = tmp_path / "programs"
    programs.mkdir()
    runner = programs / "flutter"
    runner.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S {FAULT_SCRIPT} "$@"\n')
    runner.chmod(0o755)
    return {
        "PATH": os.pathsep.join([str(programs), os.environ["PATH"]]),
        "HOME": str(tmp_path),
        "FAULT_MARK": str(tmp_path),
    }


@pytest.fixture
def connect(project: Path, environment: dict[str, str]) -> Connect:
    """Connects a client to a server of its own in the project."""
    from mcp import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    command = str(Path(sys.executable).with_name("copilot-terminal"))
    assert shutil.which(command), "the package is not installed"

    @asynccontextmanager
    async def connected() -> AsyncIterator[Client]:
        server = StdioServerParameters(command=command, args=["mcp"], cwd=project, env=environment)
        async with Client(stdio_client(server)) as client:
            yield client

    return connected
