"""A whole copilot with a badly behaved child, headless and as a cockpit, killed with -9.

Everything of the run carries one mark in its environment, the child and what it starts another one besides.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ptyprocess import PtyProcess

from copilot.supervision import process_tree

COPILOT = (sys.executable, "-m", "copilot")
FORMS = ("headless", "cockpit")


@contextmanager
def copilot(form: str, child: tuple[str, ...], folder: Path, **marks: str) -> Iterator[PtyProcess]:
    """`copilot` in a terminal with this child, in a folder that is its project and takes its run.

    `marks` are variables of everything that belongs to the run. What is left at the end is killed.
    """
    options = ["--provider", "rules", "--profile", "generic", "--log", str(folder / "run")]
    options += ["--headless"] if form == "headless" else []
    user = {"XDG_CONFIG_HOME": str(folder / "config"), "XDG_STATE_HOME": str(folder / "state")}
    process = PtyProcess.spawn(
        [*COPILOT, *options, "--", *child],
        cwd=str(folder),
        env={**os.environ, **user, **marks, "TERM": "xterm-256color"},
        dimensions=(24, 80),
    )
    loop = asyncio.get_running_loop()
    loop.add_reader(process.fd, _read_away, process.fd, loop)
    try:
        yield process
    finally:
        loop.remove_reader(process.fd)
        below = process_tree.descendants(process.pid)
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
        process_tree.signal_all(below, signal.SIGKILL)
        process.close(force=True)


def _read_away(descriptor: int, loop: asyncio.AbstractEventLoop) -> None:
    try:
        data = os.read(descriptor, 65536)
    except OSError:
        data = b""
    if not data:
        loop.remove_reader(descriptor)
