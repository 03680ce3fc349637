"""What classic programs need around them: a local sshd, a package that apt or pip could remove."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.real.classic import ClassicStage

_SSHD = "/usr/sbin/sshd"
_START_SECONDS = 5.0
_APT_FOLDERS = ("etc/apt", "var/lib/apt/lists/partial", "var/cache/apt/archives/partial", "var/lib/dpkg")
_APT_PACKAGE = """\
Package: tinything
Status: install ok installed
Maintainer: Nobody <nobody@example.invalid>
Architecture: all
Version: 1.0
Installed-Size: 12
Description: a package of this test only
"""

HEARTBEATS = """\
import sys, threading, time

def log():
    for n in range(100):
        time.sleep(1.0)
        print(f"[worker] heartbeat {n} ok", flush=True)

print("A new schema is there. Apply it now? [y/N]: ", flush=True)
threading.Thread(target=log, daemon=True).start()
answer = sys.stdin.readline()
open("out.txt", "w").write(repr(answer))
"""
"""Asks once; then output moves on below the question."""


def fake_apt(on: ClassicStage) -> tuple[str, ...]:
    """`apt-get` on a package database of its own, with one package; dpkg itself is never reached."""
    root = on.folder / "apt"
    for name in _APT_FOLDERS:
        (root / name).mkdir(parents=True)
    status = root / "var/lib/dpkg/status"
    status.write_text(_APT_PACKAGE)
    settings = {
        "Dir": root,
        "Dir::State::status": status,
        "Dir::Bin::dpkg": "/bin/false",
        "Debug::NoLocking": 1,
        "APT::Get::AllowUnauthenticated": 1,
    }
    return ("apt-get", *(part for key, value in settings.items() for part in ("-o", f"{key}={value}")))


def fake_package(on: ClassicStage) -> tuple[str, Path]:
    """A virtual environment's Python with a small package installed, and the package's file."""
    folder = on.project / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, timeout=60)
    packages = next((folder / "lib").glob("python*/site-packages"))
    module, info = packages / "tinything.py", packages / "tinything-1.0.dist-info"
    module.write_text("x = 1\n")
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tinything\nVersion: 1.0\n")
    (info / "INSTALLER").write_text("pip\n")
    names = ("tinything.py", *(f"{info.name}/{name}" for name in ("METADATA", "INSTALLER", "RECORD")))
    (info / "RECORD").write_text("".join(f"{name},,\n" for name in names))
    return "venv/bin/python", module


@contextmanager
def local_sshd(on: ClassicStage) -> Iterator[int]:
    """An sshd of our own on a free port of the loopback address; skips where it does not start."""
    if not Path(_SSHD).exists():
        pytest.skip("sshd is not installed")
    folder = Path(tempfile.mkdtemp(prefix="sshd-"))
    key = folder / "host_key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True, timeout=20)
    user = _other_user(folder, key)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    config = folder / "config"
    config.write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {key}\nPidFile none\nUsePAM no\n"
        f"PasswordAuthentication no\nAuthorizedKeysFile {folder}/nobody\n"
    )
    with (on.folder / "sshd.log").open("wb") as log:
        server = subprocess.Popen([_SSHD, "-D", "-e", "-f", str(config)], stderr=log, user=user)
    try:
        if not _listens(port, server):
            pytest.skip(f"sshd does not start here: {(on.folder / 'sshd.log').read_text().strip()}")
        yield port
    finally:
        with suppress(ProcessLookupError):
            server.terminate()
        server.wait(10)
        shutil.rmtree(folder)


def _other_user(folder: Path, key: Path) -> str | None:
    """Root's sshd wants folders of the system; run by anybody else it does without."""
    if os.geteuid() != 0:
        return None
    folder.chmod(0o755)
    shutil.chown(key, "nobody")
    return "nobody"


def _listens(port: int, server: subprocess.Popen[bytes]) -> bool:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 0.5):
            return True
        time.sleep(0.05)
    return False
