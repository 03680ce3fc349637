"""One argv under limits: what it did, who is left, and that a limit always ends it."""

from __future__ import annotations

import asyncio
import fcntl
import os
import time
from pathlib import Path

import pytest

from copilot.errors import InputError
from copilot.timebox import pipes
from copilot.timebox.box import Boxed, run
from copilot.timebox.limits import Limits, Outcome
from copilot.timebox.pipes import Stream
from tests.pty.faults import marked
from tests.pty.terminal_drive import python

LONG = 60.0


class Heard:
    """What a command wrote, by stream."""

    def __init__(self) -> None:
        self.pieces: list[tuple[Stream, bytes]] = []
        self.came = asyncio.Event()

    def take(self, stream: Stream, data: bytes) -> None:
        self.pieces.append((stream, data))
        self.came.set()

    def of(self, stream: Stream) -> bytes:
        return b"".join(data for one, data in self.pieces if one is stream)


async def boxed(code: str, limits: Limits, heard: Heard | None = None, mark: str = "none") -> Boxed:
    environment = {**os.environ, "FAULT_MARK": mark}
    take = heard.take if heard else None
    return await run(python(code), limits, folder="/", environment=environment, on_output=take)


async def test_streams_are_told_apart_and_the_exit_code_is_the_commands() -> None:
    heard = Heard()
    result = await boxed(
        "import os, sys; os.write(1, b'out'); os.write(2, b'err'); sys.exit(3)", Limits(LONG), heard
    )
    assert result.outcome is Outcome.EXITED and result.exit_code == 3 and not result.passed
    assert heard.of(Stream.STDOUT) == b"out" and heard.of(Stream.STDERR) == b"err"


async def test_death_by_a_signal_is_told_as_one() -> None:
    result = await boxed("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", Limits(LONG))
    assert result.outcome is Outcome.EXITED and result.exit_code == -11


@pytest.mark.row("TB-22")
async def test_the_hard_limit_ends_a_command_that_goes_on_talking() -> None:
    result = await boxed(
        "import os, time\nwhile True: os.write(1, b'x'); time.sleep(0.01)", Limits(0.4, 30, 0.1)
    )
    assert result.outcome is Outcome.TIMEOUT and result.exit_code is None


@pytest.mark.row("TB-23", "TB-25")
async def test_the_silence_limit_spares_a_command_that_writes_bytes_without_lines() -> None:
    code = "import os, time\nfor _ in range(20): os.write(2, b'.'); time.sleep(0.05)"
    assert (await boxed(code, Limits(LONG, 0.7))).passed
    silent = await boxed("import os, time; os.write(1, b'x'); time.sleep(60)", Limits(LONG, 0.3, 0.1))
    assert silent.outcome is Outcome.NO_OUTPUT and silent.exit_code is None


@pytest.mark.row("TB-29")
async def test_a_command_that_reads_its_input_finds_the_end_of_it() -> None:
    heard = Heard()
    result = await boxed("import sys; print(repr(sys.stdin.read()))", Limits(LONG), heard)
    assert result.passed and heard.of(Stream.STDOUT) == b"''\n"


@pytest.mark.row("TB-30")
async def test_a_command_is_asked_to_end_before_it_is_killed() -> None:
    heard = Heard()
    code = (
        "import os, signal\n"
        "signal.signal(signal.SIGTERM, lambda *_: os.write(1, b'asked'))\n"
        "os.write(1, b'ready ')\n"
        "while True: signal.pause()"
    )
    result = await boxed(code, Limits(LONG, 0.3, 0.4), heard)
    assert result.outcome is Outcome.NO_OUTPUT
    assert heard.of(Stream.STDOUT) == b"ready asked"


@pytest.mark.row("TB-31")
async def test_a_grandchild_that_holds_the_output_delays_nothing_and_is_told(tmp_path: Path) -> None:
    mark = tmp_path.name
    code = "import os, time\nif os.fork() == 0: time.sleep(60)"
    result = await boxed(code, Limits(30.0, 20.0), mark=mark)
    assert result.passed and result.leaked
    assert result.seconds < 20 and not marked(mark)


async def test_what_a_grandchild_still_says_at_the_end_is_heard() -> None:
    heard = Heard()
    code = "import os, time\nif os.fork() == 0: time.sleep(0.05); os.write(1, b'late')"
    result = await boxed(code, Limits(LONG), heard)
    assert result.passed and not result.leaked and heard.of(Stream.STDOUT) == b"late"


async def test_a_cancelled_box_is_empty_before_the_cancel_goes_on(tmp_path: Path) -> None:
    mark = tmp_path.name
    heard = Heard()
    code = "import os, signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN); os.fork(); os.write(1, b'x'); time.sleep(60)"
    task = asyncio.create_task(boxed(code, Limits(LONG, None, 0.2), heard, mark))
    await heard.came.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not marked(mark)


async def test_a_listener_that_fails_ends_the_command_and_is_heard_of(tmp_path: Path) -> None:
    def take(stream: Stream, data: bytes) -> None:
        raise RuntimeError("no room")

    code = "import os, time; os.write(1, b'x'); time.sleep(60)"
    environment = {**os.environ, "FAULT_MARK": tmp_path.name}
    with pytest.raises(RuntimeError, match="no room"):
        await run(python(code), Limits(LONG, None, 0.1), folder="/", environment=environment, on_output=take)
    assert not marked(tmp_path.name)


@pytest.mark.row("TB-24")
async def test_a_late_look_names_the_limit_that_came_first() -> None:
    now = [0.0]

    async def outcome(hard: float, silence: float) -> Outcome:
        now[0] = 0.0
        ready = asyncio.Event()

        def take(stream: Stream, data: bytes) -> None:
            # The clock jumps far over both limits, as when the machine was held.
            asyncio.get_running_loop().call_later(0.05, now.__setitem__, 0, 1000.0)
            ready.set()

        code = "import os, time; os.write(1, b'x'); time.sleep(60)"
        task = asyncio.create_task(
            run(python(code), Limits(hard, silence, 0.1), folder="/", on_output=take, clock=lambda: now[0])
        )
        return (await task).outcome

    assert await outcome(0.5, 0.3) is Outcome.NO_OUTPUT
    assert await outcome(0.3, 0.5) is Outcome.TIMEOUT
    assert await outcome(0.3, 0.3) is Outcome.TIMEOUT


@pytest.mark.row("TB-49")
@pytest.mark.parametrize(
    ("argv", "folder", "reason"),
    [
        (("no-such-program-here",), "/", "no such program on PATH"),
        (("/no/such/file",), "/", "no such file"),
        (("/etc/passwd",), "/", "not an executable file"),
        (("true",), "/no/such/folder", "no such folder"),
        ((), "/", "no command"),
        (("true", "a\0b"), "/", "NUL"),
        (("true", "x" * 3_000_000), "/", "too long"),
    ],
)
async def test_a_command_that_cannot_start_says_why(argv: tuple[str, ...], folder: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        await run(argv, Limits(LONG), folder=folder)


@pytest.mark.parametrize("limits", [(0.0, 1.0), (float("nan"), 1.0), (1.0, 0.0), (float("inf"), 1.0)])
def test_limits_that_are_no_times_are_refused(limits: tuple[float, float]) -> None:
    with pytest.raises(InputError, match="limit"):
        Limits(*limits)


_STEADY = """
import os, time
piece = b"".join(b"%07d\\n" % number for number in range(512))
start = time.monotonic()
for number in range(400):
    os.write(1, piece)
    time.sleep(max(0.0, start + (number + 1) / 400 - time.monotonic()))
os.write(2, b"last")
"""


@pytest.mark.parametrize("roomy", [True, False])
async def test_what_comes_without_end_is_read_in_fewer_pieces_and_whole(
    roomy: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not roomy:
        monkeypatch.setattr(pipes, "_make_room", lambda pipe: pipes._LEAST_ROOM_BYTES)
    heard = Heard()
    result = await boxed(_STEADY, Limits(LONG, 5.0), heard)
    assert result.passed and not result.leaked
    out = heard.of(Stream.STDOUT)
    assert out == b"".join(b"%07d\n" % number for number in range(512)) * 400
    assert heard.of(Stream.STDERR) == b"last"
    if roomy:
        assert len([None for stream, _ in heard.pieces if stream is Stream.STDOUT]) < 200


async def test_where_pipes_cannot_be_given_room_they_are_read_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = fcntl.fcntl

    def refused(pipe: int, wish: int, given: int = 0) -> int:
        if wish == getattr(fcntl, "F_SETPIPE_SZ", None):
            raise PermissionError("your share is used up")
        return real(pipe, wish, given)

    monkeypatch.setattr(fcntl, "fcntl", refused)
    heard = Heard()
    assert (await boxed("import os; os.write(1, b'x' * 3_000_000)", Limits(LONG), heard)).passed
    assert heard.of(Stream.STDOUT) == b"x" * 3_000_000


async def test_a_word_on_its_own_is_read_when_it_comes() -> None:
    times: list[float] = []
    code = "import os, time\nfor _ in range(5): os.write(1, b'%.6f ' % time.monotonic()); time.sleep(0.1)"
    heard = Heard()

    def take(stream: Stream, data: bytes) -> None:
        times.append(time.monotonic())
        heard.take(stream, data)

    await run(python(code), Limits(LONG), folder="/", environment=dict(os.environ), on_output=take)
    late = [at - float(said) for at, said in zip(times, heard.of(Stream.STDOUT).split(), strict=True)]
    assert min(late) < 0.02, late
