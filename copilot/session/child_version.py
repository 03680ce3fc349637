"""Which version of the coding CLI runs: asked of the program itself, beside the run, within a time limit."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from pathlib import Path

import re2

from copilot.core.profile_outline import Launch

LIMIT_SECONDS = 10.0
_MOST_BYTES = 4096


async def child_version(program: str, launch: Launch, cwd: str, environment: Mapping[str, str]) -> str:
    """The version that `program` (a path) tells of itself, empty if it tells none in time.

    Only programs that the profile knows by name are asked: what `--version` does elsewhere is anyone's guess.
    """
    if Path(program).name not in launch.names:
        return ""
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(LIMIT_SECONDS):
            return await _told(program, launch, cwd, environment)
    return ""


async def _told(program: str, launch: Launch, cwd: str, environment: Mapping[str, str]) -> str:
    process = await asyncio.create_subprocess_exec(
        program,
        *launch.version_arguments,
        cwd=cwd,
        env=dict(environment),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        told = await process.stdout.read(_MOST_BYTES)
        await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
    found = re2.search(launch.version_pattern, told.decode("utf-8", "replace"))
    return str(found.group(1)) if found else ""
