"""A cockpit whose terminal is closed, or that is told to end, ends its run in order and is gone."""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from ptyprocess import PtyProcess

from tests.session.limited_runs import CHILD as COSTLY_CHILD
from tests.session.limited_runs import SHOWN

ROOT = Path(__file__).resolve().parents[2]
GONE_SECONDS = 20.0
_STARTED: list[int] = []
CHILD = "import os, time; print('child', os.getpid(), 'runs', flush=True); time.sleep(300)"
FLOOD = "import os\nprint('child', os.getpid(), 'runs', flush=True)\nwhile True: print('a line of a flood')"


def _ignore_hang_ups() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


def _cockpit(home: Path, child: str, preexec: Callable[[], None] | None = None) -> PtyProcess:
    options = ["--provider", "rules", "--autonomy", "watch", "--log", str(home / "run")]
    return _copilot(home, [*options, "--", sys.executable, "-c", child], preexec)


def _copilot(home: Path, arguments: list[str], preexec: Callable[[], None] | None) -> PtyProcess:
    environment = {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, "-m", "copilot", *arguments]
    process = PtyProcess.spawn(
        command, cwd=str(home), env=environment, dimensions=(30, 100), preexec_fn=preexec
    )
    _STARTED.append(process.pid)
    return process


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    """A cockpit that did not end is ended, whatever failed."""
    _STARTED.clear()
    yield
    for pid in _STARTED:
        with suppress(ChildProcessError):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _shown(process: PtyProcess, needle: bytes, seconds: float = 60.0) -> bytes:
    data, until = b"", time.monotonic() + seconds
    while needle not in data and time.monotonic() < until:
        if select.select([process.fd], [], [], 0.1)[0]:
            data += os.read(process.fd, 65536)
    assert needle in data, data[-500:]
    return data


def _gone(pid: int) -> int:
    """The exit status of our child, waited for."""
    until = time.monotonic() + GONE_SECONDS
    while time.monotonic() < until:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            _STARTED.remove(pid)
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    raise AssertionError(f"not gone after {GONE_SECONDS} s")


def _outcome(home: Path) -> str:
    return str(json.loads((home / "run" / "manifest.json").read_text())["outcome"]["word"])


def _processes_with(word: str) -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += [path.parent.name] if word in path.read_bytes().decode("utf-8", "replace") else []
        except OSError:
            continue
    return found


@pytest.mark.row("CP-63")
@pytest.mark.parametrize(
    ("child", "preexec"),
    [
        pytest.param(CHILD, None, id="quiet", marks=pytest.mark.slow),
        pytest.param(FLOOD, None, id="flood"),
        pytest.param(CHILD, _ignore_hang_ups, id="quiet, hang-ups ignored"),
        pytest.param(FLOOD, _ignore_hang_ups, id="flood, hang-ups ignored", marks=pytest.mark.slow),
    ],
)
def test_the_terminal_is_closed(tmp_path: Path, child: str, preexec: Callable[[], None] | None) -> None:
    mark = f"{child}\n# {tmp_path}"
    process = _cockpit(tmp_path, mark, preexec)
    _shown(process, b"of a flood" if child is FLOOD else b"runs")
    os.close(process.fd)
    process.closed = True
    assert _gone(process.pid) == 128 + signal.SIGHUP
    assert _outcome(tmp_path) == "aborted"
    assert not _processes_with(str(tmp_path))


@pytest.mark.row("CP-63")
def test_a_polite_request_to_end(tmp_path: Path) -> None:
    process = _cockpit(tmp_path, f"{CHILD}\n# {tmp_path}")
    _shown(process, b"runs")
    os.kill(process.pid, signal.SIGTERM)
    said = _shown(process, b"record:", GONE_SECONDS)
    assert b"\x1b[?1049l" in said, "the terminal is given back"
    assert _gone(process.pid) == 128 + signal.SIGTERM
    assert _outcome(tmp_path) == "aborted"
    assert not _processes_with(str(tmp_path))


def test_the_terminal_of_a_replay_is_closed(tmp_path: Path) -> None:
    cast = tmp_path / "short.cast"
    cast.write_text('{"version": 2, "width": 80, "height": 24}\n[0.1, "o", "hello of the cast"]\n')
    process = _copilot(tmp_path, ["replay", str(cast)], _ignore_hang_ups)
    _shown(process, b"short.cast")
    os.close(process.fd)
    process.closed = True
    assert _gone(process.pid) == 128 + signal.SIGHUP


@pytest.mark.invariant(14)
@pytest.mark.parametrize("name", [pytest.param("dos_cd", marks=pytest.mark.slow), "folders redrawn"])
def test_the_stop_key_ends_it_while_screens_are_slow_to_judge(tmp_path: Path, name: str) -> None:
    (tmp_path / "screen").write_bytes(SHOWN[name].data)
    child = [sys.executable, str(COSTLY_CHILD), SHOWN[name].how, str(tmp_path / "screen")]
    words = [
        "--provider",
        "rules",
        "--profile",
        "claude",
        "--autonomy",
        "full",
        "--log",
        str(tmp_path / "run"),
    ]
    process = _copilot(tmp_path, [*words, "--", *child], None)
    _shown(process, b"HELD")
    os.write(process.fd, b"\x1dq")
    _shown(process, b"end the run?")
    os.write(process.fd, b"y")
    _shown(process, b"record:", GONE_SECONDS)
    assert _gone(process.pid) == 130
    assert _outcome(tmp_path) == "aborted"
