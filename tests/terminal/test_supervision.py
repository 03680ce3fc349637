"""Nothing of the child survives: the fault scripts of the safety notes (d), and kill -9 on every side."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from copilot.supervision import process_tree
from tests.terminal.terminal_drive import alive, pids_in, python, running, until

HELPERS = """
import os, signal, sys, time
def say(): print("pid=%d" % os.getpid(), flush=True)
def rest():
    while True: signal.pause()
def ignore():
    for n in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM): signal.signal(n, signal.SIG_IGN)
def leave(*, twice=False, session=False):
    # The parents go only after the last process has told its number: then its terminal is hung up.
    reading, writing = os.pipe()
    for _ in range(1 + twice):
        if os.fork():
            os.read(reading, 1); os._exit(0)
    ignore()
    if session: os.setsid()
    say()
    os.write(writing, b"gg")
def silent():
    null = os.open("/dev/null", os.O_RDWR)
    for fd in (0, 1, 2): os.dup2(null, fd)
"""
SCRIPTS = {
    "plain": (1, "say(); rest()"),
    "child and grandchild": (3, "os.fork(); os.fork() if os.getpid() == os.getsid(0) else 0; say(); rest()"),
    "ignores TERM, INT and HUP": (1, "ignore(); say(); rest()"),
    "setsid escape": (2, "os.fork() or (os.setsid(), ignore()); say(); rest()"),
    "double fork, parent exits": (1, "leave(twice=True, session=True); rest()"),
    "parent exits, child keeps the terminal": (1, "leave(); rest()"),
    "daemon without terminal": (1, "leave(session=True); silent(); rest()"),
    "floods": (1, "say()\nwhile True: print('x' * 1000)"),
    "stops itself": (1, "say(); os.kill(os.getpid(), signal.SIGSTOP); rest()"),
    "twenty in the background": (21, "any(os.fork() == 0 for _ in range(20)); say(); rest()"),
    "closes its terminal": (1, "ignore(); say(); silent(); rest()"),
    "own groups, all stopped": (
        4,
        "any(os.fork() == 0 and not os.setpgid(0, 0) for _ in range(3)); say(); os.kill(os.getpid(), 19); rest()",
    ),
}


def script(name: str) -> tuple[int, tuple[str, ...]]:
    count, code = SCRIPTS[name]
    return count, python(HELPERS + code)


@pytest.mark.row("TB-28", "CP-16")
@pytest.mark.parametrize("name", SCRIPTS)
async def test_nothing_survives_the_end(name: str) -> None:
    count, argv = script(name)
    async with running(*argv) as watched:
        await until(lambda: len(set(pids_in(watched.text))) >= count, lambda: watched.text[-300:])
        await watched.child.end(0.1)
        assert [pid for pid in pids_in(watched.text) if alive(pid)] == []
    assert len(watched.statuses) == 1


@pytest.mark.row("TB-28")
async def test_a_fork_storm_ends() -> None:
    code = (
        HELPERS
        + "ignore(); say()\nwhile True:\n    if os.fork() == 0:\n        time.sleep(0.3); os._exit(0)\n    time.sleep(0.005)"
    )
    async with running(*python(code)) as watched:
        await watched.until_text("pid=")
        below = process_tree.descendants(watched.child.pid)
        await watched.child.end(0)
        assert not alive(watched.child.pid) and process_tree.members(session=watched.child.pid) == []
        assert not any(alive(one.pid) for one in below)


@pytest.mark.row("TB-28")
async def test_a_chain_that_forks_away_at_every_step_ends() -> None:
    code = HELPERS + "ignore(); say()\nwhile True:\n    os.fork() and os._exit(0)"
    async with running(*python(code)) as watched:
        await watched.child.wait()
        await watched.child.end(0)
        assert process_tree.members(session=watched.child.pid) == []


DRIVER = """
import asyncio, os, sys
from copilot.terminal.environment import child_environment
from copilot.terminal.pty_child import PtyChild
async def main():
    await PtyChild.start(sys.argv[1:], cwd="/", environment=child_environment(os.environ), columns=80, lines=24,
        on_output=lambda data: os.write(1, data), on_exit=lambda status: None)
    await asyncio.Event().wait()
asyncio.run(main())
"""


def start_driver(argv: tuple[str, ...]) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", DRIVER, *argv], stdout=subprocess.PIPE)


def next_pids(driver: subprocess.Popen[bytes], count: int) -> set[int]:
    assert driver.stdout is not None
    found: set[int] = set()
    while len(found) < count:
        line = driver.stdout.readline()
        assert line, "the driver ended early"
        found |= set(pids_in(line.decode()))
    return found


@pytest.mark.invariant(11)
@pytest.mark.parametrize("name", SCRIPTS)
async def test_the_tree_is_gone_when_copilot_is_killed(name: str) -> None:
    count, argv = script(name)
    with start_driver(argv) as driver:
        pids = next_pids(driver, count)
        driver.send_signal(signal.SIGKILL)
        driver.wait()
        await until(
            lambda: not any(alive(pid) for pid in pids), lambda: f"alive: {[p for p in pids if alive(p)]}"
        )


@pytest.mark.parametrize("name", ["setsid escape", "ignores TERM, INT and HUP", "twenty in the background"])
async def test_the_tree_is_gone_when_the_supervisor_is_killed(name: str) -> None:
    count, argv = script(name)
    async with running(*argv) as watched:
        await until(lambda: len(set(pids_in(watched.text))) >= count)
        child = process_tree.process(watched.child.pid)
        assert child is not None
        os.kill(child.parent, signal.SIGKILL)
        assert await watched.child.wait() == -signal.SIGKILL
        await until(lambda: not any(alive(pid) for pid in pids_in(watched.text)))


async def test_a_storm_of_new_sessions_is_gone_when_the_supervisor_is_killed() -> None:
    code = (
        HELPERS
        + "ignore(); say()\nwhile True:\n    if os.fork() == 0:\n        os.setsid(); say(); rest()\n    time.sleep(0.001)"
    )
    async with running(*python(code)) as watched:
        await until(lambda: len(pids_in(watched.text)) > 30)
        child = process_tree.process(watched.child.pid)
        assert child is not None
        os.kill(child.parent, signal.SIGKILL)
        assert await watched.child.wait() == -signal.SIGKILL
        await until(lambda: not any(alive(pid) for pid in pids_in(watched.text)))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
async def test_a_supervisor_that_is_told_to_end_ends_the_tree(number: int) -> None:
    count, argv = script("setsid escape")
    async with running(*argv) as watched:
        await until(lambda: len(set(pids_in(watched.text))) >= count)
        child = process_tree.process(watched.child.pid)
        assert child is not None
        os.kill(child.parent, number)
        await watched.child.wait()
        await until(lambda: not any(alive(pid) for pid in pids_in(watched.text)))


async def test_a_namesake_is_never_signalled() -> None:
    async with running("sleep", "1000") as watched:
        one = process_tree.process(watched.child.pid)
        assert one is not None
        assert not process_tree.signal_exactly(one._replace(started="1"), signal.SIGKILL)
        assert alive(one.pid)
        assert not process_tree.signal_group(os.getpgrp(), signal.SIGCONT)


def test_processes_are_read_right_whatever_they_are_called() -> None:
    code = "import ctypes; ctypes.CDLL(None).prctl(15, b'a) R 1 (b ', 0, 0, 0); print(1, flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as odd:
        assert odd.stdout is not None and odd.stdout.readline()
        one = process_tree.process(odd.pid)
        assert one is not None and one.parent == os.getpid() and one in process_tree.descendants(os.getpid())
        odd.kill()


def test_the_slow_way_over_the_whole_table_sees_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    with subprocess.Popen(["sh", "-c", "sleep 1000 & wait"], start_new_session=True) as shell:
        try:
            while len(process_tree.descendants(shell.pid)) < 1:
                os.sched_yield()
            quick = {one.pid for one in process_tree.descendants(os.getpid())}
            monkeypatch.setattr(process_tree, "_children", lambda pid: None)
            assert {one.pid for one in process_tree.descendants(os.getpid())} == quick
        finally:
            os.killpg(shell.pid, signal.SIGKILL)
