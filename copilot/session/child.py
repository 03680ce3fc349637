"""The child as the session's port: signals are words, and asking for its end returns at once."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import re2

from copilot.core.profile import Profile
from copilot.core.profile_outline import Launch
from copilot.core.snapshot import UNKNOWN_FACTS, TtyFacts
from copilot.pty.pty_child import PtyChild
from copilot.session.ports import Child
from copilot.supervision import process_tree

LIMIT_SECONDS = 10.0
_MOST_BYTES = 4096


async def child_version(program: str, launch: Launch, cwd: str, environment: Mapping[str, str]) -> str:
    """The version that `program` (a path) prints, empty if it prints none in time.

    Only programs that the profile knows by name are asked: what `--version` does elsewhere is anyone's guess.
    """
    if Path(program).name not in launch.names:
        return ""
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(LIMIT_SECONDS):
            return await _asked_version(program, launch, cwd, environment)
    return ""


async def _asked_version(program: str, launch: Launch, cwd: str, environment: Mapping[str, str]) -> str:
    process = await asyncio.create_subprocess_exec(
        program,
        *launch.version_arguments,
        cwd=cwd,
        env=dict(environment),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        output = await process.stdout.read(_MOST_BYTES)
        await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
    found = re2.search(launch.version_pattern, output.decode("utf-8", "replace"))
    return str(found.group(1)) if found else ""


_TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


class CpuTime:
    """The CPU time of a process and of everything below it, from one look to the next."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._before: dict[tuple[int, str], int] = {}

    def used(self) -> float | None:
        """CPU seconds used since the last call (at first: since the start); None if unknown."""
        if not process_tree.has_proc():
            return None
        root = process_tree.process(self._pid)
        tree = [*([root] if root is not None else []), *process_tree.descendants(self._pid)]
        now = {(one.pid, one.started): _ticks(one.pid) for one in tree}
        grown = sum(max(0, ticks - self._before.get(key, 0)) for key, ticks in now.items())
        self._before = now
        return grown / _TICKS_A_SECOND


def _ticks(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return 0
    return int(fields[11]) + int(fields[12]) if len(fields) > 12 else 0


# A child that has stopped itself at `^Z`: behind a terminal of its own there is no shell that could say
# `fg`.
#
# So Enter brings it back, and what is typed before that goes nowhere: people type `fg`, which the program
# would read when it runs again. There are two ways to stop. SIGSTOP stops. SIGTSTP does nothing to
# a program whose parent is in another session (POSIX calls its group orphaned): it has given the terminal
# back, echo and lines, and waits to be continued.


_SUSPENDS = (b"\x1a", b"\x1b[122;5u", b"\x1b[27;5;122~")
"""Ctrl-Z: plain, of the kitty protocol, of modifyOtherKeys."""
_LOOK_SECONDS = (0.3, 1.0, 2.0)
STOPPED = "the program has stopped itself (^Z): Enter brings it back"


class StoppedChild:
    """Takes the person's keys while the child is stopped. `note` shows a line to the person."""

    def __init__(self, note: Callable[[str], None]) -> None:
        self._note = note
        self._looks: list[asyncio.TimerHandle] = []
        self._gave_terminal_back = False

    def takes(self, data: bytes, child: Child) -> bool:
        """Whether these keys are not for the child, because it is stopped."""
        if self._gave_terminal_back and child.reads_keys() is not False:
            self._gave_terminal_back = False
        if self._gave_terminal_back or child.stopped():
            if b"\r" in data:
                self._gave_terminal_back = False
                child.signal("continue")
                self._note("the program runs again")
            else:
                self._note(STOPPED)
            return True
        if any(key in data for key in _SUSPENDS):
            self.close()
            loop = asyncio.get_running_loop()
            had_keys = child.reads_keys() is True
            self._looks = [loop.call_later(seconds, self._look, child, had_keys) for seconds in _LOOK_SECONDS]
        return False

    def _look(self, child: Child, had_keys: bool) -> None:
        if not child.alive:
            return
        self._gave_terminal_back = had_keys and child.reads_keys() is False
        if self._gave_terminal_back or child.stopped():
            self.close()
            self._note(STOPPED)

    def close(self) -> None:
        """Look no more."""
        for look in self._looks:
            look.cancel()
        self._looks = []


END_GRACE_SECONDS = 3.0


class SessionChild:
    """A `PtyChild` behind the port `Child`. The kernel is asked only where rules of the profile want it."""

    def __init__(self, child: PtyChild, profile: Profile) -> None:
        self._child = child
        self._wants_facts = wants_facts(profile)
        self._ending: asyncio.Task[None] | None = None
        self._cpu = CpuTime(child.pid)

    @property
    def alive(self) -> bool:
        """Whether it runs still."""
        return self._child.alive

    def write(self, data: bytes) -> None:
        """Queue bytes for the child."""
        self._child.write(data)

    def resize(self, columns: int, lines: int) -> None:
        """Report the new size to the kernel."""
        self._child.resize(columns, lines)

    def facts(self) -> TtyFacts:
        """What the kernel knows of the terminal now."""
        return self._child.facts() if self._wants_facts else UNKNOWN_FACTS

    def cpu_used(self) -> float | None:
        """Seconds of CPU time that it and all below it used since the last call; None if not known."""
        return self._cpu.used() if self._child.alive else None

    def hides_typing(self) -> bool:
        """Whether a line is taken without echo: asked at each key, whatever the profile wants."""
        return self._child.hides_typing()

    def stopped(self) -> bool:
        """Whether the child is stopped."""
        return self._child.stopped()

    def reads_keys(self) -> bool | None:
        """Whether the child itself has keys one by one, or echoed lines; None if that is not known."""
        return self._child.reads_keys()

    def waits_idle(self) -> bool:
        """Whether nothing runs in front but the child, and it only waits for keys; False under doubt."""
        return self._child.waits_idle()

    def signal(self, word: str) -> None:
        """`interrupt`, `continue`, `end` or `kill`."""
        if word == "interrupt":
            self._child.interrupt()
            return
        if word == "continue":
            self._child.bring_back()
            return
        grace = 0.0 if word == "kill" else END_GRACE_SECONDS
        self._ending = asyncio.get_running_loop().create_task(self._child.end(grace), name="end child")

    async def end(self, grace_seconds: float) -> None:
        """End the child and all below it."""
        await self._child.end(grace_seconds)
        if self._ending is not None:
            await self._ending


def wants_facts(profile: Profile) -> bool:
    """Whether any rule of the profile looks at the terminal's facts."""
    return any(clause.tty for rule in profile.screen.rules for clause in (*rule.all, *rule.any, *rule.not_))
