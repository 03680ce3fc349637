"""Whether an event loop waits for keys and for nothing else, as the kernel knows it (Linux).

Node and others read the terminal by epoll(7), so no thread is blocked in a read of it. The loop waits for
keys alone if it has no timer (the wait has no end), if its set of descriptors (proc_pid_fdinfo(5)) holds the
terminal and otherwise only wake-ups of its own, and if every other thread sleeps until it is given work. A
socket, a pipe of a child, a timer or a file in a worker may go on by themselves: then nothing is known.
"""

from __future__ import annotations

import os
import platform

_ENDLESS = 0xFFFFFFFF
_EPOLL = {"x86_64": (232, 281), "aarch64": (22,)}.get(platform.machine(), ())
"""epoll_wait(2) and epoll_pwait(2): descriptor first, time-out in milliseconds as the fourth argument."""
_FUTEX = {"x86_64": 202, "aarch64": 98}.get(platform.machine(), -1)
_WAKE_UP = "anon_inode:[eventfd]"


def loop_reads(pid: int, terminal: str) -> bool:
    """Whether this process waits for keys and for nothing else. False where it cannot be known."""
    try:
        threads = [_call(pid, thread) for thread in os.listdir(f"/proc/{pid}/task")]  # noqa: PTH208
        links = _links(pid)
        watched = [_watched(pid, call, links) for call in threads if not _sleeps(call)]
    except (OSError, ValueError):
        return False
    if any(one is None for one in watched):
        return False
    targets = [target for one in watched for target in one or ()]
    return terminal in targets and all(_is_own(target, terminal, links) for target in targets)


def _call(pid: int, thread: str) -> list[int]:
    """Number and arguments of the system call that the thread is in; empty while it runs."""
    with open(f"/proc/{pid}/task/{thread}/syscall", "rb") as file:
        number, *arguments = file.read().split() or [b"running"]
    return [int(number), *(int(word, 16) for word in arguments[:6])] if number.isdigit() else []


def _links(pid: int) -> dict[int, str]:
    """What each descriptor of the process is."""
    folder = f"/proc/{pid}/fd"
    return {int(name): os.readlink(f"{folder}/{name}") for name in os.listdir(folder)}  # noqa: PTH115, PTH208


def _sleeps(call: list[int]) -> bool:
    """Whether a worker waits, without an end, until another thread of its process wakes it."""
    return bool(call) and call[0] == _FUTEX and call[4] == 0


def _watched(pid: int, call: list[int], links: dict[int, str]) -> list[str] | None:
    """What an endless wait of an event loop watches; None if the thread does anything else."""
    if not call or call[0] not in _EPOLL or call[4] != _ENDLESS:
        return None
    with open(f"/proc/{pid}/fdinfo/{call[1]}", encoding="ascii") as file:
        rows = [row.split() for row in file if row.startswith("tfd:")]
    return [links.get(int(row[1]), "") for row in rows]


def _is_own(target: str, terminal: str, links: dict[int, str]) -> bool:
    """Whether nothing but keys and the process itself can write there: both ends of a pipe are its own."""
    own_pipe = target.startswith("pipe:") and list(links.values()).count(target) > 1
    return target in (terminal, _WAKE_UP) or own_pipe
