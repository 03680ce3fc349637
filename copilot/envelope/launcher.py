"""What the supervisor starts in place of the CLI: it makes ready, and becomes bubblewrap.

A program of its own, in a bare interpreter (`python -I -S`), standard library only. It hears over a socket
what to do, gives up its terminal (so that the CLI can lead a session of its own in it, inside), ignores the
polite signals (they are the CLI's; its end is ours), and turns into bubblewrap, whose words go to the socket
until the CLI runs. bubblewrap becomes `inside.py`, and that the CLI.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import sys
import termios

_MOST_BYTES = 4 * 1024 * 1024


def main(path: str) -> None:
    """Become what the socket at `path` says. Returns never. `sys.argv` holds program and argv of the CLI."""
    control = socket.socket(socket.AF_UNIX)
    control.connect(path)
    with control.makefile("rb") as reader:
        plan = json.loads(reader.readline(_MOST_BYTES))
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    if os.isatty(0):
        fcntl.ioctl(0, termios.TIOCNOTTY)
    screen = os.dup(2)
    line = os.dup(control.fileno())
    os.dup2(line, 2)
    inside = _file("inside", plan["inside"].encode())
    command = [
        plan["bubblewrap"],
        "--args",
        str(_file("arguments", "\0".join(plan["arguments"]).encode() + b"\0")),
        *(("--seccomp", str(_file("seccomp", bytes.fromhex(plan["seccomp"])))) if plan["seccomp"] else ()),
        "--",
        *(os.path.realpath(sys.executable), "-I", "-S", f"/proc/self/fd/{inside}"),
        *(str(line), str(screen), str(inside), plan["options"], *sys.argv[1:]),
    ]
    for descriptor in (screen, line):
        os.set_inheritable(descriptor, True)
    os.execv(command[0], command)


def _file(name: str, content: bytes) -> int:
    """A file in memory that is passed on, at its beginning."""
    descriptor = os.memfd_create(name, 0)
    with open(descriptor, "wb", closefd=False) as file:
        file.write(content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.set_inheritable(descriptor, True)
    return descriptor
