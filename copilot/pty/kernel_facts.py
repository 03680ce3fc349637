"""What the kernel knows of the child's terminal: who is in front, does it read, how is the line set.

Quiet output proves nothing; a program that is blocked in a read of the terminal does wait for keys. Sources
on Linux: tcgetpgrp(3) and tcgetattr(3) on the terminal, /proc/PID/syscall (proc_pid_syscall(5)), the
descriptor's link, and for poll and select their arguments in /proc/PID/mem. What cannot be known is None:
other systems, no permission, event loops that wait for anything beside keys (`event_loops.py`).
"""

from __future__ import annotations

import os
import platform
import struct
import termios

from copilot.core.snapshot import TtyFacts
from copilot.pty.event_loops import loop_reads
from copilot.supervision import process_tree

_OTHER = "other"
_CALLS = {
    "x86_64": {
        0: "read",
        19: "read",
        23: "select",
        270: "select",
        7: "poll",
        271: "ppoll",
        232: "loop",
        281: "loop",
        441: "loop",
        426: "loop",
    },
    "aarch64": {63: "read", 65: "read", 72: "select", 73: "ppoll", 22: "loop", 441: "loop", 426: "loop"},
}.get(platform.machine(), {})
"""Numbers of the system calls that wait for input; `loop` are epoll and io_uring."""
_MOST_POLLED = 16
_POLLIN = 1


def tty_facts(master: int, terminal: str, child: int) -> TtyFacts:
    """Facts of the terminal with this master descriptor and name, in which `child` leads the session."""
    echo, canonical = _line_flags(master)
    try:
        group = os.tcgetpgrp(master)
    except OSError:
        return TtyFacts(None, echo, canonical, None)
    if group <= 0 or not process_tree.has_proc():
        return TtyFacts(None, echo, canonical, None)
    front = _group_members(group, child)
    names = (_name(one.pid) for one in front)
    return TtyFacts(_any_reads(front, terminal), echo, canonical, next(filter(None, names), None))


def takes_hidden_line(master: int) -> bool:
    """Whether whole lines are read and not echoed: getpass(3), sudo, ssh. False where it cannot be known."""
    return _line_flags(master) == (False, True)


def reads_keys(master: int) -> bool | None:
    """Whether keys are read one by one (True), or whole lines that are echoed; None if neither is known."""
    echo, canonical = _line_flags(master)
    if canonical is False:
        return True
    return False if (echo, canonical) == (True, True) else None


def waits_idle(master: int, terminal: str, child: int) -> bool:
    """Whether `child` alone is in front, with one thread, which is blocked reading the terminal.

    A second thread or a second process in its group may be at work while the first reads. False where it
    cannot be known.
    """
    try:
        in_front = os.tcgetpgrp(master) == child
        threads = os.listdir(f"/proc/{child}/task")  # noqa: PTH208
    except OSError:
        return False
    if not in_front or len(threads) != 1 or len(_group_members(child, child)) != 1:
        return False
    return _thread_reads(child, threads[0], terminal) is True


def _line_flags(master: int) -> tuple[bool | None, bool | None]:
    try:
        local = termios.tcgetattr(master)[3]
    except (termios.error, OSError):
        return None, None
    return bool(local & termios.ECHO), bool(local & termios.ICANON)


def _group_members(group: int, child: int) -> list[process_tree.Process]:
    """The living processes of the group, its leader first."""
    leader, session = process_tree.process(group), process_tree.process(child)
    found = [] if leader is None or leader.dead else [leader]
    below = process_tree.descendants(child)
    everybody = below if session is None else [session, *below]
    found += [one for one in everybody if one.group == group and one.pid != group and not one.dead]
    return found


def _name(pid: int) -> str | None:
    """The program's name as it calls itself (argv[0]), without folder; made printable and short."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            first = file.read(4096).partition(b"\0")[0]
        if not first:
            with open(f"/proc/{pid}/comm", "rb") as file:
                first = file.read(64)
    except OSError:
        return None
    # A program may set its whole title as argv[0]; its first word is the name.
    words = first.decode("utf-8", "replace").split()
    name = words[0].rpartition("/")[2] if words else ""
    return "".join(letter for letter in name if letter.isprintable())[:64] or None


def _any_reads(front: list[process_tree.Process], terminal: str) -> bool | None:
    """True if any thread of these is blocked reading the terminal, None if one might be, else False."""
    answers: list[bool | None] = []
    for one in front:
        try:
            threads = os.listdir(f"/proc/{one.pid}/task")  # noqa: PTH208
        except OSError:
            answers.append(None)
            continue
        answers += [_thread_reads(one.pid, thread, terminal) for thread in threads]
    if True in answers or (None in answers and len(front) == 1 and loop_reads(front[0].pid, terminal)):
        return True
    return None if None in answers or not answers else False


def _thread_reads(pid: int, thread: str, terminal: str) -> bool | None:
    try:
        with open(f"/proc/{pid}/task/{thread}/syscall", "rb") as file:
            words = file.read().split()
    except OSError:
        return _by_wait_channel(pid, thread)
    if not words or not words[0].isdigit():
        # "running", or "-1": blocked, but not in a system call.
        return False
    call = _CALLS.get(int(words[0]), _OTHER) if _CALLS else "loop"
    return _call_reads(pid, call, [int(word, 16) for word in words[1:7]], terminal)


def _call_reads(pid: int, call: str, values: list[int], terminal: str) -> bool | None:
    """Whether this system call with these arguments waits for the terminal."""
    match call:
        case "read":
            return _is_terminal(pid, values[0], terminal)
        case "select":
            return _selects(pid, values, terminal)
        case "poll" | "ppoll":
            return _polls(pid, call, values, terminal)
        case "loop":
            return None
    return False


def _polls(pid: int, call: str, values: list[int], terminal: str) -> bool | None:
    """poll(2) on the terminal and nothing else, without an end: waits for keys. Other polls may."""
    address, count, limit = values[:3]
    endless = limit == 0 if call == "ppoll" else limit & 0x80000000 != 0
    if not 1 <= count <= _MOST_POLLED:
        return None
    memory = _memory(pid, address, 8 * count)
    if memory is None:
        return None
    asked = [fd for fd, events, _ in struct.iter_unpack("=ihh", memory) if fd >= 0 and events & _POLLIN]
    return _of_watched(pid, asked, terminal, endless)


def _selects(pid: int, values: list[int], terminal: str) -> bool | None:
    count, address, limit = values[0], values[1], values[4]
    if not 1 <= count <= 1024:
        return None
    if not address:
        return False
    memory = _memory(pid, address, (count + 7) // 8)
    if memory is None:
        return None
    asked = [fd for fd in range(count) if memory[fd // 8] >> (fd % 8) & 1]
    return _of_watched(pid, asked, terminal, limit == 0)


def _of_watched(pid: int, asked: list[int], terminal: str, endless: bool) -> bool | None:
    answers = [_is_terminal(pid, fd, terminal) for fd in asked]
    if not any(answers):
        return False if None not in answers else None
    return True if endless and all(answers) else None


def _is_terminal(pid: int, descriptor: int, terminal: str) -> bool | None:
    try:
        return os.readlink(f"/proc/{pid}/fd/{descriptor}") in (terminal, "/dev/tty")  # noqa: PTH115
    except FileNotFoundError:
        return False
    except OSError:
        return None


def _memory(pid: int, address: int, size: int) -> bytes | None:
    try:
        with open(f"/proc/{pid}/mem", "rb", buffering=0) as file:
            file.seek(address)
            data = file.read(size)
    except (OSError, ValueError, OverflowError):
        return None
    return data if len(data) == size else None


def _by_wait_channel(pid: int, thread: str) -> bool | None:
    """Without the right to see system calls: only what the wait channel says for certain."""
    try:
        with open(f"/proc/{pid}/task/{thread}/wchan", "rb") as file:
            channel = file.read()
        one = process_tree.process(pid)
    except OSError:
        return None
    if channel in (b"n_tty_read", b"tty_read"):
        return True
    return False if one is not None and one.state == "R" else None
