"""The foreign suites that lie beside the project (`../shared`), each remaining failure named with its reason."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
HARNESS = SHARED / "tools" / "term_conformance.py"
DATA = SHARED / "conformance"

pytestmark = pytest.mark.skipif(not HARNESS.exists(), reason="the suites in ../shared are not here")

ALACRITTY = {
    "decaln_reset": "DECALN leaves the cursor in alacritty; DEC's manual, xterm and Ghostty move it home",
    "erase_in_line": "alacritty keeps a pending wrap over EL; xterm and Ghostty end it",
    "selective_erasure": "alacritty ignores DECSCA; xterm, libvterm and Ghostty protect what it marks",
}
XTERMJS = {
    "t0032-VPB": "expects VPB (CSI k) to be ignored; Ghostty and libvterm move the cursor",
    "t0033-VPB_scroll": "expects blank rows below VPB's; Ghostty shows what we show",
    "t0060-DECSC": "expects DECSC to forget a pending wrap; DEC's manual, xterm and Ghostty save it",
    "t0061-CSI_s": "as t0060",
}


def failures(*options: str) -> tuple[set[str], int]:
    """Names of the failing cases, and how many passed."""
    command = [sys.executable, str(HARNESS), "tests.conformance.builder:build", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=200, check=False)
    passed = re.search(r"^passed (\d+) of \d+$", done.stdout, re.MULTILINE)
    assert passed is not None, done.stderr
    return set(re.findall(r"^FAIL\s+\w+/([\w-]+)", done.stdout, re.MULTILINE)), int(passed[1])


@pytest.mark.parametrize("chunk", ["0", pytest.param("1", marks=pytest.mark.slow)])
def test_alacritty(chunk: str) -> None:
    archive = str(DATA / "alacritty-ref.tar.xz")
    failed, passed = failures("--alacritty", archive, "--levels", "text,attrs,history", "--chunk", chunk)
    assert failed <= set(ALACRITTY)
    assert passed >= 83


@pytest.mark.parametrize("chunk", ["0", "1"])
def test_xtermjs(chunk: str) -> None:
    archive = str(DATA / "xtermjs-escape-sequences.tar.xz")
    failed, passed = failures("--xtermjs", archive, "--chunk", chunk)
    assert failed <= set(XTERMJS)
    assert passed >= 67
