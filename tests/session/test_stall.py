"""A program that hangs ends the run (S5); one that works, in whatever way it shows, does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.own_profile import own_profile
from tests.session.outside import Outside, headless

PROFILE = """schema_version = 1
name = "quick"
title = "Any program, with little patience"
extends = "generic"
extends_rules = ["generic.*"]
[limits]
stall_seconds = 0.4
[screen]
confirm_seconds = { unknown = 0.1 }
"""
SILENT = "import time\nprint('Working on it', flush=True)\ntime.sleep(SECONDS)\n"
QUIET_START = "import time\ntime.sleep(SECONDS)\n"
SAME_AGAIN = """
import sys, time
for _ in range(600):
    sys.stdout.write("\\x1b[HWorking on it\\x1b[5;1H"); sys.stdout.flush(); time.sleep(0.05)
"""


def quick(
    folder: Path, capsys: pytest.CaptureFixture[str], script: str, stall_seconds: str = "0.4"
) -> Outside:
    """The run under a profile that waits for 0.4 s only."""
    own_profile("quick", PROFILE.replace("0.4", stall_seconds))
    return headless(folder, capsys, script, profile="quick")


@pytest.mark.parametrize(
    "script",
    [SILENT.replace("SECONDS", "60"), QUIET_START.replace("SECONDS", "60"), SAME_AGAIN],
    ids=["silent", "never draws anything", "draws the same for ever"],
)
def test_a_program_that_hangs_ends_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], script: str
) -> None:
    run = quick(tmp_path, capsys, script)
    assert run.exit_code == 3 and "hang" in run.end["reason"] and run.end["t"] < 20
    assert run.of("sees")[-2]["kind"] == "unknown"


@pytest.mark.parametrize(
    "work",
    [
        "x = sum(range(300_000)); time.sleep(0.03)",
        "sys.stdout.write('.'); sys.stdout.flush(); time.sleep(0.05)",
        "sys.stdout.write('\\r' + '|/-\\\\'[int(time.time() * 20) % 4]); sys.stdout.flush(); time.sleep(0.05)",
        "sys.stdout.write(f'\\x1b]0;{time.time()}\\x07'); sys.stdout.flush(); time.sleep(0.05)",
        "subprocess.run([sys.executable, '-c', 'for _ in range(3000000): pass'])",
    ],
    ids=["computes", "writes", "spins", "changes its title", "has others compute"],
)
def test_a_program_at_work_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], work: str
) -> None:
    """Three times as long as it may be silent."""
    script = "import subprocess, sys, time\nprint('Working on it', flush=True)\nuntil = time.time() + 1.3\n"
    run = quick(tmp_path, capsys, f"{script}while time.time() < until:\n    {work}\n")
    assert run.exit_code == 0, run.out


def test_the_watch_can_be_switched_off(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = quick(tmp_path, capsys, SILENT.replace("SECONDS", "1.2"), stall_seconds="0")
    assert run.exit_code == 0


@pytest.mark.parametrize("seconds", ["-1", "inf", "nan", "'long'"])
def test_no_nonsense_is_taken_for_seconds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], seconds: str
) -> None:
    refused = quick(tmp_path, capsys, "", stall_seconds=seconds)
    assert refused.exit_code == 2 and len(refused.err.splitlines()) == 1
    assert "quick.toml" in refused.err and "limits.stall_seconds" in refused.err
