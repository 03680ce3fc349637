"""The processes of a run, found by what they carry in their environment (Linux)."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Process:
    pid: int
    command: str


def with_home(home: Path) -> list[Process]:
    """The living processes whose HOME is this folder (zombies have no environment and do not count)."""
    wanted = f"HOME={home}".encode()
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal() or int(entry.name) == os.getpid():
            continue
        try:
            environment = (entry / "environ").read_bytes().split(b"\0")
            command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace").strip()
        except OSError:
            continue
        if wanted in environment:
            found.append(Process(int(entry.name), command))
    return found


def gone_within(home: Path, seconds: float) -> list[Process]:
    """Waits for the processes with this HOME to end; those that live on."""
    deadline = time.monotonic() + seconds
    while (alive := with_home(home)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return alive


def end(processes: list[Process]) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
