"""Run a badly behaved child under the supervisor, and measure: does it return in time, does anything survive?

`python -m tests.pty.faults --repeats 100` runs all of them, in a terminal and on pipes, ended by a limit
and by the death of copilot, and prints a table. The default test suite does each a few times.

Who survives is not asked of the code under test: every process of a run carries a mark in its environment.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from copilot.errors import CopilotError, InputError
from copilot.pty.programs import child_environment
from copilot.pty.pty_child import PtyChild
from tests.pty.fault_scripts import CANNOT_START, FAULTS
from tests.pty.jumping_clock import jumping_clock
from tests.pty.on_pipes import KEPT_BYTES, OnPipes, Output
from tests.pty.terminal_drive import PATIENCE_SECONDS
from tests.pty.whole_copilot import FORMS, copilot

LIMIT_SECONDS = 0.5
GRACE_SECONDS = 0.2
MOST_OVER_SECONDS = 1.0
"""A run returns within limit, grace and this."""
GONE_SECONDS = 2.0
MOST_GROWN_KIB = 50 * 1024
KINDS = ("terminal", "pipes")
_MARK = "FAULT_MARK"
_CHILD_MARK = "FAULT_CHILD"
_STEADY_LOOKS = 10


def marked(mark: str, name: str = _MARK) -> set[int]:
    """The living processes with this mark in their environment (the dead have none)."""
    wanted = f"{name}={mark}".encode()
    found = set()
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            environment = (entry / "environ").read_bytes()
        except OSError:
            continue
        if wanted in environment.split(b"\0"):
            found.add(int(entry.name))
    return found


@dataclass
class Measured:
    """One run. `returned` counts from the moment the child was in full swing, `gone` from the return."""

    returned: float
    gone: float
    survivors: int
    output_bytes: int = 0

    def problem(self) -> str:
        if self.returned > LIMIT_SECONDS + GRACE_SECONDS + MOST_OVER_SECONDS:
            return f"returned after {self.returned:.2f} s"
        return f"{self.survivors} survived" if self.survivors else ""


async def start(
    kind: str, argv: tuple[str, ...], mark: str, take: Callable[[bytes], None], cwd: str = "/"
) -> PtyChild | OnPipes:
    """The program, marked, in a terminal or on pipes."""
    environment = {**child_environment(os.environ), _MARK: mark}
    if kind == "pipes":
        return await OnPipes.start(argv, cwd, environment, take)
    return await PtyChild.start(
        argv,
        cwd=cwd,
        environment=environment,
        columns=80,
        lines=24,
        on_output=take,
        on_exit=lambda status: None,
    )


async def ended_by_limit(kind: str, name: str, limit: float = LIMIT_SECONDS) -> Measured:
    """The fault, run until it ends by itself or the limit has passed, then ended."""
    mark, output = uuid.uuid4().hex, Output()
    child = await start(kind, FAULTS[name].argv, mark, output.take)
    try:
        await _in_full_swing(lambda: len(output.pids) >= FAULTS[name].told, name)
        begun = time.monotonic()
        try:
            async with asyncio.timeout(limit):
                await child.wait()
        except TimeoutError:
            pass
    finally:
        await child.end(GRACE_SECONDS)
    returned = time.monotonic() - begun
    return Measured(returned, *await _gone(mark), output.size)


async def cannot_start(kind: str, name: str) -> Measured:
    """A program that cannot be started. Fails if it is started all the same."""
    argv, cwd = CANNOT_START[name]
    mark, begun = uuid.uuid4().hex, time.monotonic()
    try:
        await start(kind, argv, mark, lambda data: None, cwd)
        raise AssertionError(f"{name}: it was started")
    except InputError:
        returned = time.monotonic() - begun
    return Measured(returned, *await _gone(mark))


async def copilot_killed(kind: str, name: str, patience: float = GONE_SECONDS) -> Measured:
    """The fault in a copilot that is killed with -9; `returned` is 0."""
    mark, output = uuid.uuid4().hex, Output()
    command = (sys.executable, "-m", "tests.pty.faults", "--drive", kind, name, mark)
    reading, writing = os.pipe2(os.O_CLOEXEC)
    with (
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=writing) as driver,  # noqa: ASYNC220
        open(reading, "rb", buffering=0) as told,  # noqa: ASYNC230
    ):
        os.close(writing)
        os.set_blocking(reading, False)
        try:
            await _in_full_swing(lambda: _told(told, output) >= FAULTS[name].told, name)
        finally:
            driver.kill()
        gone, survivors = await _gone(mark, patience)
    return Measured(0.0, gone, survivors, output.size)


async def whole_copilot_killed(form: str, name: str, patience: float = GONE_SECONDS) -> Measured:
    """The fault in a whole `copilot`, headless or as a cockpit, that is killed with -9; `returned` is 0."""
    mark, fault = uuid.uuid4().hex, FAULTS[name]
    child = ("/usr/bin/env", f"{_CHILD_MARK}={mark}", *fault.argv)
    steady = 0

    def stands() -> bool:
        nonlocal steady
        steady = steady + 1 if len(marked(mark, _CHILD_MARK)) >= fault.told else 0
        return steady >= _STEADY_LOOKS

    with (
        tempfile.TemporaryDirectory(prefix="fault-", ignore_cleanup_errors=True) as folder,
        copilot(form, child, Path(folder), **{_MARK: mark}) as process,
    ):
        await _in_full_swing(stands, name, 4 * PATIENCE_SECONDS)
        os.kill(process.pid, signal.SIGKILL)
        gone, survivors = await _gone(mark, patience)
    return Measured(0.0, gone, survivors)


async def clock_jumps(kind: str, name: str) -> Measured:
    """The fault, ended by its limit, under a wall clock that jumps by days at each look, there and back."""
    environment = {**os.environ, **jumping_clock()}
    command = (sys.executable, "-m", "tests.pty.faults", "--once", kind, name)
    run = await asyncio.create_subprocess_exec(*command, env=environment, stdout=subprocess.PIPE)
    told, _ = await run.communicate()
    measured = Measured(**json.loads(told))
    assert measured.returned >= LIMIT_SECONDS, f"the limit did not hold: {measured.returned:.2f} s"
    return measured


def _told(reading: io.FileIO, output: Output) -> int:
    """How many processes have told their number by now."""
    output.take(reading.read(4096) or b"")
    return len(output.pids)


async def drive(kind: str, name: str, mark: str) -> None:
    """What is killed: start the fault and pass its output on, for ever."""
    output = Output()

    def take(data: bytes) -> None:
        if output.size < KEPT_BYTES:
            os.write(1, data)
        output.take(data)

    # If the measuring process dies, this one must not stay with its storm.
    asyncio.get_running_loop().add_reader(0, os._exit, 1)
    await start(kind, FAULTS[name].argv, mark, take)
    await asyncio.Event().wait()


async def _in_full_swing(
    condition: Callable[[], bool], name: str, patience: float = PATIENCE_SECONDS
) -> None:
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end, f"{name}: it did not come up"
        await asyncio.sleep(0.005)


async def _gone(mark: str, patience: float = GONE_SECONDS) -> tuple[float, int]:
    """How long until nothing of the run was left, and how many were there after two seconds (the patience)."""
    begun = time.monotonic()
    while alive := marked(mark):
        if time.monotonic() - begun > patience:
            break
        await asyncio.sleep(0.02)
    return time.monotonic() - begun, len(alive)


# -- the table ------------------------------------------------------------------------------------------


async def whole(kind: str, name: str) -> Measured:
    """The same, left to finish. Fails if it does not, or if memory grows with the output."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    measured = await ended_by_limit(kind, name, limit=600.0)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert measured.output_bytes >= 1 << 30, f"only {measured.output_bytes} bytes came"
    assert grown < MOST_GROWN_KIB, f"memory grew by {grown} KiB"
    return measured


WAYS: dict[str, Callable[[str, str], Awaitable[Measured]]] = {
    "limit": ended_by_limit,
    "copilot killed": copilot_killed,
    "whole copilot killed": whole_copilot_killed,
    "clock jumps": clock_jumps,
    "cannot start": cannot_start,
    "whole": whole,
}
_CHOSEN = {
    "cannot start": list(CANNOT_START),
    "whole": ["a gigabyte of output"],
    "whole copilot killed": ["ignores TERM, INT and HUP", "setsid escape", "twenty in the background"],
    "clock jumps": ["plain sleep", "ignores TERM, INT and HUP", "twenty in the background"],
}
"""What takes a second of processor time each time is done with a few of the faults."""


def names_of(way: str) -> list[str]:
    if way in _CHOSEN:
        return _CHOSEN[way]
    return [name for name, fault in FAULTS.items() if way == "limit" or not fault.fights]


def kinds_of(way: str) -> tuple[str, ...]:
    """Where a child runs: in a terminal or on pipes; or in which form of a whole copilot."""
    return FORMS if way == "whole copilot killed" else KINDS


async def _repeat(way: str, kind: str, name: str, repeats: int, at_once: int) -> str:
    """All repeats of one fault; its line of the table."""
    gate = asyncio.Semaphore(at_once)

    async def once() -> Measured | str:
        async with gate:
            try:
                return await WAYS[way](kind, name)
            except (AssertionError, TimeoutError, CopilotError) as problem:
                return f"{type(problem).__name__} {problem}"

    results = await asyncio.gather(*(once() for _ in range(repeats)))
    good = [one for one in results if isinstance(one, Measured)]
    told = {one if isinstance(one, str) else one.problem() for one in results} - {""}
    returned, gone = max((m.returned for m in good), default=0), max((m.gone for m in good), default=0)
    survivors = sum(one.survivors for one in good)
    return (
        f"{way:<20} {kind:<9} {name:<37} {len(good):>4} {returned:>9.2f} {gone:>7.2f} {survivors:>6}"
        f"  {'; '.join(sorted(told))}"
    )


async def table(names: list[str], repeats: int, at_once: int, ways: list[str]) -> None:
    """Every fault, in each way and each kind, a line each as it is done."""
    print(
        f"limit {LIMIT_SECONDS} s, grace {GRACE_SECONDS} s; `returned` worst of all, from full swing; "
        "`gone` worst, after that"
    )
    print(
        f"{'way':<20} {'kind':<9} {'fault':<37} {'runs':>4} {'returned':>9} {'gone':>7} {'alive':>6}  wrong"
    )
    for way in ways:
        for name in names_of(way):
            for kind in kinds_of(way) if not names or name in names else ():
                print(await _repeat(way, kind, name, repeats, at_once), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.pty.faults")
    parser.add_argument("--repeats", type=int, default=100)
    parser.add_argument("--at-once", type=int, default=4)
    parser.add_argument("--only", action="append", default=[], metavar="NAME")
    parser.add_argument("--way", action="append", default=[], choices=tuple(WAYS))
    parser.add_argument("--drive", nargs=3, metavar=("KIND", "NAME", "MARK"))
    parser.add_argument("--once", nargs=2, metavar=("KIND", "NAME"), help="one run, told as JSON")
    given = parser.parse_args()
    if given.once:
        print(json.dumps(asdict(asyncio.run(ended_by_limit(*given.once)))))
    elif given.drive:
        asyncio.run(drive(*given.drive))
    else:
        asyncio.run(table(given.only, given.repeats, given.at_once, given.way or list(WAYS)[:3]))


if __name__ == "__main__":
    main()
