"""A run whose record has gaps is no plain success (S7): every file of the process may be so large only."""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.front_door import Ended, copilot

NOISE = "import os\nfor n in range(400): print(n, os.urandom(60).hex())\n"


def _run(folder: Path, script: str, most_bytes: int) -> tuple[Ended, dict[str, Any]]:
    words = ["--headless", "--json", "--autonomy", "full", "--profile", "generic", "--provider", "rules"]
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, before[1]))
    try:
        done = copilot(*words, "--log", "run", "--", sys.executable, "-c", script, cwd=folder)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    manifest: dict[str, Any] = json.loads((folder / "run" / "manifest.json").read_text("utf-8"))
    return done, manifest


@pytest.mark.parametrize("script", [NOISE, NOISE + "import time; time.sleep(1.5)"], ids=["late", "early"])
def test_a_record_with_gaps_ends_with_3(tmp_path: Path, script: str) -> None:
    """Whether it is known before the child has left, or only when the last of it is written."""
    done, manifest = _run(tmp_path, script, 20_000)
    end = json.loads(done.out.splitlines()[-1])
    assert (done.code, end["exit_code"], manifest["outcome"]["exit_code"]) == (3, 3, 3), done.err
    assert "record" in end["reason"] and manifest["recording_failed"]
    assert any(line.startswith("copilot: error:") for line in done.err.splitlines())


def test_a_missing_report_is_told_and_the_run_is_what_it_was(tmp_path: Path) -> None:
    """All records are whole, and the page can be made from them later."""
    done, manifest = _run(tmp_path, "print('built')", 6_000)
    end = json.loads(done.out.splitlines()[-1])
    assert (done.code, end["outcome"], manifest["outcome"]["word"]) == (0, "completed", "completed")
    assert "no report could be written" in manifest["report_failed"]
    assert any(line.startswith("copilot: warning: no report") for line in done.err.splitlines())
