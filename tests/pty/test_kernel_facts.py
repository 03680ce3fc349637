"""What the kernel tells of real programs: who reads, who does not, and who cannot be told."""

from __future__ import annotations

import sys

import pytest

from copilot.pty import kernel_facts
from tests.pty.terminal_drive import python, running, until

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="facts from /proc")

POLL = "import select; p = select.poll(); p.register(0, 1); print('up'); p.poll({}); input()"
LOOP = "import os, select, socket, subprocess, threading, time; e = select.epoll(); e.register(0, 1); print('up'); {}"
READS: dict[str, tuple[bool | None, tuple[str, ...]]] = {
    "a shell's read": (True, ("/bin/sh", "-c", "echo up; read x")),
    "input()": (True, python("print('up'); input()")),
    "readline": (True, (sys.executable, "-I", "-u", "-c", "import readline; print('up'); input()")),
    "cat of /dev/tty": (True, ("/bin/sh", "-c", "echo up; exec cat /dev/tty")),
    "an endless poll": (True, python(POLL.format(""))),
    "an endless select": (True, python("import select; print('up'); select.select([0], [], [])")),
    "a second thread": (
        True,
        python(
            "import threading, time; print('up'); threading.Thread(target=input).start(); time.sleep(1000)"
        ),
    ),
    "a poll with an end": (None, python("while True:\n " + POLL.format("50").replace("; input()", ""))),
    "an event loop": (True, python(LOOP.format("e.poll()"))),
    "an event loop with a timer": (None, python(LOOP.format("\nwhile True: e.poll(0.5)"))),
    "an event loop with a connection": (
        None,
        python(LOOP.format("a, b = socket.socketpair(); e.register(a); e.poll()")),
    ),
    "an event loop with a child's pipe": (
        None,
        python(
            LOOP.format("c = subprocess.Popen(['sleep', '1000'], stdout=-1); e.register(c.stdout); e.poll()")
        ),
    ),
    "an event loop beside a child": (
        None,
        python(LOOP.format("c = subprocess.Popen(['sleep', '1000']); e.poll()")),
    ),
    "an event loop with a thread at work": (
        None,
        python(LOOP.format("threading.Thread(target=time.sleep, args=(1000,)).start(); e.poll()")),
    ),
    "an event loop with a pipe of its own": (
        True,
        python(LOOP.format("r, w = os.pipe(); e.register(r); e.poll()")),
    ),
    "select of terminal and pipe": (
        None,
        python("import os, select; r, w = os.pipe(); print('up'); select.select([0, r], [], [])"),
    ),
    "sleep": (False, python("import time; print('up'); time.sleep(1000)")),
    "a busy loop": (False, python("print('up')\nwhile True: pass")),
    "reading a pipe": (False, python("import os; r, w = os.pipe(); print('up'); os.read(r, 1)")),
    "select of a pipe": (
        False,
        python("import os, select; r, w = os.pipe(); print('up'); select.select([r], [], [])"),
    ),
    "waiting for a child": (False, ("/bin/sh", "-c", "echo up; sleep 1000; true")),
}


@pytest.mark.parametrize("name", READS)
async def test_who_reads_the_terminal(name: str) -> None:
    expected, argv = READS[name]
    async with running(*argv) as watched:
        await watched.until_text("up")
        await until(lambda: watched.child.facts().reading is expected, lambda: str(watched.child.facts()))
        if expected is not None:
            assert (not expected) not in [watched.child.facts().reading for _ in range(20)]


async def test_who_is_in_front_and_how_the_line_is_set() -> None:
    async with running("bash", "--norc", "-i") as watched:
        await until(lambda: watched.child.facts().reading is True)
        facts = watched.child.facts()
        assert (facts.foreground, facts.echo, facts.canonical) == ("bash", False, False)
        assert not watched.child.hides_typing(), "readline echoes by itself"
        watched.child.write(b"stty -echo; cat\n")
        await until(lambda: watched.child.facts().foreground == "cat")
        facts = watched.child.facts()
        assert facts.canonical is True and facts.echo is False
        assert watched.child.hides_typing()


IDLE: dict[str, tuple[str, ...]] = {
    "a shell's read": ("/bin/sh", "-c", "echo up; read x"),
    "input()": READS["input()"][1],
}
AT_WORK: dict[str, tuple[str, ...]] = {
    "beside the reader in its group": ("/bin/sh", "-c", "sleep 1000 & echo up; read x"),
    "in another thread": READS["a second thread"][1],
    "in the child": READS["sleep"][1],
    "in front of the child": ("bash", "--norc", "-ic", "set -m; echo up; sh -c 'read x'; true"),
}


@pytest.mark.parametrize("name", [*IDLE, *AT_WORK])
async def test_who_waits_idle(name: str) -> None:
    argv = IDLE.get(name) or AT_WORK[name]
    async with running(*argv) as watched:
        await watched.until_text("up")
        wanted = READS["sleep"][0] if name == "in the child" else True
        await until(lambda: watched.child.facts().reading is wanted, lambda: str(watched.child.facts()))
        assert [watched.child.waits_idle() for _ in range(20)] == [name in IDLE] * 20


async def test_a_background_reader_is_not_in_front() -> None:
    async with running("bash", "--norc", "-i") as watched:
        watched.child.write(b"sleep 1000 | cat - & sleep 999\n")
        await until(lambda: watched.child.facts().foreground == "sleep")
        await until(lambda: watched.child.facts().reading is False)


@pytest.mark.parametrize("rights", ["syscall", "mem", "none"])
async def test_without_the_right_to_look_nothing_is_claimed(
    rights: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = open

    def refuse(path: str, *arguments: object, **options: object) -> object:
        refused = {"syscall": ("/syscall",), "mem": ("/mem",), "none": ("/syscall", "/mem", "/wchan")}[rights]
        if str(path).endswith(refused):
            raise PermissionError(path)
        return real(path, *arguments, **options)  # type: ignore[call-overload]

    async with running(*READS["an endless poll"][1]) as watched:
        await watched.until_text("up")
        await until(lambda: watched.child.facts().reading is True)
        monkeypatch.setattr(kernel_facts, "open", refuse, raising=False)
        facts = watched.child.facts()
        assert facts.reading is None and facts.foreground is not None and facts.echo is True


async def test_names_are_made_harmless() -> None:
    code = "import ctypes; print('up'); input()"
    async with running(
        "bash", "-c", 'exec -a "$0" "$@"', "/x/\x1b]0;evil\x07y and more", *python(code)
    ) as watched:
        await watched.until_text("up")
        assert watched.child.facts().foreground == "]0;evily"
