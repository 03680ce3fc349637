"""Copilot's side of the supervisor: start a program under it, hear of its end, end its whole tree.

The child may have a terminal or pipes; this module does not care, and knows none of its users: coding CLI,
plan commands and test runs have the same supervisor. Its end is the end of the process, never of a pipe.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from copilot.errors import CopilotError, InputError
from copilot.supervision import process_tree

_START_SECONDS = 15.0
_ANSWER_SECONDS = 0.9
"""The supervisor reports the killing within 0.7 s after the grace; without a report we kill ourselves."""
_SIGN_SECONDS = 0.1
"""So long after the grace a stopped supervisor is not waited for: its child does that to it."""
_LEAVE_SECONDS = 1.0
_LOOK_SECONDS = 0.005
_MOST_ROUNDS = 30
_BOOT = (
    "import sys; sys.path.append(sys.argv.pop(1)); "
    "from copilot.supervision.supervisor import main; main(sys.argv[1:])"
)
_PACKAGE_FOLDER = str(Path(__file__).resolve().parent.parent.parent)


class Supervised:
    """One supervised program. Made by `start`; `status` is None until it ended, then as `on_exit` got it."""

    def __init__(
        self, helper: subprocess.Popen[bytes], control: socket.socket, on_exit: Callable[[int], None]
    ):
        self.pid = 0
        self.status: int | None = None
        self.leaked = 0
        """Processes that were not dead when `end` returned (stuck in the kernel); killed on after that."""
        self._helper = helper
        self._control = control
        self._on_exit = on_exit
        self._incoming = b""
        self._loop = asyncio.get_running_loop()
        self._started: asyncio.Future[None] = self._loop.create_future()
        self._gone = asyncio.Event()
        self._ended = asyncio.Event()
        self._identity: process_tree.Process | None = None
        self._loop.add_reader(control, self._hear)

    @classmethod
    async def start(
        cls,
        program: str,
        argv: Sequence[str],
        *,
        folder: str,
        environment: Mapping[str, str],
        descriptors: tuple[int, int, int],
        on_exit: Callable[[int], None],
    ) -> Supervised:
        """Start `program` (a path) with `argv` (its own name first), in `folder`, on these descriptors.

        Raises InputError if folder or program cannot be used, CopilotError if the supervisor fails.
        """
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        arguments = (
            str(theirs.fileno()),
            "yes" if "LC_CTYPE" in environment else "no",
            folder,
            program,
            *argv,
        )
        command = (sys.executable or "python3", "-I", "-S", "-c", _BOOT, _PACKAGE_FOLDER, *arguments)
        stdin, stdout, stderr = descriptors
        try:
            helper = subprocess.Popen(  # noqa: ASYNC220  (vfork and exec: a millisecond)
                command,
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                env=dict(environment),
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            ours.close()
            raise _refusal(
                "program", getattr(error, "errno", None) or errno.EINVAL, argv[0], folder
            ) from None
        finally:
            theirs.close()
        supervised = cls(helper, ours, on_exit)
        try:
            async with asyncio.timeout(_START_SECONDS):
                await supervised._started
        except _Refused as refused:
            await supervised._abandon()
            raise _refusal(refused.stage, refused.number, argv[0], folder) from None
        except TimeoutError:
            await supervised._abandon()
            raise CopilotError(f"{argv[0]}: did not start within {_START_SECONDS:g} s") from None
        except BaseException:
            await supervised._abandon()
            raise
        return supervised

    async def wait(self) -> int:
        """The exit status, when the child itself has ended (its descendants may live on until `end`)."""
        await self._ended.wait()
        return self.status if self.status is not None else -signal.SIGKILL

    async def end(self, grace_seconds: float) -> None:
        """End the child and all below it: TERM now, KILL after the grace, until none is left.

        A child with a terminal is hung up first. May be called again with a shorter grace while it
        runs. Returns when nothing is left, a second after the grace at the latest: see `leaked`.
        """
        if not self._gone.is_set():
            with contextlib.suppress(OSError):
                # The child may have stopped its parent.
                self._helper.send_signal(signal.SIGCONT)
                self._control.send(f"end {grace_seconds:.3f}\n".encode())
            if not await self._goes(grace_seconds + _SIGN_SECONDS) and (
                self._helper_stopped() or not await self._goes(_ANSWER_SECONDS - _SIGN_SECONDS)
            ):
                self._kill_helper()
                self._lose_helper()
        await self._abandon()

    async def _goes(self, seconds: float) -> bool:
        """Whether the supervisor reports within this time that it is done."""
        try:
            async with asyncio.timeout(seconds):
                await self._gone.wait()
        except TimeoutError:
            return self._gone.is_set()
        return True

    def _helper_stopped(self) -> bool:
        one = process_tree.process(self._helper.pid)
        return one is None or one.state == "T"

    def signal(self, number: int) -> bool:
        """Signal the child's own process group; False if there is none any more."""
        return bool(self.pid) and not self._ended.is_set() and process_tree.signal_group(self.pid, number)

    def _hear(self) -> None:
        try:
            data = self._control.recv(4096)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        if not data:
            self._lose_helper()
            return
        *lines, self._incoming = (self._incoming + data).split(b"\n")
        for line in lines:
            self._obey(line.decode("ascii", "replace").split())

    def _obey(self, words: list[str]) -> None:
        match words:
            case ["started", pid]:
                self.pid = int(pid)
                self._identity = process_tree.process(self.pid)
                if not self._started.done():
                    self._started.set_result(None)
            case ["failed", stage, number]:
                if not self._started.done():
                    self._started.set_exception(_Refused(stage, int(number)))
            case ["exited", status]:
                self._finish(int(status))
            case ["gone", count]:
                self.leaked = int(count)
                self._gone.set()

    def _finish(self, status: int) -> None:
        if self._ended.is_set():
            return
        self.status = status
        self._ended.set()
        if self._started.done() and not self._started.cancelled() and self._started.exception() is None:
            self._on_exit(status)

    def _lose_helper(self) -> None:
        """The supervisor has ended: as asked, or killed from outside, which must not leave a child behind."""
        self._close_control()
        if not self._started.done():
            self._started.set_exception(CopilotError(f"the supervisor of the child {self._how_it_ended()}"))
        if not self._gone.is_set() and self.pid:
            self._sweep()
        self._gone.set()
        self._finish(-signal.SIGKILL)

    def _how_it_ended(self) -> str:
        """For the one line that a person gets where it ended before it had started anything."""
        try:
            status = self._helper.wait(_SIGN_SECONDS)
        except subprocess.TimeoutExpired:
            return "closed its line before it had started anything"
        how = f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
        return f"could not be started: it {how}"

    def _sweep(self) -> None:
        """Kill what can be found without the supervisor: the child, what is below it, its session.

        All of it is stopped first, so that nothing forks away between being seen and being killed.
        """
        child = process_tree.process(self.pid)
        if child is None or self._identity is None or child.started != self._identity.started:
            return
        stopped: dict[int, process_tree.Process] = {}
        for _ in range(20):
            found = [child, *process_tree.descendants(self.pid), *process_tree.members(session=self.pid)]
            new = [one for one in found if one.pid not in stopped]
            if not new:
                break
            process_tree.signal_all(new, signal.SIGSTOP)
            stopped |= {one.pid: one for one in new}
        process_tree.signal_all(list(stopped.values()), signal.SIGKILL)

    def _kill_helper(self) -> None:
        """The supervisor does not answer: do its work, and end it last, since orphans become its children."""
        for _ in range(_MOST_ROUNDS):
            below = process_tree.descendants(self._helper.pid)
            if not below:
                break
            process_tree.signal_all(below, signal.SIGKILL)
        with contextlib.suppress(OSError):
            self._helper.kill()

    def _close_control(self) -> None:
        if self._control.fileno() >= 0:
            self._loop.remove_reader(self._control)
            self._control.close()

    async def _abandon(self) -> None:
        """Let go of the supervisor; it ends by itself when the socket closes and nothing is below it."""
        self._close_control()
        self._gone.set()
        if not self._ended.is_set():
            self._finish(-signal.SIGKILL)
        if not self._started.done():
            self._started.cancel()
        for kill in (self._kill_helper, lambda: None):
            if self.leaked or await self._leaves():
                return
            kill()

    async def _leaves(self) -> bool:
        """Whether the supervisor's process ends within its time."""
        until = self._loop.time() + _LEAVE_SECONDS
        if self._helper.poll() is None and hasattr(os, "pidfd_open"):
            with contextlib.suppress(OSError):
                await _readable(os.pidfd_open(self._helper.pid), _LEAVE_SECONDS)
        while self._helper.poll() is None and self._loop.time() < until:  # noqa: ASYNC110  (has no event)
            await asyncio.sleep(_LOOK_SECONDS)
        return self._helper.poll() is not None


async def _readable(descriptor: int, seconds: float) -> None:
    """Wait for the descriptor, so long at most, and close it."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(descriptor, ready.set)
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await ready.wait()
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)


class _Refused(Exception):
    def __init__(self, stage: str, number: int) -> None:
        super().__init__(stage, number)
        self.stage = stage
        self.number = number


def _refusal(stage: str, number: int, name: str, folder: str) -> InputError:
    """The message for a child that cannot be started."""
    why = os.strerror(number)
    if stage == "folder":
        return InputError(f"{folder}: cannot be entered: {why}; give another folder with --cwd")
    if number == errno.ENOEXEC:
        return InputError(
            f"{name}: is not a program for this system; a script needs a first line like #!/bin/sh"
        )
    if number == errno.E2BIG:
        return InputError(f"{name}: its arguments and environment are too long for the system; shorten them")
    return InputError(f"{name}: cannot be started: {why}")
