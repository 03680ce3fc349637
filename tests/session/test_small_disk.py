"""A run whose record has gaps is no plain success (S7): every file of the process may be so large only."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

NOISE = "import os\nfor n in range(400): print(n, os.urandom(60).hex())\n"


def _run(
    folder: Path, script: str, most_bytes: int
) -> tuple[subprocess.CompletedProcess[str], dict[str, Any]]:
    """The run, and its manifest."""
    words = ["--headless", "--json", "--autonomy", "full", "--profile", "generic", "--provider", "rules"]
    words += ["--cwd", str(folder), "--log", str(folder / "run"), "--", sys.executable, "-c", script]
    done = subprocess.run(
        [sys.executable, "-m", "copilot", *words],
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes)),
        check=False,
    )
    manifest: dict[str, Any] = json.loads((folder / "run" / "manifest.json").read_text("utf-8"))
    return done, manifest


@pytest.mark.parametrize("script", [NOISE, NOISE + "import time; time.sleep(1.5)"], ids=["late", "early"])
def test_a_record_with_gaps_ends_with_3(tmp_path: Path, script: str) -> None:
    """Whether it is known before the child has left, or only when the last of it is written."""
    done, manifest = _run(tmp_path, script, 20_000)
    end = json.loads(done.stdout.splitlines()[-1])
    assert (done.returncode, end["exit_code"], manifest["outcome"]["exit_code"]) == (3, 3, 3), done.stderr
    assert "record" in end["reason"] and manifest["recording_failed"]
    assert any(line.startswith("copilot: error:") for line in done.stderr.splitlines())


def test_a_missing_report_is_told_and_the_run_is_what_it_was(tmp_path: Path) -> None:
    """All records are whole, and the page can be made from them later."""
    done, manifest = _run(tmp_path, "print('built')", 6_000)
    end = json.loads(done.stdout.splitlines()[-1])
    assert (done.returncode, end["outcome"], manifest["outcome"]["word"]) == (0, "completed", "completed")
    assert "no report could be written" in manifest["report_failed"]
    assert any(line.startswith("copilot: warning: no report") for line in done.stderr.splitlines())
