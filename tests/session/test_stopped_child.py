"""A program that stops itself at `^Z` can be brought back, and never reads what was typed meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from copilot.core.reply import Proposal, Reply
from copilot.session.child import STOPPED
from tests.session.live import PATIENCE_SECONDS, FakeProvider, python_settings, running

STOPS_ITSELF = """
import os, signal, tty
tty.setraw(0)
os.write(1, b"runs> ")
while True:
    data = os.read(0, 100)
    if data == b"\\x1a":
        os.write(1, b"suspended, run fg\\r\\n")
        os.kill(os.getpid(), signal.SIGSTOP)
        os.write(1, b"is back> ")
    elif data == b"q":
        break
    else:
        os.write(1, b"read " + repr(data).encode() + b"\\r\\n")
"""


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not holds():  # noqa: ASYNC110  (notes have no event)
            await asyncio.sleep(0.01)


GIVES_TERMINAL_BACK = """
import os, signal, sys, termios, tty
before = termios.tcgetattr(0)
tty.setraw(0)
back = []
signal.signal(signal.SIGCONT, lambda *_: back.append(1))
os.write(1, b"runs> ")
while True:
    data = os.read(0, 100)
    if data == b"\\x1a":
        termios.tcsetattr(0, termios.TCSAFLUSH, before)
        os.write(1, b"suspended, run fg\\r\\n")
        os.kill(os.getpid(), signal.SIGTSTP)
        while not back: signal.pause()
        tty.setraw(0)
        back.clear()
        os.write(1, b"is back> ")
    elif data == b"q":
        break
    else:
        os.write(1, b"read " + repr(data).encode() + b"\\r\\n")
"""
"""As Claude Code does it."""


@pytest.mark.parametrize("script", [STOPS_ITSELF, GIVES_TERMINAL_BACK], ids=["SIGSTOP", "SIGTSTP"])
async def test_enter_brings_it_back_and_fg_goes_nowhere(script: str, tmp_path: Path) -> None:
    settings = python_settings(script, tmp_path, columns=100)
    async with running(settings, FakeProvider([Proposal(Reply(text="x"))])) as watched:
        await watched.until(lambda: "runs>" in watched.screen_text(), "the prompt")
        watched.live.type_bytes(b"\x1a")
        await until(lambda: STOPPED in watched.notes)
        for key in (b"f", b"g"):
            watched.live.type_bytes(key)
        assert watched.notes.count(STOPPED) == 3
        watched.live.type_bytes(b"\r")
        await watched.until(lambda: "is back>" in watched.screen_text(), "the program again")
        watched.live.type_bytes(b"z")
        await watched.until(lambda: "read b'z'" in watched.screen_text(), "the next key")
        assert watched.screen_text().count("read b") == 1
        watched.live.type_bytes(b"q")


async def test_a_program_that_reads_control_z_itself_is_left_alone(tmp_path: Path) -> None:
    script = STOPS_ITSELF.replace("os.kill(os.getpid(), signal.SIGSTOP)", "pass")
    async with running(
        python_settings(script, tmp_path), FakeProvider([Proposal(Reply(text="x"))])
    ) as watched:
        await watched.until(lambda: "runs>" in watched.screen_text(), "the prompt")
        watched.live.type_bytes(b"\x1a")
        await watched.until(lambda: "is back>" in watched.screen_text(), "the answer to ^Z")
        watched.live.type_bytes(b"\r")
        await watched.until(lambda: r"read b'\r'" in watched.screen_text(), "its Enter")
        await asyncio.sleep(0.5)
        assert STOPPED not in watched.notes
        watched.live.type_bytes(b"q")
