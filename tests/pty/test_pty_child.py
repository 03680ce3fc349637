"""`PtyChild` against real children that behave badly."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from pathlib import Path

import pytest

from copilot.core.snapshot import UNKNOWN_FACTS
from copilot.errors import InputError
from copilot.pty import pty_child
from copilot.pty.programs import child_environment
from copilot.pty.pty_child import PtyChild
from copilot.pty.pty_writer import WriteFailed
from copilot.supervision.supervised import Supervised
from tests.pty.terminal_drive import PATIENCE_SECONDS, alive, pids_in, python, running, until

SH = "/bin/sh"
_OF_THE_C_LIBRARY = 1 << 31 | 1 << 32
"""Signals 32 and 33: glibc keeps them for itself, and a parent such as make may have ignored them."""


def open_files() -> set[str]:
    return {path.name for path in Path("/proc/self/fd").iterdir()}


@pytest.mark.row("CP-2", "CP-12")
async def test_the_child_sees_a_terminal_its_size_and_its_folder(tmp_path: Path) -> None:
    async with running(SH, "-c", "tty; stty size; pwd; echo $TERM:$COLORTERM", cwd=tmp_path) as watched:
        assert await watched.child.wait() == 0
    lines = watched.text.split()
    assert lines[0].startswith("/dev/") and lines[1:] == [
        "24",
        "80",
        str(tmp_path),
        "xterm-256color:truecolor",
    ]


@pytest.mark.row("CP-3")
async def test_a_resize_reaches_the_child() -> None:
    code = """if True:
        import os, signal
        signal.signal(signal.SIGWINCH, lambda *_: print("size", *os.get_terminal_size(0)))
        print("ready")
        while True: signal.pause()
    """
    async with running(*python(code)) as watched:
        await watched.until_text("ready")
        watched.child.resize(100, 30)
        await watched.until_text("size 100 30")
        with pytest.raises(InputError, match="out of range"):
            watched.child.resize(0, 30)


async def test_the_child_leads_its_session_and_has_job_control() -> None:
    code = "import os; print(os.getpid() == os.getsid(0) == os.getpgrp() == os.tcgetpgrp(0), open('/dev/tty').name)"
    async with running(*python(code)) as watched:
        await watched.child.wait()
    assert watched.text.split() == ["True", "/dev/tty"]
    async with running("bash", "--norc", "-i") as watched:
        watched.child.write(b"sleep 1000 & jobs -l; fg\n")
        await until(lambda: watched.child.facts().foreground == "sleep")
        watched.child.write(b"\x1a")
        await watched.until_text("Stopped")
        watched.child.write(b"echo back-$((40+2))\n")
        await watched.until_text("back-42")


@pytest.mark.parametrize(
    ("code", "status"),
    [("exit 0", 0), ("exit 7", 7), ("kill -TERM $$", -signal.SIGTERM), ("kill -SEGV $$", -signal.SIGSEGV)],
)
async def test_the_exit_status_passes_through(code: str, status: int) -> None:
    async with running(SH, "-c", code) as watched:
        assert await watched.child.wait() == status
        assert not watched.child.alive and watched.child.facts() == UNKNOWN_FACTS
    assert watched.statuses == [status]


async def test_all_output_of_a_child_that_exits_at_once_comes_before_its_exit() -> None:
    seen: list[bytes | int] = []
    for _ in range(20):
        seen.clear()
        child = await PtyChild.start(
            [SH, "-c", "seq 1 2000; exit 3"],
            cwd="/",
            environment=child_environment(os.environ),
            columns=80,
            lines=24,
            on_output=seen.append,
            on_exit=seen.append,
        )
        assert not seen, "nothing is called before start returns"
        await child.wait()
        await child.end(0)
        output = b"".join(piece for piece in seen[:-1] if isinstance(piece, bytes))
        assert seen[-1] == 3 and output.split() == [b"%d" % n for n in range(1, 2001)]


async def test_a_child_whose_end_is_told_with_its_start_calls_back_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hear = Supervised._hear

    def hear_all_at_once(supervised: Supervised) -> None:
        if supervised.pid or b"exited" in supervised._control.recv(4096, socket.MSG_PEEK):
            hear(supervised)

    monkeypatch.setattr(Supervised, "_hear", hear_all_at_once)
    seen: list[bytes | int] = []
    child = await PtyChild.start(
        [SH, "-c", "echo hello; exit 3"],
        cwd="/",
        environment=child_environment(os.environ),
        columns=80,
        lines=24,
        on_output=seen.append,
        on_exit=seen.append,
    )
    assert not seen
    await child.end(0)
    assert seen == [b"hello\r\n", 3]


async def test_a_batch_is_bounded_however_much_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running("sleep", "1000") as watched:
        with monkeypatch.context() as patch:
            patch.setattr(os, "read", lambda descriptor, size: b"x" * 4096)
            watched.child._read_batch()
        assert 4096 <= len(watched.output) <= pty_child.BATCH_BYTES


async def test_signals_that_copilot_ignores_are_not_ignored_by_the_child() -> None:
    previous = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        async with running("grep", "SigIgn", "/proc/self/status") as watched:
            await watched.child.wait()
    finally:
        signal.signal(signal.SIGHUP, previous)
    assert int(watched.text.split()[1], 16) & ~_OF_THE_C_LIBRARY == 0


async def test_bytes_that_are_no_text_arrive_as_they_are() -> None:
    async with running(*python("import os; os.write(1, b'\\xff\\xfe\\x00\\xc3')")) as watched:
        await watched.child.wait()
    assert bytes(watched.output) == b"\xff\xfe\x00\xc3"


async def test_a_flood_leaves_the_loop_free_and_pausing_stops_the_child() -> None:
    async with running("yes", "flood") as watched:
        turns = 0
        while len(watched.output) < 3_000_000:
            await asyncio.sleep(0)
            turns += 1
        assert turns > 20, "reading must give the loop back between batches"
        watched.child.pause()
        before = len(watched.output)
        for _ in range(50):
            await asyncio.sleep(0)
        assert len(watched.output) == before
        watched.child.resume()
        await until(lambda: len(watched.output) > before)
    assert watched.statuses == [-signal.SIGHUP]


async def test_a_paused_child_still_ends_and_its_last_output_comes() -> None:
    async with running(SH, "-c", "echo first; read x; echo last; exit 4") as watched:
        await watched.until_text("first")
        watched.child.pause()
        watched.child.write(b"\n")
        assert await watched.child.wait() == 4
        assert "last" in watched.text


async def test_a_silent_child_is_just_silent() -> None:
    async with running("sleep", "1000") as watched:
        await until(lambda: watched.child.facts().foreground == "sleep")
        assert watched.child.alive and not watched.output
    assert watched.statuses == [-signal.SIGHUP]


@pytest.mark.row("CP-63")
async def test_interrupt_reaches_the_foreground_group_only() -> None:
    async with running("bash", "--norc", "-i") as watched:
        watched.child.write(b"sleep 1000; echo status-$?\n")
        await until(lambda: watched.child.facts().foreground == "sleep")
        assert watched.child.interrupt()
        await until(lambda: watched.child.facts().foreground == "bash")
        assert watched.child.alive


STUBBORN = """if True:
    import os, signal, sys
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    print("pid=%d" % os.getpid(), "ready")
    while True: signal.pause()
"""


@pytest.mark.row("CP-63", "CP-16")
async def test_a_child_that_ignores_every_polite_signal_is_killed() -> None:
    async with running(*python(STUBBORN)) as watched:
        await watched.until_text("ready")
        assert watched.child.interrupt()
        assert watched.child.alive
        await watched.child.end(0.1)
        assert watched.statuses == [-signal.SIGKILL]
        assert not alive(watched.child.pid)


@pytest.mark.row("CP-63")
async def test_a_second_end_shortens_the_first() -> None:
    async with running(*python(STUBBORN)) as watched:
        await watched.until_text("ready")
        first = asyncio.create_task(watched.child.end(1000))
        await asyncio.sleep(0)
        await watched.child.end(0)
        await first
    assert watched.statuses == [-signal.SIGKILL]


@pytest.mark.row("TB-30")
async def test_an_orderly_child_may_clean_up_within_the_grace() -> None:
    code = """if True:
        import signal, sys
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, lambda *_: (print("cleaned"), sys.exit(5)))
        print("ready")
        while True: signal.pause()
    """
    async with running(*python(code), grace=10) as watched:
        await watched.until_text("ready")
    assert watched.statuses == [5] and "cleaned" in watched.text


@pytest.mark.row("TB-31")
async def test_what_holds_the_terminal_open_does_not_delay_the_exit() -> None:
    async with running(SH, "-c", "setsid sleep 1000 & echo pid=$!; exit 6") as watched:
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert await watched.child.wait() == 6
        (grandchild,) = pids_in(watched.text)
        await watched.child.end(0.1)
        assert not alive(grandchild)


async def test_a_child_that_closes_its_terminal_still_runs_and_may_open_it_again() -> None:
    code = """if True:
        import os, time
        print("closing")
        terminal = os.ttyname(0)
        for fd in (0, 1, 2): os.close(fd)
        time.sleep(0.2)
        fd = os.open("/dev/tty", os.O_RDWR)
        os.write(fd, b"opened again")
        os._exit(9)
    """
    async with running(*python(code)) as watched:
        assert await watched.child.wait() == 9
    assert watched.text.split("\r\n") == ["closing", "opened again"]


async def test_writes_to_a_child_that_does_not_read_are_given_up_and_told() -> None:
    code = "import tty, time; tty.setraw(0); print('raw'); time.sleep(1000)"
    async with running(*python(code), deadline=0.2) as watched:
        await watched.until_text("raw")
        watched.child.write(b"x" * 300_000)
        with pytest.raises(WriteFailed, match="has not read for"):
            await watched.child.drain()
        assert len(watched.failures) == 1 and "bytes were not typed" in watched.failures[0]


async def test_long_writes_arrive_whole_and_in_order_at_a_slow_reader() -> None:
    code = """if True:
        import hashlib, os, sys, tty, time
        tty.setraw(0); print("raw")
        digest, left = hashlib.sha256(), 300000
        while left:
            data = os.read(0, 700); digest.update(data); left -= len(data); time.sleep(0.0005)
        print("digest", digest.hexdigest())
    """
    import hashlib

    data = b"".join(b"%07d " % n for n in range(37_500))
    async with running(sys.executable, "-I", "-u", "-c", code) as watched:
        await watched.until_text("raw")
        watched.child.write(data[:100])
        watched.child.write(data[100:])
        await watched.child.drain()
        await watched.until_text(f"digest {hashlib.sha256(data).hexdigest()}")


async def test_typing_to_a_child_that_has_exited_is_told() -> None:
    async with running(SH, "-c", "exit 0") as watched:
        await watched.child.wait()
        watched.child.write(b"y")
        assert watched.failures == ["1 bytes were not typed: the child has exited"]
        assert not watched.child.interrupt()
        watched.child.resize(90, 20)


@pytest.mark.parametrize(
    ("argv", "cwd", "words"),
    [
        ([], "/", "no program to run was given"),
        ([""], "/", "no program to run was given"),
        (["no-such-program-at-all"], "/", "no such program on PATH; install it"),
        (["/nowhere/at-all"], "/", "no such file"),
        (["/etc/passwd"], "/", "chmod \\+x"),
        (["/etc"], "/", "is not an executable file"),
        (["sh"], "/nowhere", "/nowhere: cannot be entered: No such file or directory; give another .* --cwd"),
        (["sh"], "/etc/passwd", "cannot be entered: Not a directory"),
        (["sh", "a\0b"], "/", "sh: cannot be started"),
        (["sh", "-c", ":" * 3_000_000], "/", "too long"),
    ],
)
async def test_what_cannot_be_started_is_one_line_with_a_fix(argv: list[str], cwd: str, words: str) -> None:
    descriptors = open_files()
    with pytest.raises(InputError, match=words) as caught:
        await PtyChild.start(
            argv,
            cwd=cwd,
            environment=child_environment(os.environ),
            columns=80,
            lines=24,
            on_output=print,
            on_exit=print,
        )
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 400
    assert open_files() == descriptors, "nothing stays open"


async def test_a_script_without_a_first_line_is_explained(tmp_path: Path) -> None:
    script = tmp_path / "cli"
    script.write_text("echo hello\n")
    script.chmod(0o755)
    with pytest.raises(InputError, match="a script needs a first line"):
        async with running(str(script)):
            pass


async def test_nothing_stays_open_after_the_end() -> None:
    async with running(SH, "-c", "exit 0"):
        pass
    descriptors = open_files()
    for _ in range(5):
        async with running(SH, "-c", "exit 0"):
            pass
    assert open_files() == descriptors


async def test_the_child_inherits_nothing_but_its_terminal_and_the_given_environment() -> None:
    code = """if True:
        import os
        print(sorted(os.listdir("/proc/self/fd"), key=int)[:-1])
        print(*[line.split()[1] for line in open("/proc/self/status") if line.startswith(("SigIgn", "SigBlk"))])
        print(*os.environ, sep="\\n")
    """
    async with running(*python(code)) as watched:
        await watched.child.wait()
    lines = watched.text.splitlines()
    assert lines[0] == "['0', '1', '2']"
    blocked, ignored = (int(mask, 16) for mask in lines[1].split())
    # The interpreter that tells us ignores SIGPIPE (13) and SIGXFSZ (25) itself.
    assert blocked == 0 and ignored & ~(1 << 12 | 1 << 24 | _OF_THE_C_LIBRARY) == 0
    interpreter_adds = {"LC_CTYPE"} - set(os.environ)
    assert set(lines[2:]) - interpreter_adds == set(child_environment(os.environ)) | {"PWD"}
