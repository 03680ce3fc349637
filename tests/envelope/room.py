"""A home with secrets and a project, and a real process inside an envelope there."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from copilot.core.profile_outline import EnvelopeTable
from copilot.envelope.bubblewrap import find_bubblewrap, probe
from copilot.envelope.envelope import Envelope
from copilot.envelope.plan import EnvelopePlan, Wanted, inner_environment
from copilot.errors import InputError
from copilot.pty.pty_child import PtyChild

ESCAPES = Path(__file__).with_name("escapes.py")
TABLE = EnvelopeTable(state=("~/.tool/",), read_only=("~/.tool/settings",), caches=("~/.cache/pip",))


def needs_bubblewrap() -> None:
    """Skips where the machine cannot do it, and says why."""
    try:
        probe()
    except InputError as problem:
        pytest.skip(str(problem))


@dataclass
class Room:
    """The folders. `run_folder` is copilot's own; `outside` is a stranger's."""

    home: Path
    sockets: list[socket.socket] = field(default_factory=list)

    @property
    def project(self) -> Path:
        return self.home / "project"

    @property
    def run_folder(self) -> Path:
        return self.home / "runs"

    def wanted(self, **more: object) -> Wanted:
        given: dict[str, object] = {
            "project": self.project,
            "home": self.home,
            "table": TABLE,
            "private": (str(self.run_folder),),
            "needed": (sys.base_prefix, *os.environ["PATH"].split(os.pathsep)),
        }
        return Wanted(**{**given, **more})  # type: ignore[arg-type]

    def listen(self, address: str, family: int = socket.AF_UNIX) -> socket.socket:
        one = socket.socket(family)
        one.bind(address)
        one.listen(5)
        self.sockets.append(one)
        return one


@contextmanager
def made_room(folder: Path) -> Iterator[Room]:
    """A room below `folder`."""
    room = Room(folder / "home")
    for name in ("project/src", "project/.github/workflows", "runs", ".ssh", ".tool", ".cache/pip", "other"):
        (room.home / name).mkdir(parents=True)
    texts = {
        ".ssh/id": "secret",
        ".aws/credentials": "secret",
        ".codex/auth.json": "secret",
        ".netrc": "secret",
        ".bashrc": "x",
        ".tool/settings": "x",
        "runs/transcript": "secret",
        "other/file": "x",
        "project/CLAUDE.md": "x",
        "project/.github/workflows/ci.yml": "x",
        "project/src/a.py": "x",
    }
    for name, text in texts.items():
        (room.home / name).parent.mkdir(parents=True, exist_ok=True)
        (room.home / name).write_text(text)
    subprocess.run(["git", "init", "-q", str(room.project)], check=True, capture_output=True)
    (room.project / ".git" / "hooks").mkdir(exist_ok=True)
    try:
        yield room
    finally:
        for one in room.sockets:
            one.close()


def run_inside(
    plan: EnvelopePlan,
    argv: Sequence[str],
    *,
    network: bool = True,
    environment: Mapping[str, str] | None = None,
) -> tuple[int, str]:
    """The status and the output of a program inside, in a terminal of its own."""
    return asyncio.run(_run_inside(plan, argv, network, {**os.environ, **(environment or {})}))


async def _run_inside(
    plan: EnvelopePlan, argv: Sequence[str], network: bool, environment: dict[str, str]
) -> tuple[int, str]:
    envelope = Envelope(plan, find_bubblewrap(), network=network)
    output: list[bytes] = []
    ended = asyncio.Event()
    child = await PtyChild.start(
        argv,
        cwd=plan.project,
        environment=inner_environment(environment, None),
        columns=200,
        lines=50,
        on_output=output.append,
        on_exit=lambda status: ended.set(),
        launcher=envelope.launcher(),
    )
    try:
        child.is_inside((await envelope.started(keep_ctype=True)).pid)
        async with asyncio.timeout(60):
            await ended.wait()
    finally:
        await child.end(0.2)
        envelope.close()
    return child.status if child.status is not None else -1, b"".join(output).decode("utf-8", "replace")


def tried(room: Room, facts: Mapping[str, object], *, network: bool, plan: EnvelopePlan) -> dict[str, str]:
    """What became of every attempt of `escapes.py`: `done`, or the kernel's answer."""
    script = room.project / "escapes.py"
    script.write_text(ESCAPES.read_text())
    (room.project / "facts.json").write_text(json.dumps(facts))
    home = {"HOME": str(room.home)}
    status, output = run_inside(
        plan, (os.path.realpath(sys.executable), "-I", "-S", str(script)), network=network, environment=home
    )
    assert status == 0, output
    told: dict[str, str] = json.loads((room.project / "told.json").read_text())
    return told
