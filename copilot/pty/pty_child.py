"""`PtyChild`: an interactive program in a pseudo-terminal, under asyncio and under the supervisor.

The terminal is ptyprocess' (size, descriptor); the process belongs to the supervisor (`supervision/`),
because only a parent that outlives us can end its whole tree. Why ptyprocess does not spawn:
docs/decisions. Its end is the end of the *process*: a child that closes its terminal still runs, and one
that has exited may have left something behind that holds the terminal open.
"""

from __future__ import annotations

import asyncio
import os
import signal
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ptyprocess import PtyProcess

from copilot.core.snapshot import UNKNOWN_FACTS, TtyFacts
from copilot.errors import InputError
from copilot.pty.kernel_facts import reads_keys, takes_hidden_line, tty_facts, waits_idle
from copilot.pty.programs import resolve_program
from copilot.pty.pty_writer import PtyWriter
from copilot.supervision import process_tree
from copilot.supervision.supervised import Supervised

BATCH_BYTES = 8 * 1024
BATCH_SECONDS = 0.003
TURNS_BETWEEN = 3
"""Reading gives the loop back after this much, for so many turns: a key needs several turns to be handled and
painted, and during a flood each would wait for a batch. Turns in which nothing is to be done cost nothing."""
_REOPEN_SECONDS = 0.05
_DRAIN_QUIET_SECONDS = 0.03
_DRAIN_MOST_SECONDS = 0.5
"""How long the terminal is still read after the child has ended, if something left behind writes on."""
_IUTF8 = 0x4000
_SHELL_SIGNALS = 128
MOST_SIDE = 2000


class PtyChild:
    """A running child. `pid` leads its session; `status` is None until it ended, negative for a signal."""

    def __init__(self, argv: Sequence[str], columns: int, lines: int) -> None:
        """Use `start`."""
        self.argv = tuple(argv)
        self.columns = columns
        self.lines = lines
        self.status: int | None = None
        self._loop = asyncio.get_running_loop()
        self._on_output: Callable[[bytes], None] = lambda data: None
        self._on_exit: Callable[[int], None] = lambda status: None
        self._supervised: Supervised | None = None
        self._inside = 0
        self._launched = False
        self._writer: PtyWriter | None = None
        self._master, self._slave = _open_terminal()
        self._terminal = os.ttyname(self._slave)
        self._pty: Any = None
        self._paused = False
        self._reading = False
        self._exit_reported = asyncio.Event()
        self._reopen: asyncio.TimerHandle | None = None

    @classmethod
    async def start(
        cls,
        argv: Sequence[str],
        *,
        cwd: str | os.PathLike[str],
        environment: Mapping[str, str],
        columns: int,
        lines: int,
        on_output: Callable[[bytes], None],
        on_exit: Callable[[int], None],
        on_write_failed: Callable[[str], None] = lambda reason: None,
        write_deadline_seconds: float = 5.0,
        launcher: Sequence[str] = (),
    ) -> PtyChild:
        """Start `argv` in folder `cwd` with this environment (see `child_environment`) and size.

        `on_output` gets the raw bytes in order, `on_exit` the status once, after the last output.
        `on_write_failed` is called when typed bytes could not be delivered. All are called on the event loop.
        `launcher` is a command that becomes `argv`; its giver calls `is_inside` with the process.
        Raises InputError with the way out for a program or folder that cannot be used.
        """
        if not argv:
            raise InputError(
                "no program to run was given; name one after `--`, for example: copilot -- claude"
            )
        _check_size(columns, lines)
        folder = os.path.abspath(cwd)  # noqa: PTH100, ASYNC240  (no resolving of links: the child sees this)
        program = resolve_program(argv[0], folder=folder, environment=environment)
        child = cls(argv, columns, lines)
        child._launched = bool(launcher)
        child._on_output, child._on_exit = on_output, on_exit
        child._writer = PtyWriter(
            child._master, deadline_seconds=write_deadline_seconds, on_failed=on_write_failed
        )
        try:
            command = (launcher[0], *launcher, program, *argv) if launcher else (program, *argv)
            await child._launch(command, folder, environment)
        except BaseException:
            child._close_terminal()
            raise
        child._read_on()
        return child

    async def _launch(self, command: Sequence[str], folder: str, environment: Mapping[str, str]) -> None:
        # ptyprocess owns the master; the process is waited for by the supervisor, not by ptyprocess.
        self._pty = PtyProcess(0, self._master)
        self._pty.terminated = True
        self._pty.delayafterclose = 0
        self._pty.setwinsize(self.lines, self.columns)
        self._supervised = await Supervised.start(
            command[0],
            command[1:],
            folder=folder,
            environment={**environment, "PWD": folder},
            descriptors=(self._slave, self._slave, self._slave),
            on_exit=self._ended,
        )
        self._pty.pid = self._supervised.pid

    def is_inside(self, pid: int) -> None:
        """The child is this process, below what was started: its launcher became what holds it."""
        self._inside = self._pty.pid = pid

    @property
    def pid(self) -> int:
        """The child's process id, which is also its session's and first group's."""
        return self._inside or (self._supervised.pid if self._supervised is not None else 0)

    @property
    def alive(self) -> bool:
        """Whether the child itself runs."""
        return self.status is None

    def write(self, data: bytes) -> None:
        """Type these bytes. Never blocks: what the child does not take in time goes to `on_write_failed`."""
        if self._writer is not None:
            self._writer.write(data)

    async def drain(self) -> None:
        """Return when all that was typed has been taken. Raises WriteFailed if it was given up."""
        if self._writer is not None:
            await self._writer.drain()

    def pause(self) -> None:
        """Read no more for now: the kernel's buffer fills, then the child waits (back-pressure)."""
        self._paused = True
        self._stop_reading()

    def resume(self) -> None:
        """Read on."""
        self._paused = False
        self._read_on()

    def resize(self, columns: int, lines: int) -> None:
        """Give the terminal another size; the kernel notifies the child (SIGWINCH). Raises InputError."""
        _check_size(columns, lines)
        self.columns, self.lines = columns, lines
        if not self._pty.closed:
            self._pty.setwinsize(lines, columns)

    def interrupt(self) -> bool:
        """SIGINT to the foreground group, else to the child's. False if no process received it."""
        if self._pty.closed or not self.alive:
            return False
        return process_tree.signal_group(self._front_group() or self.pid, signal.SIGINT)

    def stopped(self) -> bool:
        """Whether the child is stopped by a signal (microseconds)."""
        one = process_tree.process(self.pid) if self.alive else None
        return one is not None and one.state == "T"

    def reads_keys(self) -> bool | None:
        """Whether the child itself has keys one by one, or echoed lines; None if that is not known."""
        in_front = not self._pty.closed and self._front_group() == self.pid
        return reads_keys(self._master) if in_front else None

    def waits_idle(self) -> bool:
        """Whether nothing runs in front but the child, and it only waits for keys; False under doubt."""
        return not self._pty.closed and self.alive and waits_idle(self._master, self._terminal, self.pid)

    def bring_back(self) -> bool:
        """SIGCONT to the child's group and to the foreground group. False if no process received it."""
        if self._pty.closed or not self.alive:
            return False
        groups = {self.pid, self._front_group() or self.pid}
        return any([process_tree.signal_group(group, signal.SIGCONT) for group in groups])

    def _front_group(self) -> int:
        """The process group that has the terminal; 0 if the kernel does not report it."""
        try:
            return os.tcgetpgrp(self._master)
        except OSError:
            return 0

    async def end(self, grace_seconds: float = 3.0) -> None:
        """End the child and all below it: HUP and TERM, KILL after the grace, until nothing is left.

        Call it also for a child that exited by itself: what it left behind ends here. A second call with a
        shorter grace, made while the first runs, shortens it. The terminal is closed afterwards.
        """
        if self._supervised is None:
            return
        self.resume()
        await self._supervised.end(grace_seconds)
        await self._exit_reported.wait()
        self._close_terminal()

    async def wait(self) -> int:
        """The exit status, once the child has ended and its last output was delivered."""
        await self._exit_reported.wait()
        return self.status if self.status is not None else -signal.SIGKILL

    def facts(self) -> TtyFacts:
        """What the kernel knows of the terminal now (a fraction of a millisecond to a few)."""
        if self._pty.closed or not self.alive:
            return UNKNOWN_FACTS
        return tty_facts(self._master, self._terminal, self.pid)

    def hides_typing(self) -> bool:
        """Whether the terminal takes whole lines and echoes nothing, as for a password (microseconds)."""
        return not self._pty.closed and takes_hidden_line(self._master)

    def _read_on(self) -> None:
        if not (self._reading or self._paused or self._pty.closed or self.status is not None):
            self._loop.add_reader(self._master, self._readable)
            self._reading = True

    def _stop_reading(self) -> None:
        if self._reading:
            self._loop.remove_reader(self._master)
            self._reading = False

    def _readable(self) -> None:
        size, closed = self._read_batch()
        if closed:
            # No process holds the terminal at the moment; the child may open it again.
            self._stop_reading()
            if self.alive:
                self._reopen = self._loop.call_later(_REOPEN_SECONDS, self._read_on)
        elif size >= BATCH_BYTES // 2:
            self._stop_reading()
            self._loop.call_soon(self._let_turns_pass, TURNS_BETWEEN)

    def _let_turns_pass(self, turns: int) -> None:
        """Let so many turns of the loop pass before reading on: there is a flood."""
        if turns:
            self._loop.call_soon(self._let_turns_pass, turns - 1)
        else:
            self._read_on()

    def _read_batch(self) -> tuple[int, bool]:
        """Deliver what is there, at most a batch. How many bytes, and whether the terminal was closed."""
        pieces: list[bytes] = []
        size = 0
        closed = False
        until = time.monotonic() + BATCH_SECONDS
        while size < BATCH_BYTES and time.monotonic() < until:
            try:
                piece = os.read(self._master, BATCH_BYTES)
            except (BlockingIOError, InterruptedError):
                break
            except OSError:
                piece = b""
            if not piece:
                closed = True
                break
            pieces.append(piece)
            size += len(piece)
        if pieces:
            self._on_output(b"".join(pieces))
        return size, closed

    def _ended(self, status: int) -> None:
        """The process is gone: deliver what it has written last, then say so."""
        # What holds a child ends with the status that a shell gives: 128 and the number of a signal.
        by_signal = self._launched and _SHELL_SIGNALS < status < _SHELL_SIGNALS + signal.NSIG
        self.status = _SHELL_SIGNALS - status if by_signal else status
        if self._writer is not None:
            self._writer.close("the child has exited")
        self._stop_reading()
        now = self._loop.time()
        # Soon, not now: a child that exits at once must not call back before `start` has returned.
        self._loop.call_soon(self._drain_terminal, now + _DRAIN_QUIET_SECONDS, now + _DRAIN_MOST_SECONDS)

    def _drain_terminal(self, quiet_at: float, stop_at: float) -> None:
        size, closed = (0, True) if self._pty.closed else self._read_batch()
        now = self._loop.time()
        if size:
            quiet_at = now + _DRAIN_QUIET_SECONDS
        if closed or now >= min(quiet_at, stop_at):
            self._stop_reading()
            self._exit_reported.set()
            self._on_exit(self.status if self.status is not None else -signal.SIGKILL)
        else:
            self._loop.call_later(0 if size else 0.005, self._drain_terminal, quiet_at, stop_at)

    def _close_terminal(self) -> None:
        self._stop_reading()
        if self._reopen is not None:
            self._reopen.cancel()
        if self._writer is not None:
            self._writer.close("the child's terminal is closed")
        if self._pty is not None and not self._pty.closed:
            self._pty.close()
        elif self._pty is None:
            os.close(self._master)
        if self._slave >= 0:
            os.close(self._slave)
            self._slave = -1


def _open_terminal() -> tuple[int, int]:
    """A terminal pair. We keep the slave open: a child may close its terminal and open it again."""
    master, slave = os.openpty()
    os.set_blocking(master, False)
    try:
        settings = termios.tcgetattr(slave)
        # So that erasing in a cooked line takes whole characters, not bytes.
        settings[0] |= _IUTF8
        termios.tcsetattr(slave, termios.TCSANOW, settings)
    except termios.error:
        pass
    return master, slave


def _check_size(columns: int, lines: int) -> None:
    if not (1 <= columns <= MOST_SIDE and 1 <= lines <= MOST_SIDE):
        raise InputError(f"a terminal of {columns}x{lines} is out of range (1 to {MOST_SIDE} each way)")
