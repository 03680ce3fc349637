"""The thread of checkpoints: in order, its faults told, and no reason not to end."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading

import pytest

from copilot.checkpoints.own_thread import OwnThread

_STUCK = """
import asyncio, sys, threading
from copilot.checkpoints.own_thread import OwnThread
async def main():
    thread, begun = OwnThread("stuck"), threading.Event()
    def work():
        begun.set()
        threading.Event().wait()
    thread.run(work)
    begun.wait()
    thread.end_after(lambda: print("closed at work"))
asyncio.run(main())
print("ends")
"""


def test_what_is_stuck_does_not_keep_the_program_from_ending() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _STUCK], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "ends\n"


async def test_works_are_done_one_after_the_other_and_their_faults_told() -> None:
    thread, done = OwnThread("test"), list[object]()

    def fails() -> None:
        raise OSError("gone")

    first, second = thread.run(lambda: done.append(1)), thread.run(fails)
    with pytest.raises(OSError, match="gone"):
        await second
    assert first.done() and done == [1]
    assert await thread.run(threading.get_ident) != threading.get_ident()


async def test_what_is_cancelled_before_its_turn_is_not_done() -> None:
    thread, gate, done = OwnThread("test"), threading.Event(), list[object]()
    first = thread.run(gate.wait)
    second = thread.run(lambda: done.append(2))
    second.cancel()
    await asyncio.sleep(0)
    gate.set()
    await first
    await thread.run(lambda: None)
    assert done == []


async def test_the_last_work_comes_after_all_else() -> None:
    thread, gate, done = OwnThread("test"), threading.Event(), list[object]()
    ended = threading.Event()

    def work() -> None:
        gate.wait()
        done.append("work")

    def last() -> None:
        done.append("closed")
        ended.set()

    first = thread.run(work)
    thread.end_after(last)
    assert done == []
    gate.set()
    await first
    await asyncio.to_thread(ended.wait)
    assert done == ["work", "closed"]


def test_without_any_work_the_last_is_done_at_once() -> None:
    done = list[object]()
    OwnThread("test").end_after(lambda: done.append("closed"))
    assert done == ["closed"]
