"""The supervisor: a small process between copilot and the child, which ends the child's whole tree.

It is started in a bare interpreter (`python -I -S`) with a socket to copilot, becomes the reaper of all
orphans below it (Linux), and starts the child in a session of its own, with the terminal on descriptor 0 as
controlling terminal. When copilot asks, or when copilot is gone however it died (its end of the socket
closes), everything below is terminated (in a terminal hung up first), and after the grace killed, again and
again until the kernel says that no child is left: the only exact proof, since every orphan of the tree
becomes ours.

Messages are lines of ASCII. To copilot: `started PID`, `failed STAGE ERRNO`, `exited STATUS` (negative for
a signal), `gone COUNT` (how many are not dead yet: stuck in the kernel). From copilot: `end GRACE_SECONDS`.
A stuck process is reported, and killed again until it is gone: the supervisor never leaves before the tree.
All times are of the monotonic clock: a jump of the wall clock moves nothing, and a sleep of the machine does
not count.
"""

from __future__ import annotations

import errno
import fcntl
import os
import select
import sys
import termios
import time

from copilot.supervision import process_tree
from copilot.supervision.process_tree import signal

# As in `process_tree`: `typing` would cost every child its time.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

ORPHANED_GRACE_SECONDS = 0.5
"""Between TERM and KILL when copilot has died: short, since the result is not awaited any more."""
KILL_SECONDS = 0.7
"""After so much killing copilot gets a list of what still lives, so that it waits for a second at most."""
_LOOK_SECONDS = 0.02
_LOOK_AT_STUCK_SECONDS = 0.2
_MOST_ROUNDS = 30
"""Rounds of killing without a pause: what forks into new sessions is outrun, not waited for."""
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def _become_reaper() -> bool:
    """Have every orphan below us become our child (Linux). False where that cannot be had.

    And be woken when copilot dies: a child may have stopped us, which would hide the closed socket.
    """
    if sys.platform.startswith("linux"):
        try:
            prctl = _prctl()
            prctl(_PR_SET_PDEATHSIG, int(signal.SIGCONT), 0, 0, 0)
            return prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
        except (ImportError, OSError, AttributeError):
            pass
    return False


def _prctl() -> Callable[..., int]:
    """The system call, by what `ctypes` is made from: importing `ctypes` itself is a third of our start."""
    try:
        import _ctypes

        library = _ctypes.dlopen(None, 0)  # type: ignore[arg-type]
        address, call = _ctypes.dlsym(library, "prctl"), _ctypes.call_cdeclfunction
        return lambda *arguments: int(call(address, arguments))
    except (ImportError, OSError, AttributeError):
        import ctypes

        return ctypes.CDLL(None).prctl


class Supervisor:
    """One child and everything below it."""

    def __init__(self, control: int) -> None:
        self._control = control
        # The child must not have it: it would keep the line open, and could speak for us.
        os.set_inheritable(control, False)
        self._incoming = b""
        self._connected = True
        self._child = 0
        self._childless = False
        self._kill_at: float | None = None
        self._report_at = 0.0
        self._reported = False
        self._reaps_orphans = False
        # Without a terminal nothing is hung up: a HUP would end a command before its handler of TERM runs.
        farewell = (signal.SIGHUP, signal.SIGTERM) if os.isatty(0) else (signal.SIGTERM,)
        self._farewell = (*farewell, signal.SIGCONT)
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)

    def run(self, argv: list[str], folder: str, environment: dict[str, str]) -> None:
        """Start the child, and return when nothing of it is left."""
        self._reaps_orphans = _become_reaper()
        signal.set_wakeup_fd(self._wake_write, warn_on_full_buffer=False)
        for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        if not self._start(argv, folder, environment):
            return
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(null, descriptor)
        os.close(null)
        os.chdir("/")
        while not self._finished():
            self._wait()
            self._reap()
            self._act()

    def _start(self, argv: list[str], folder: str, environment: dict[str, str]) -> bool:
        reading, writing = os.pipe()
        self._child = os.fork()
        if self._child == 0:
            _become_child(writing, argv, folder, environment)
        os.close(writing)
        failure = b""
        while piece := os.read(reading, 100):
            failure += piece
        os.close(reading)
        if failure:
            os.waitpid(self._child, 0)
            self._say(f"failed {failure.decode()}")
            return False
        self._say(f"started {self._child}")
        return True

    def _on_signal(self, number: int, _frame: object) -> None:
        if number != signal.SIGCHLD:
            self._end(ORPHANED_GRACE_SECONDS)

    def _wait(self) -> None:
        watched = select.poll()
        watched.register(self._wake_read, select.POLLIN)
        if self._connected:
            watched.register(self._control, select.POLLIN)
        pause = _LOOK_AT_STUCK_SECONDS if self._reported else _LOOK_SECONDS
        ready = watched.poll(None if self._kill_at is None else pause * 1000)
        for descriptor, _ in ready:
            if descriptor == self._wake_read:
                os.read(self._wake_read, 4096)
            else:
                self._hear()

    def _hear(self) -> None:
        try:
            data = os.read(self._control, 4096)
        except OSError:
            data = b""
        if not data:
            self._connected = False
            self._end(ORPHANED_GRACE_SECONDS)
            return
        *lines, self._incoming = (self._incoming + data).split(b"\n")
        for line in lines:
            word, _, grace = line.partition(b" ")
            if word == b"end":
                self._end(float(grace))

    def _end(self, grace_seconds: float) -> None:
        """Begin to end, or end sooner than was asked before."""
        now = time.monotonic()
        first = self._kill_at is None
        self._kill_at = now + grace_seconds if first else min(self._kill_at or now, now + grace_seconds)
        self._report_at = self._kill_at + KILL_SECONDS
        if first and grace_seconds > 0:
            below = self._below()
            for number in self._farewell:
                process_tree.signal_all(below, number)

    def _act(self) -> None:
        if self._kill_at is None or time.monotonic() < self._kill_at:
            return
        for _ in range(_MOST_ROUNDS):
            below = self._below()
            if not below:
                break
            process_tree.signal_all(below, signal.SIGKILL)
            self._reap()
            # Of many that die slowly copilot hears in time; they are killed on after that.
            if not self._reported and time.monotonic() >= self._report_at:
                break

    def _reap(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                self._childless = True
                return
            if pid == 0:
                self._childless = False
                return
            if pid == self._child:
                self._say(f"exited {os.waitstatus_to_exitcode(status)}")

    def _finished(self) -> bool:
        if self._kill_at is None:
            return False
        if self._childless and (self._reaps_orphans or not self._below()):
            if not self._reported:
                self._say("gone 0")
            return True
        if not self._reported and time.monotonic() >= self._report_at:
            self._reported = True
            self._say(f"gone {len(self._below())}")
        return False

    def _below(self) -> list[process_tree.Process]:
        """What is to be ended. Without the reaper's right, orphans are known only by the child's group."""
        found = process_tree.descendants(os.getpid())
        if not self._reaps_orphans:
            known = {one.pid for one in found}
            everything = process_tree.all_processes().values()
            found += [p for p in everything if p.group == self._child and p.pid not in known and not p.dead]
        return found

    def _say(self, text: str) -> None:
        try:
            os.write(self._control, text.encode() + b"\n")
        except OSError as error:
            if error.errno not in (errno.EPIPE, errno.ECONNRESET):
                raise


def _become_child(report: int, argv: list[str], folder: str, environment: dict[str, str]) -> None:
    """In the forked child: a session and a terminal of its own, nothing inherited, then the program."""
    stage = "session"
    try:
        signal.set_wakeup_fd(-1)
        os.setsid()
        if os.isatty(0):
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            try:
                signal.signal(number, signal.SIG_DFL)
            except (OSError, ValueError):
                continue
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        stage = "folder"
        os.chdir(folder)
        stage = "program"
        os.execve(argv[0], argv[1:], environment)
    except OSError as error:
        os.write(report, f"{stage} {error.errno}".encode())
    except BaseException:
        os.write(report, f"{stage} {errno.EINVAL}".encode())
    finally:
        os._exit(127)


def main(arguments: list[str]) -> None:
    """`CONTROL_FD LC_CTYPE? FOLDER PROGRAM ARGV0 ARGUMENTS...`: see `supervised.py`, the only caller.

    The interpreter sets LC_CTYPE in the C locale (PEP 538); the child must not see that, so copilot says
    whether the variable was there.
    """
    control, had_ctype, folder, *argv = arguments
    environment = dict(os.environ)
    if had_ctype == "no":
        environment.pop("LC_CTYPE", None)
    try:
        Supervisor(int(control)).run(argv, folder, environment)
    except Exception:
        sys.excepthook(*sys.exc_info())
        os._exit(1)
    # The interpreter has nothing to tidy up, and copilot waits for our end.
    os._exit(0)
