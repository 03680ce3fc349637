"""What really leaves for the person's terminal, under a pty: no control of ours was written by data."""

from __future__ import annotations

import os
import re
import select
import sys
import time
from pathlib import Path

import pytest
from ptyprocess import PtyProcess

from tests.ui.hostile import DONE

ROOT = Path(__file__).resolve().parents[2]
_OSC = re.compile(r"\x1b\](.*?)(?:\x07|\x1b\\)", re.DOTALL)
_CSI = re.compile(r"\x1b\[[0-9;:?<>=!$ ]*[@-~]")
_STRINGS = re.compile(r"\x1b[P_^X]")
_C1 = re.compile("[\x80-\x9f]")
_HIDDEN = re.compile("[\u202a-\u202e\u2066-\u2069\u200b\u00ad\U000e0000-\U000e007f]")
_C0 = re.compile("[\x00-\x06\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]")
KINDS = {f"\x1b[{kind}" for kind in ("<u", ">u", "?$p", "?h", "?l", "G", "H", "m")}
"""All control sequences that the cockpit has any use for, numbers left out."""
KEYS = (
    b"\x1dp",
    b"\x1b",
    b"\x1dc",
    b"\x1b",
    b"\x1de",
    b"e",
    b"\x1b",
    b"\x1b",
    b"\x1dr",
    b"\x1b",
    b"\x1b",
    b"\x1d:",
    b"\x1b",
    b"\x1da",
    b"\x1b",
)


PATIENCE_SECONDS = 240.0
"""No measure of speed: a limit for a screen that never comes."""


def output_of(columns: int, lines: int) -> str:
    """All that the hostile cockpit writes from its start until it has been left."""
    environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "PYTHONPATH": str(ROOT)}
    child = PtyProcess.spawn(
        [sys.executable, "-m", "tests.ui.hostile"],
        cwd=str(ROOT),
        env=environment,
        dimensions=(lines, columns),
    )
    data = _read_until(child, b"end", PATIENCE_SECONDS)
    for keys in KEYS:
        child.write(keys)
        data += _read_quiet(child, 0.25)
    if DONE not in data:
        data += _read_until(child, DONE, PATIENCE_SECONDS)
    child.write(b"\x1dqy")
    data += _read_until(child, None, 10.0)
    child.close(force=True)
    return data.decode("utf-8", "surrogateescape")


def _read_until(child: PtyProcess, needle: bytes | None, seconds: float) -> bytes:
    data, deadline = b"", time.monotonic() + seconds
    while time.monotonic() < deadline:
        if select.select([child.fd], [], [], 0.1)[0]:
            try:
                data += os.read(child.fd, 65536)
            except OSError:
                return data
        if needle is not None and needle in data:
            return data
    return data


def _read_quiet(child: PtyProcess, seconds: float) -> bytes:
    data = b""
    while select.select([child.fd], [], [], seconds)[0]:
        try:
            data += os.read(child.fd, 65536)
        except OSError:
            break
    return data


@pytest.mark.waits
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "size",
    [
        pytest.param((80, 24), marks=pytest.mark.slow),
        (120, 40),
        pytest.param((170, 45), marks=pytest.mark.slow),
    ],
)
def test_no_widget_writes_controls_from_data(size: tuple[int, int]) -> None:
    text = output_of(*size)
    assert "PWNED" in text, "the hostile strings were never shown: the test shows nothing"
    assert DONE.decode() in text, "the hostile recordings were not all shown"
    assert {re.sub("[0-9;:]+", "", one) for one in _CSI.findall(text)} <= KINDS
    assert "@click" in text, "markup was read as markup"
    assert "1337;4242x" in text
    assert "\x1b[1337;4242x" not in text
    titles = _OSC.findall(text)
    assert all(title.startswith(("2;", "22;default")) and not _C0.search(title) for title in titles), titles
    assert not any(re.match("2;(hostile|PWNED)", title) for title in titles), "the child's own title went out"
    assert not _STRINGS.findall(text)
    plain = _CSI.sub("", _OSC.sub("", text))
    assert not _C1.findall(plain)
    assert not _HIDDEN.findall(text)
    assert not _C0.findall(plain)
    assert set(re.findall("\x1b(.)", plain)) <= set("=>78(c"), "an escape sequence of another kind"
