"""The demo as a user runs it: everything real, no stand-in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


def run_demo(log: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "copilot", "demo", "--headless", "--speed", "6", "--log", str(log), *options],
        capture_output=True,
        text=True,
        check=False,
        timeout=55,
        env={**os.environ, "TERM": "xterm-256color"},
    )


@pytest.mark.row("CP-1", "CP-77", "CP-78")
def test_the_demo_runs_to_its_end_by_itself(tmp_path: Path) -> None:
    done = run_demo(tmp_path / "run")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "✗" not in done.stdout
    assert "the simulated CLI came to its end" in done.stdout
    assert f"The run folder: {tmp_path / 'run'}" in done.stdout
    for name in ("manifest.json", "transcript.jsonl", "session.cast"):
        assert (tmp_path / "run" / name).is_file()


@pytest.mark.row("CP-85", "CP-90")
def test_at_suggest_with_nobody_there_nothing_is_approved(tmp_path: Path) -> None:
    done = run_demo(tmp_path / "run", "--autonomy", "suggest", "--json")
    assert done.returncode in (1, 3), done.stdout + done.stderr
    assert "✗ greeting.py was not written" in done.stderr
    assert "✓ nothing was typed that was not asked for" in done.stderr
    for line in done.stdout.splitlines():
        json.loads(line)
