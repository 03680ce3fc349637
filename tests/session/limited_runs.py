"""Headless runs from outside, beside a child whose screens are slow to judge, and how late each was gone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from tests.guard.guided_screens import FOLDER
from tests.guard.hostile_run import dialog
from tests.guard.test_budget import HOSTILE

ROOT = Path(__file__).resolve().parents[2]
CHILD = Path(__file__).with_name("costly_child.py")
LIMIT_SECONDS = 2.0
PATIENCE_SECONDS = 60.0
"""After so long a run counts as hung. How soon it is gone is measured by `tests.benchmarks.bench_guard`."""
_SLOW_REPLIES = """\
order: any
replies:
  - {kind: permission, choice: {matches: "^Yes"}, delay_seconds: 60, times: any}
"""
_LONGEST_SHOWN = 3_500
"""Characters of a command that the dialog shows on 120x40."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What the child shows, and how (`costly_child.py`)."""

    how: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended, and how many seconds after its limit or the signal its process was gone."""

    code: int
    end: dict[str, Any]
    late_seconds: float


def _asking(command: str) -> bytes:
    text = dialog({"command": f"echo @@; {command[:_LONGEST_SHOWN]}"})
    return b"\x1b[2J\x1b[H" + text.replace("\n", "\r\n").encode()


SHOWN = {
    **{path.stem: Shown("still", path.read_bytes()) for path in sorted(FOLDER.glob("dos_*.ans"))},
    **{f"{name} redrawn": Shown("redrawn", _asking(HOSTILE[name])) for name in sorted(HOSTILE)},
    "flood": Shown("flood", b"a line of a flood\r\n" * 400),
    "flood of dialogs": Shown("flood", _asking(HOSTILE["loops"])),
}


def run(
    folder: Path, shown: Shown, *, number: int | None = None, begin: Sequence[str] = ("-m", "copilot")
) -> Ended:
    """A run at `full` whose model is slow: to its time limit, or until signal `number` has ended it.

    `begin` are the words for Python that start copilot.
    """
    (folder / "project").mkdir()
    (folder / "screen").write_bytes(shown.data)
    (folder / "replies.yaml").write_text(_SLOW_REPLIES)
    process = subprocess.Popen(
        _command(folder, shown.how, begin, limited=number is None),
        env=_environment(folder),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        due = _signalled(process, folder, number) if number is not None else None
        out, _ = process.communicate(timeout=PATIENCE_SECONDS)
        gone = time.time()
    finally:
        process.kill()
        process.wait()
    due = due if due is not None else _started_at(folder) + LIMIT_SECONDS
    return Ended(process.returncode, json.loads((out.splitlines() or ["{}"])[-1]), gone - due)


def _command(folder: Path, how: str, begin: Sequence[str], *, limited: bool) -> list[str]:
    words = ["--headless", "--json", "--autonomy", "full", "--profile", "claude"]
    words += [
        "--columns",
        "120",
        "--lines",
        "40",
        "--cwd",
        str(folder / "project"),
        "--log",
        str(folder / "run"),
    ]
    words += ["--provider", "playbook", "--playbook", str(folder / "replies.yaml")]
    words += ["--timeout", f"{LIMIT_SECONDS:g}s"] if limited else []
    child = [sys.executable, str(CHILD), how, str(folder / "screen")]
    return [sys.executable, *begin, *words, "--", *child]


def _environment(folder: Path) -> dict[str, str]:
    return {
        "HOME": str(folder),
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "PYTHONPATH": str(ROOT),
    }


def _signalled(process: subprocess.Popen[str], folder: Path, number: int) -> float:
    """When the signal was sent: in the middle of things, once output of the child has been taken."""
    cast, until = folder / "run" / "session.cast", time.monotonic() + PATIENCE_SECONDS
    while not cast.exists() or b'"o"' not in cast.read_bytes():
        assert time.monotonic() < until and process.poll() is None, "the child never began"
        time.sleep(0.01)
    process.send_signal(number)
    return time.time()


def _records(folder: Path) -> list[dict[str, Any]]:
    path = folder / "run" / "transcript.jsonl"
    whole = path.read_bytes().rpartition(b"\n")[0] if path.exists() else b""
    return [json.loads(line) for line in whole.splitlines()]


def _started_at(folder: Path) -> float:
    (started, *_) = [one for one in _records(folder) if one["type"] == "event.Started"]
    return datetime.fromisoformat(started["time"]).timestamp()
