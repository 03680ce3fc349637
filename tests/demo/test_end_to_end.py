"""The demo as a user runs it: everything real, no stand-in."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.front_door import copilot

DEMO = ("demo", "--headless", "--speed", "30", "--log")


@pytest.mark.row("CP-1", "CP-77", "CP-78")
def test_the_demo_runs_to_its_end_by_itself(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "copilot", *DEMO, str(tmp_path / "run")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=200)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "✗" not in done.stdout
    assert "the simulated CLI came to its end" in done.stdout
    assert f"The run folder: {tmp_path / 'run'}" in done.stdout
    for name in ("manifest.json", "transcript.jsonl", "session.cast"):
        assert (tmp_path / "run" / name).is_file()


@pytest.mark.row("CP-85", "CP-90")
def test_at_suggest_with_nobody_there_nothing_is_approved(tmp_path: Path) -> None:
    done = copilot(*DEMO, tmp_path / "run", "--autonomy", "suggest", "--json", cwd=tmp_path)
    assert done.code in (1, 3), done.out + done.err
    assert "✗ greeting.py was not written" in done.err
    assert "✓ nothing was typed that was not asked for" in done.err
    for line in done.out.splitlines():
        json.loads(line)
