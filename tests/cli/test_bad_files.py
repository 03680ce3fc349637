"""A hostile or broken file is told in one line with its name: no crash, no wait, no memory, whatever it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.bad_files.kinds import KINDS
from tests.bad_files.worker import chosen

EVERY = pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.slow)])
"""Each kind of file with every third hostile one, in turn; with all of them."""


@pytest.mark.waits
@EVERY
def test_a_hostile_file_is_told_in_one_line(tmp_path: Path, every: int) -> None:
    """In one process with little memory."""
    ours = {name: text for name, text in os.environ.items() if not name.startswith(("XDG_", "COPILOT_"))}
    done = subprocess.run(
        [sys.executable, "-m", "tests.bad_files.worker", str(tmp_path), str(every)],
        cwd=Path(__file__).resolve().parents[2],
        env=ours,
        capture_output=True,
        text=True,
        timeout=220,
    )
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, f"after {found[-1:]}: {done.stderr[-2000:]}"
    assert [(one["kind"], one["bad"]) for one in found] == _wanted(every)
    assert [one for one in found if not _is_right(one)] == []


@EVERY
def test_each_kind_of_file_and_each_hostile_one_is_tried(every: int) -> None:
    tried = _wanted(every)
    assert {kind for kind, _ in tried} == set(KINDS)
    assert {bad for _, bad in tried} == {bad for kind in KINDS.values() for bad in kind.hostile}


def _wanted(every: int) -> list[tuple[str, str]]:
    numbered = enumerate(KINDS.items())
    return [(name, bad) for number, (name, kind) in numbered for bad in chosen(number, kind, every)]


def _is_right(became: dict[str, Any]) -> bool:
    kind, code, said = KINDS[became["kind"]], int(became["code"]), str(became["said"])
    if "Traceback" in said or "fault in copilot" in said or "\x1b" in said:
        return False
    if became["bad"] in kind.fine:
        return code == 0
    if kind.held:
        return code == 0 and bool(json.loads(became["told"])["verdict"] == "hold")
    lines = [line for line in said.splitlines() if line.startswith("copilot: error: ")]
    return code == kind.code and lines != [] and all(Path(kind.file).name in line for line in lines)
