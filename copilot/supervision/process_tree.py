"""The processes below one process: who they are, and signals that hit no other.

A process is named by pid and start time, so this module never signals another process that reused
the pid. Standard library only: the supervisor imports this module in a bare interpreter. Linux reads
/proc; elsewhere `ps` is asked (untested: our machines run Linux).
"""

from __future__ import annotations

import os

# `signal` (for its enums), `collections` and `typing` would be half of the supervisor's start, which every
# child waits for. `_signal` is the C module under `signal`, with the same numbers and functions.
TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as signal
else:
    try:
        import _signal as signal
    except ImportError:
        import signal

_POLITE_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


class Process:
    """One process. `state` is the letter of `ps`; `started` is the start time in the system's words."""

    __slots__ = ("group", "parent", "pid", "session", "started", "state")

    def __init__(self, pid: int, parent: int, group: int, session: int, state: str, started: str) -> None:
        self.pid = pid
        self.parent = parent
        self.group = group
        self.session = session
        self.state = state
        self.started = started

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Process) and (self.pid, self.started) == (other.pid, other.started)

    def __hash__(self) -> int:
        return hash((self.pid, self.started))

    @property
    def dead(self) -> bool:
        """It has ended and only waits to be reaped."""
        return self.state in ("Z", "X")


def has_proc() -> bool:
    """Whether this system lists processes under /proc as Linux does."""
    return os.path.exists("/proc/self/stat")  # noqa: PTH110  (pathlib is too slow to import here)


def process(pid: int) -> Process | None:
    """The process with this pid, if there is one (also a zombie)."""
    if not has_proc():
        return _ps_table().get(pid)
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            text = file.read()
    except OSError:
        return None
    # The name is in brackets and may itself contain any bracket or blank: proc_pid_stat(5).
    fields = text.rpartition(b")")[2].split()
    if len(fields) < 20:
        return None
    parent, group, session = int(fields[1]), int(fields[2]), int(fields[3])
    return Process(pid, parent, group, session, fields[0].decode(), fields[19].decode())


def all_processes() -> dict[int, Process]:
    """Every process that we may see, by pid."""
    if not has_proc():
        return _ps_table()
    found = (process(int(name)) for name in os.listdir("/proc") if name.isdecimal())  # noqa: PTH208
    return {one.pid: one for one in found if one is not None}


def descendants(root: int) -> list[Process]:
    """Every living process below `root`, parents before children.

    A tree that changes meanwhile may be seen in part; callers look again until nothing is left.
    """
    table: dict[int, Process] | None = None
    found: list[Process] = []
    waiting = [root]
    seen = {root}
    while waiting:
        pid = waiting.pop()
        pids = None if table is not None else _children(pid)
        if pids is None:
            if table is None:
                table = all_processes()
            pids = [one.pid for one in table.values() if one.parent == pid]
        for child in pids:
            one = table.get(child) if table is not None else process(child)
            if one is None or child in seen:
                continue
            seen.add(child)
            waiting.append(child)
            if not one.dead:
                found.append(one)
    return found


def members(*, session: int) -> list[Process]:
    """The living processes of a session."""
    return [one for one in all_processes().values() if one.session == session and not one.dead]


def _children(pid: int) -> list[int] | None:
    """The pids of the children of `pid`; None where the kernel does not list them."""
    pids: list[int] = []
    try:
        threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208
    except OSError:
        return [] if has_proc() else None
    for thread in threads:
        try:
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                pids += map(int, file.read().split())
        except FileNotFoundError:
            if not os.path.exists("/proc/self/task/%d/children" % os.getpid()):  # noqa: PTH110, UP031
                return None
        except OSError:
            continue
    return pids


def signal_process(one: Process, signum: int) -> bool:
    """Signal this process. False if it is gone; another process that reused the pid is left alone."""
    try:
        handle = os.pidfd_open(one.pid)
    except (AttributeError, OSError):
        return _signal_checked(one, signum)
    try:
        now = process(one.pid)
        if now is None or now.started != one.started:
            return False
        signal.pidfd_send_signal(handle, signum)
        return True
    except OSError:
        return False
    finally:
        os.close(handle)


def _signal_checked(one: Process, signum: int) -> bool:
    now = process(one.pid)
    if now is None or now.started != one.started:
        return False
    try:
        os.kill(one.pid, signum)
    except OSError:
        return False
    return True


def signal_group(group: int, signum: int) -> bool:
    """Signal a process group. False if there is none, or it is our own group, which we never signal."""
    if group <= 1 or group == os.getpgrp():
        return False
    try:
        os.killpg(group, signum)
    except OSError:
        return False
    return True


def signal_all(processes: list[Process], signum: int) -> None:
    """Signal these processes, by groups and one by one.

    A fork cannot slip through a signal to its whole group (the kernel lets it see the signal first), so
    groups come first, in the order given: parents first, so they start nothing more. Single processes follow
    for those whose group has changed. A polite signal is sent only once: to some programs a second TERM means
    "at once".
    """
    groups = dict.fromkeys(one.group for one in processes)
    reached = {group for group in groups if signal_group(group, signum)}
    for one in processes:
        if signum in _POLITE_SIGNALS and one.group in reached and _group_of(one.pid) == one.group:
            continue
        signal_process(one, signum)


def shell_behind() -> bool:
    """Whether our job was started by a shell with job control, which could bring us back after a stop (`fg`).

    Without one a stop would be for good: whoever leads our process group must have a parent in the same
    session but in another group (POSIX calls the group orphaned if there is none).
    """
    one = process(os.getpid())
    while one is not None:
        parent = process(one.parent)
        if parent is None or parent.session != one.session:
            return False
        if parent.group != one.group:
            return True
        one = parent
    return False


def _group_of(pid: int) -> int | None:
    now = process(pid)
    return None if now is None else now.group


def _ps_table() -> dict[int, Process]:
    import subprocess  # slow to import, and never needed on Linux

    columns = "pid=,ppid=,pgid=,sess=,stat=,lstart="
    with subprocess.Popen(
        ["ps", "-A", "-o", columns], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as ps:
        try:
            output, _ = ps.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            ps.kill()
            output = b""
    table = {}
    for line in output.decode("ascii", "replace").splitlines():
        fields = line.split(None, 5)
        if len(fields) == 6 and all(field.isdecimal() for field in fields[:3]):
            pid, parent, group = map(int, fields[:3])
            table[pid] = Process(pid, parent, group, 0, fields[4][:1], fields[5])
    table.pop(ps.pid, None)  # ps lists itself, so the caller would always have a child
    return table
