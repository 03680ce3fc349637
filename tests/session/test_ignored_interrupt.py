"""An interrupt that has nothing to end is not waited for; a program that tidies up has its time."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from copilot.core import effects as fx
from copilot.core import events as ev
from tests.session.live import Watched, ended, python_settings, running

TIDIES_UP = """
import signal, sys, time
def told(*_):
    print("tidying", flush=True)
    time.sleep(1)
    open("tidy", "w").close()
    sys.exit()
signal.signal(signal.SIGINT, told)
input("up> ")
"""


async def _wait_idle(watched: Watched) -> None:
    assert watched.live.child is not None
    while not watched.live.child.waits_idle():  # noqa: ASYNC110  (the kernel tells no event)
        await asyncio.sleep(0.01)


def _signals(watched: Watched) -> list[str]:
    return [step.signal for step in watched.of(fx.SignalChild)]


async def test_a_shell_at_its_prompt_is_ended_before_its_time_is_over(tmp_path: Path) -> None:
    settings = replace(python_settings("", tmp_path), child=("bash", "--norc", "-i"))
    async with running(settings) as watched:
        await _wait_idle(watched)
        watched.live.interrupt()
        end = await ended(watched)
        assert (end.outcome, end.exit_code) == ("aborted", 130)
        assert len(watched.of(ev.InterruptIgnored)) == 1
        assert not [fired for fired in watched.of(ev.TimerFired) if fired.timer == "leave"]
        assert _signals(watched) == ["interrupt", "end"]


async def test_a_program_that_tidies_up_has_its_time(tmp_path: Path) -> None:
    async with running(python_settings(TIDIES_UP, tmp_path)) as watched:
        await _wait_idle(watched)
        watched.live.interrupt()
        await ended(watched)
        assert not watched.of(ev.InterruptIgnored)
    assert (tmp_path / "tidy").exists()
