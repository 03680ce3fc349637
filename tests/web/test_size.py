"""The size of a page: it reports it right after the start, when the first frame is not laid out yet."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from copilot.screen import TerminalScreen

_ROOT = Path(__file__).resolve().parents[2]
_PATIENCE_SECONDS = 200.0
_PROGRAM = ("sh", "-c", "printf 'say something: '; read it")
_START = b"__GANGLION__\n"
"""What Textual's driver for the web writes before its packets."""


def packet(kind: bytes, payload: bytes) -> bytes:
    return kind + len(payload).to_bytes(4, "big") + payload


async def drawn(output: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """The text of each packet that is to be drawn."""
    assert await output.readuntil(_START)
    while True:
        kind, size = await output.readexactly(1), await output.readexactly(4)
        text = await output.readexactly(int.from_bytes(size, "big"))
        if kind == b"D":
            yield text


@pytest.mark.timeout(300)
async def test_a_page_that_reports_its_size_at_once_is_drawn_at_that_size(tmp_path: Path) -> None:
    environment = {
        "HOME": str(tmp_path),
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "PYTHONPATH": str(_ROOT),
        "TEXTUAL_DRIVER": "textual.drivers.web_driver:WebDriver",
        "COLUMNS": "80",
        "ROWS": "24",
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "copilot", "--provider", "rules", "--", *_PROGRAM),
        cwd=tmp_path,
        env=environment,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(packet(b"M", json.dumps({"type": "resize", "width": 133, "height": 36}).encode()))
    screen = TerminalScreen(133, 36)
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            async for text in drawn(process.stdout):
                screen.feed(text)
                if any(row.startswith("say something:") for row in screen.display):
                    break
    finally:
        process.terminate()
        await process.wait()
