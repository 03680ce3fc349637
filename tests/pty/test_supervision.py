"""Nothing of the child survives: the fault scripts of the safety notes (d), and kill -9 on every side."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys

import pytest

from copilot.supervision import process_tree, supervised
from tests.examples import in_turns, some
from tests.pty import faults
from tests.pty.fault_scripts import CANNOT_START, FAULTS
from tests.pty.terminal_drive import PATIENCE_SECONDS, alive, changed, pids_in, running, until

LIMITED = faults.names_of("limit")
BY_KILL = faults.names_of("copilot killed")


# The times of the issue are measured by `python -m tests.pty.faults`; here a test that hangs fails by the
# patience of the suite, since nothing can be said of time on a machine that does other work.


@pytest.mark.row("TB-28", "TB-31", "CP-16")
@pytest.mark.examples
@pytest.mark.parametrize(("name", "kind"), in_turns(LIMITED, faults.KINDS))
async def test_it_returns_and_nothing_survives(name: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # The supervisor has to do it alone: what would step in for one that does not answer would hide its faults.
    monkeypatch.setattr(supervised, "_ANSWER_SECONDS", 2 * PATIENCE_SECONDS)
    async with asyncio.timeout(2 * PATIENCE_SECONDS):
        measured = await faults.ended_by_limit(kind, name, limit=0.1)
    assert measured.survivors == 0


@pytest.mark.invariant(11)
@pytest.mark.examples
@pytest.mark.parametrize(("name", "kind"), some(in_turns(BY_KILL, faults.KINDS), 3))
async def test_the_tree_is_gone_when_copilot_is_killed(name: str, kind: str) -> None:
    assert (await faults.copilot_killed(kind, name, PATIENCE_SECONDS)).survivors == 0


@pytest.mark.invariant(11)
@pytest.mark.parametrize("form", ["headless", pytest.param("cockpit", marks=pytest.mark.slow)])
async def test_the_tree_is_gone_when_a_whole_copilot_is_killed(form: str) -> None:
    assert (await faults.whole_copilot_killed(form, "setsid escape", PATIENCE_SECONDS)).survivors == 0


@pytest.mark.parametrize("kind", faults.KINDS)
@pytest.mark.parametrize("name", CANNOT_START)
async def test_what_cannot_be_started_leaves_nothing(name: str, kind: str) -> None:
    assert (await faults.cannot_start(kind, name)).survivors == 0


async def test_a_gigabyte_takes_no_memory() -> None:
    assert (await faults.whole("pipes", "a gigabyte of output")).survivors == 0


def test_the_oracle_sees_what_survives() -> None:
    with subprocess.Popen(["sleep", "1000"], env={"FAULT_MARK": "seen"}) as left:
        while faults.marked("seen") != {left.pid}:
            os.sched_yield()
        left.kill()


@pytest.mark.parametrize(
    "name",
    ["setsid escape", "ignores TERM, INT and HUP", "twenty in the background", "storm of new sessions"],
)
async def test_the_tree_is_gone_when_the_supervisor_is_killed(name: str) -> None:
    async with running(*FAULTS[name].argv) as watched:
        await until(lambda: len(set(pids_in(watched.text))) >= FAULTS[name].told)
        child = process_tree.process(watched.child.pid)
        assert child is not None
        os.kill(child.parent, signal.SIGKILL)
        assert await watched.child.wait() == -signal.SIGKILL
        await until(lambda: not any(alive(pid) for pid in pids_in(watched.text)))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
async def test_a_supervisor_that_is_told_to_end_ends_the_tree(number: int) -> None:
    async with running(*FAULTS["setsid escape"].argv) as watched:
        await until(lambda: len(set(pids_in(watched.text))) >= 2)
        child = process_tree.process(watched.child.pid)
        assert child is not None
        os.kill(child.parent, number)
        await watched.child.wait()
        await until(lambda: not any(alive(pid) for pid in pids_in(watched.text)))


async def test_a_namesake_is_never_signalled() -> None:
    async with running("sleep", "1000") as watched:
        one = process_tree.process(watched.child.pid)
        assert one is not None
        assert not process_tree.signal_process(changed(one, started="1"), signal.SIGKILL)
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
