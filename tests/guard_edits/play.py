"""A scripted child: makes the run's own files, shows one dialog, and writes down what is typed into it.

Run by `measure.py` as `python play.py JOB.json`, in the project. It imports nothing of copilot, as a coding CLI would
not. The job: `made` (path to text; a path that ends in / is a folder), `branches`, `screen` (text to write), `typed`
(the file for what came in), `seconds` (how long to wait at most).
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import tty
from pathlib import Path
from typing import Any


def main() -> None:
    job: dict[str, Any] = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    _make(job)
    tty.setraw(0)
    _write(job["screen"].encode())
    Path(job["typed"]).write_bytes(_typed(job["seconds"]))
    _write(b"\x1b[?1049l\x1b[?25hdone\r\n")


def _make(job: dict[str, Any]) -> None:
    for name, text in job["made"].items():
        path = Path(name)
        (path if name.endswith("/") else path.parent).mkdir(parents=True, exist_ok=True)
        if not name.endswith("/"):
            path.write_text(text, encoding="utf-8")
    for branch in job["branches"]:
        subprocess.run(["git", "branch", branch], check=True, capture_output=True)


def _typed(seconds: float) -> bytes:
    """The first keys; empty if none came in time, or the terminal was closed."""
    if not select.select([0], [], [], seconds)[0]:
        return b""
    try:
        return os.read(0, 4096)
    except OSError:
        return b""


def _write(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


if __name__ == "__main__":
    main()
