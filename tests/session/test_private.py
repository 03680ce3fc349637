"""A run keeps to itself: folders and files for the user only, no secret in an argv, no socket nobody asked for."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from copilot.core.reply import Autonomy
from copilot.core.screen_kinds import ScreenKind
from copilot.demo.project import DemoProject
from copilot.supervision import process_tree
from tests.front_door import copilot
from tests.pty.terminal_drive import until
from tests.session import local_model_run, odd_child
from tests.session.live import FakeProvider, Watched, demo_settings, run_settings, running, yes

DEMO = (sys.executable, "-m", "copilot", "demo", "--headless", "--speed", "30")
LOCAL = (sys.executable, local_model_run.__file__)
KEYS = {"ANTHROPIC_API_KEY": "not-a-key-but-secret-1", "OPENAI_API_KEY": "not-a-key-but-secret-2"}
_CONNECTS = re.compile(r"(?:connect|sendto|sendmsg|sendmmsg)\(.*(?:AF_INET6?|AF_UNIX|sin_port)")
_TO_LOOPBACK = r'connect\(.*AF_INET, sin_port=.*inet_addr\("127\.0\.0\.1"\)'
_OVER_TCP = r"socket\(AF_INET, SOCK_STREAM"
_SOCKETS = re.compile(r"socket\((AF_(?!UNIX)\w+)")


@pytest.fixture
def open_umask() -> Iterator[None]:
    """A user whose new files everybody may read and write, unless it is said otherwise."""
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    """The rights of the folder and of everything in it, by path."""
    return {
        str(path.relative_to(folder.parent)): stat.S_IMODE(path.lstat().st_mode)
        for path in (folder, *folder.rglob("*"))
    }


def assert_private(folder: Path, wanted: set[str]) -> None:
    """Folders 0700, files 0600; what is wanted is among them."""
    found = modes(folder)
    wrong = {
        name: oct(mode)
        for name, mode in found.items()
        if mode != (0o700 if (folder.parent / name).is_dir() else 0o600)
    }
    assert not wrong
    assert wanted <= {re.sub(r"\d+", "N", name.partition("/")[2]) for name in found}


@pytest.mark.usefixtures("open_umask")
def test_everything_that_a_run_leaves_is_the_users_own(tmp_path: Path) -> None:
    log = tmp_path / "runs" / "one"
    done = copilot(*DEMO[3:], "--log", log, cwd=tmp_path)
    assert done.code == 0, done.out + done.err
    files = {"manifest.json", "transcript.jsonl", "session.cast", "report.html"}
    assert_private(log, files | {"prompts/step-N/request.txt", "prompts/step-N/reply.json", "raw"})
    assert any(entry.is_file() for entry in (log / "raw").iterdir())
    assert stat.S_IMODE(log.parent.stat().st_mode) == 0o700


@pytest.mark.usefixtures("open_umask")
async def test_so_are_unknown_screens_and_labels_given_later(tmp_path: Path) -> None:
    settings = run_settings(tmp_path, sys.executable, odd_child.__file__, columns=100, lines=12)
    async with running(settings, FakeProvider([yes()])) as watched:
        await _kept(watched)
        seen = watched.live.examination()
        assert seen is not None
        watched.live.label_screen(ScreenKind.MENU, seen, watched.live.clock())
    assert_private(tmp_path / "run", {"unknown/N.cast", "unknown/N.json", "unknown/N.label.json"})


def command_of(pid: int) -> bytes:
    """What `ps` shows of a process."""
    return Path(f"/proc/{pid}/cmdline").read_bytes()


async def _kept(watched: Watched) -> None:
    session = watched.live
    await watched.until(lambda: session.view.unknown == 1, "an unknown screen")


async def test_no_process_of_a_run_has_a_secret_in_its_argv(
    project: DemoProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    async with running(demo_settings(project, tmp_path / "run", autonomy=Autonomy.WATCH)):
        me = os.getpid()
        await until(lambda: len(process_tree.descendants(me)) >= 2)
        commands = [command_of(pid) for pid in (me, *(one.pid for one in process_tree.descendants(me)))]
    assert any(b"supervisor" in command for command in commands)
    assert any(b"simulated_cli" in command for command in commands)
    for value in KEYS.values():
        assert not any(value.encode() in command for command in commands)


def _allowed(*command: str) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def apart_from_the_network() -> tuple[str, ...]:
    """What starts a command in a network namespace of its own; skips the test where that is not permitted."""
    apart = ("unshare", "-n") if _allowed("unshare", "-n", "true") else ("unshare", "-rn")
    if not _allowed(*apart, "true"):
        pytest.skip("network namespaces are not permitted here")
    return apart


@pytest.mark.slow
def test_a_run_with_a_local_model_needs_the_loopback_alone(tmp_path: Path) -> None:
    """In a network namespace in which nothing else is up."""
    apart = apart_from_the_network()
    if shutil.which("ip") is None:
        pytest.skip("the loopback cannot be brought up here")
    up = (*apart, "sh", "-c", 'ip link set lo up && exec "$@"', "sh")
    done = subprocess.run([*up, *LOCAL, tmp_path / "run"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def sockets_of(command: tuple[str, ...], folder: Path) -> list[str]:
    """The system calls of a whole tree that reach out: a socket that is not local, or a connection to any."""
    trace = folder / "trace"
    kinds = "trace=socket,connect,sendto,sendmsg,sendmmsg"
    strace = ("strace", "-f", "--seccomp-bpf", "-qq", "-e", kinds, "-o", str(trace))
    if shutil.which("strace") is None or not _allowed(*strace, "true"):
        pytest.skip("strace cannot be had here")
    done = subprocess.run([*strace, *command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    calls = trace.read_text("utf-8", "replace").splitlines()
    return [call for call in calls if _CONNECTS.search(call) or _SOCKETS.search(call)]


def test_a_run_needs_no_network(tmp_path: Path) -> None:
    """It opens no socket but those to its supervisors, in a namespace without even a loopback that is up."""
    command = (*apart_from_the_network(), *DEMO, "--log", str(tmp_path / "run"))
    assert sockets_of(command, tmp_path) == []


def test_a_run_with_a_local_model_connects_to_that_and_to_nothing_else(tmp_path: Path) -> None:
    """Its own address once, over TCP; no name is looked up, no data leaves this machine else."""
    calls = sockets_of((*LOCAL, str(tmp_path / "run")), tmp_path)
    connected = [call for call in calls if _CONNECTS.search(call)]
    assert len(connected) == 1 and re.search(_TO_LOOPBACK, connected[0]), calls
    others = [call for call in calls if call not in connected and not re.search(_OVER_TCP, call)]
    assert others == []


@pytest.mark.parametrize(("family", "address"), [("AF_INET", "('127.0.0.1', 9)"), ("AF_UNIX", "'/tmp/none'")])
def test_the_trace_shows_a_socket(family: str, address: str, tmp_path: Path) -> None:
    code = f"import socket; socket.socket(socket.{family}, socket.SOCK_DGRAM).connect_ex({address})"
    assert sockets_of((*apart_from_the_network(), sys.executable, "-c", code), tmp_path)
