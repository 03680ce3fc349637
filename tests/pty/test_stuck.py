"""What cannot be killed at once, a clock that jumps, and a machine that slept."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys

import pytest

from copilot.errors import CopilotError
from copilot.supervision import process_tree, supervised
from tests.pty import faults
from tests.pty.fault_scripts import FAULTS
from tests.pty.jumping_clock import NoJumpingClock, jumping_clock
from tests.pty.terminal_drive import PATIENCE_SECONDS, alive, running, until

_KILLS_LATE = (
    "import sys, time; sys.path.append(sys.argv.pop(1)); "
    "from copilot.supervision import process_tree, supervisor; "
    "late, kill = time.monotonic() + 3, process_tree.signal_all; "
    "process_tree.signal_all = "
    "lambda found, number: time.sleep({round_seconds}) or time.monotonic() > late and kill(found, number); "
    "supervisor.main(sys.argv[1:])"
)


@pytest.mark.parametrize("round_seconds", [0, 0.15])
async def test_what_does_not_die_is_told_and_killed_on(
    round_seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a round of killing takes its time, as with hundreds of processes on a busy machine."""
    monkeypatch.setattr(supervised, "_BOOT", _KILLS_LATE.format(round_seconds=round_seconds))
    async with running(*FAULTS["ignores TERM, INT and HUP"].argv) as watched:
        await watched.until_text("pid=")
        inside = watched.child._supervised
        assert inside is not None
        await watched.child.end(0)
        assert inside.leaked == 1 and alive(inside.pid)
        await until(lambda: not alive(inside.pid) and inside._helper.poll() is not None)


@pytest.mark.parametrize(
    ("boot", "how"),
    [
        ("raise SystemExit(7)", "it ended with status 7"),
        ("import os; os.kill(os.getpid(), 9)", "by signal 9"),
    ],
)
async def test_a_supervisor_that_does_not_start_is_told_with_its_end(
    boot: str, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervised, "_BOOT", boot)
    with pytest.raises(CopilotError, match=f"could not be started: .*{how}"):
        async with running("/bin/sleep", "1000"):
            pass


@pytest.fixture(scope="module", name="jumping_clock")
def environment_with_a_jumping_clock() -> dict[str, str]:
    """The whole environment of a program whose wall clock jumps."""
    try:
        return {**os.environ, **jumping_clock()}
    except NoJumpingClock as problem:
        pytest.skip(str(problem))


def measure(kind: str, name: str) -> tuple[str, ...]:
    """The command that runs one fault and prints what was measured."""
    return (sys.executable, "-m", "tests.pty.faults", "--once", kind, name)


def test_the_jumping_clock_jumps(jumping_clock: dict[str, str]) -> None:
    look = "import time; a, b = time.time(), time.time(); c = time.monotonic(); print(abs(b - a), time.monotonic() - c)"
    done = subprocess.run([sys.executable, "-c", look], env=jumping_clock, capture_output=True, check=True)
    wall, steady = map(float, done.stdout.split())
    assert wall > 86_000 and steady < 60


@pytest.mark.slow
@pytest.mark.parametrize("kind", faults.KINDS)
@pytest.mark.parametrize("name", ["ignores TERM, INT and HUP", "plain sleep", "fork storm"])
def test_a_jump_of_the_clock_changes_nothing(name: str, kind: str, jumping_clock: dict[str, str]) -> None:
    done = subprocess.run(
        measure(kind, name), env=jumping_clock, capture_output=True, check=True, timeout=2 * PATIENCE_SECONDS
    )
    measured = json.loads(done.stdout)
    assert measured["survivors"] == 0
    assert measured["returned"] >= faults.LIMIT_SECONDS, "the limit did not hold"
    if name == "ignores TERM, INT and HUP":
        assert measured["returned"] >= faults.LIMIT_SECONDS + faults.GRACE_SECONDS, "no grace was given"


@pytest.mark.parametrize("kind", faults.KINDS)
async def test_after_a_sleep_of_the_machine_it_goes_on(kind: str) -> None:
    """The stand-in for it: copilot, supervisor and child are all stopped, past every limit."""
    run = await asyncio.create_subprocess_exec(*measure(kind, "setsid escape"), stdout=subprocess.PIPE)
    await until(lambda: len(process_tree.descendants(run.pid)) >= 3)
    everybody = [run.pid, *(one.pid for one in process_tree.descendants(run.pid))]
    for pid in everybody:
        os.kill(pid, signal.SIGSTOP)
    await asyncio.sleep(faults.LIMIT_SECONDS + faults.GRACE_SECONDS + 0.3)
    for pid in everybody:
        os.kill(pid, signal.SIGCONT)
    async with asyncio.timeout(2 * PATIENCE_SECONDS):
        told, _ = await run.communicate()
    assert json.loads(told)["survivors"] == 0
    assert not any(alive(pid) for pid in everybody)
