"""Children that behave badly: the fault scripts of the supervisor's tests, each a program of few words.

The first ten are those of the safety notes (d). Each tells `pid=N` for the processes that must not survive.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.pty.terminal_drive import python

_HELPERS = """
import errno, os, signal, sys, time
def say(): os.write(1, b"pid=%d \\n" % os.getpid())
signal.alarm(300)  # what a broken supervisor leaves does not stay for ever
def rest():
    signal.alarm(300)
    while True: signal.pause()
def ignore():
    for n in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM): signal.signal(n, signal.SIG_IGN)
def leave(*, twice=False, session=False):
    # The parents go only after the last process has told its number: then its terminal is hung up.
    reading, writing = os.pipe()
    for _ in range(1 + twice):
        if os.fork():
            os.read(reading, 1); os._exit(0)
    ignore()
    if session: os.setsid()
    say()
    os.write(writing, b"gg")
def silent():
    null = os.open("/dev/null", os.O_RDWR)
    for fd in (0, 1, 2): os.dup2(null, fd)
def background(count):
    return any(os.fork() == 0 for _ in range(count))
def storm(birth):
    ignore(); say()
    for _ in range(1000):
        if os.fork() == 0:
            birth()
        time.sleep(0.002)
    rest()
def born():
    say(); time.sleep(0.3); os._exit(0)
def born_leader():
    os.setsid(); say(); rest()
"""


class Fault(NamedTuple):
    """What the child does, and how many processes tell their number before it is in full swing.

    `fights` says that it attacks its supervisor: then nothing is promised if copilot dies at that moment.
    """

    code: str
    told: int = 1
    fights: bool = False

    @property
    def argv(self) -> tuple[str, ...]:
        return python(_HELPERS + self.code)


FAULTS = {
    "plain sleep": Fault("say(); time.sleep(1000)"),
    "child and grandchild": Fault("os.fork() or os.fork(); say(); rest()", told=3),
    "ignores TERM, INT and HUP": Fault("ignore(); say(); rest()"),
    "setsid escape": Fault("os.fork() or (os.setsid(), ignore()); say(); rest()", told=2),
    "double fork and setsid, parent exits": Fault("leave(twice=True, session=True); rest()"),
    "parent exits, child keeps the output": Fault("leave(); rest()"),
    "daemon without output": Fault("leave(session=True); silent(); rest()"),
    "floods the output": Fault("say()\nwhile True: os.write(1, b'x' * 9999)"),
    "stops itself": Fault("say(); os.kill(os.getpid(), signal.SIGSTOP); rest()"),
    "twenty in the background": Fault("background(20); say(); rest()", told=21),
    # beyond the ten
    "fork storm": Fault("storm(born)", told=20),
    "storm of new sessions": Fault("storm(born_leader)", told=20),
    "chain that forks away": Fault("ignore(); say()\nfor _ in range(50000): os.fork() and os._exit(0)"),
    "chain of new sessions": Fault(
        "ignore(); say(); silent()\nfor _ in range(50000):\n    os.fork() and os._exit(0)\n    os.setsid()"
    ),
    "own groups, all stopped": Fault(
        "background(3) and os.setpgid(0, 0); ignore(); say(); os.kill(os.getpid(), signal.SIGSTOP); rest()",
        told=4,
    ),
    "changes its group": Fault(
        "ignore()\nif os.fork(): say(); rest()\n"
        "os.setpgid(0, 0); say()\nwhile True:\n"
        "    if os.fork() == 0: os.setpgid(0, 0); time.sleep(0.01); os._exit(0)\n"
        "    os.waitpid(-1, 0)",
        told=2,
    ),
    "grandchild holds the output": Fault(
        "r, w = os.pipe()\n"
        "if os.fork(): os.read(r, 1); say(); os._exit(0)\n"
        "if os.fork(): rest()\n"
        "os.setsid(); ignore(); say(); os.write(w, b'g'); rest()",
        told=2,
    ),
    "closes its output": Fault("ignore(); say(); silent(); [os.close(fd) for fd in (0, 1, 2)]; rest()"),
    "a gigabyte of output": Fault(
        "say(); block = b'x' * 65535 + b'\\n'\n"
        "for _ in range(1 << 14):\n"
        "    left = memoryview(block)\n"
        "    while left: left = left[os.write(1, left):]"
    ),
    "stops its supervisor": Fault("ignore(); os.kill(os.getppid(), signal.SIGSTOP); say(); rest()"),
    "stops its supervisor again and again": Fault(
        "ignore(); above = os.getppid(); r, w = os.pipe()\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork(): os._exit(0)\n"
        "    say(); os.write(w, b'g'); rest()\n"
        "os.read(r, 1); os.wait(); say()\n"
        "while True: os.kill(above, signal.SIGSTOP); time.sleep(0.001)",
        told=2,
        fights=True,
    ),
    "kills its supervisor": Fault(
        "ignore(); above = os.getppid(); inside = background(3); say()\n"
        "if not inside: time.sleep(0.2); os.kill(above, signal.SIGKILL)\n"
        "rest()",
        told=4,
        fights=True,
    ),
}
CANNOT_START = {
    "missing program": (("/nowhere/at-all",), "/"),
    "folder that is none": (("/bin/sh", "-c", "exit"), "/etc/passwd"),
    "arguments too long": (("/bin/sh", "-c", ":" * 3_000_000), "/"),
}
