"""Some seventy attempts to get out, made by a real process inside; the same outside shows that they can work."""

from __future__ import annotations

import json
import os
import re
import secrets
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from copilot.envelope.plan import make_plan
from copilot.supervision import process_tree
from tests.envelope.room import ESCAPES, Room, made_room, needs_bubblewrap, tried

ONLY_WITHOUT_NETWORK = {
    "other_local_service",
    "address_by_number",
    "names",
    "address_of_version_6",
    "local_version_6",
}
"""What `--network all` leaves open: it is the network."""


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    needs_bubblewrap()
    with made_room(tmp_path) as one:
        yield one


def _facts(room: Room, tmp_path: Path, neighbour: int) -> dict[str, object]:
    mark = secrets.token_hex(8)
    outer = tmp_path / "outer"
    outer.mkdir()
    (outer / "note").write_text("secret")
    short = f"/var/tmp/c-{mark[:6]}"
    room.listen(short)
    room.listen("\0" + mark)
    room.listen(str(room.home / "s"))
    tcp = room.listen(("127.0.0.1", 0), socket.AF_INET)  # type: ignore[arg-type]
    return {
        "home": str(room.home),
        "temporary": str(outer / "note"),
        "device": "/dev/vda",
        "mark": mark,
        "pid": neighbour,
        "shared_memory": int(mark[:6], 16),
        "home_socket": str(room.home / "s"),
        "temporary_socket": short,
        "abstract": mark,
        "port": tcp.getsockname()[1],
        "port6": tcp.getsockname()[1],
        "daemon": f"97531.{int(mark[:6], 16)}",
    }


@pytest.mark.parametrize("network", [True, False], ids=["all", "none"])
def test_no_way_out(room: Room, tmp_path: Path, network: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSH_AUTH_SOCK", "/run/agent")
    with subprocess.Popen(["sleep", "600"]) as neighbour:
        try:
            facts = _facts(room, tmp_path, neighbour.pid)
            told = tried(room, facts, network=network, plan=make_plan(room.wanted()))
            assert neighbour.poll() is None
        finally:
            neighbour.kill()
            Path(str(facts["temporary_socket"])).unlink()
    out = {name for name, words in told.items() if words == "done"}
    assert len(told) >= 60
    assert out <= (ONLY_WITHOUT_NETWORK if network else set()), {name: told[name] for name in out}
    assert (room.home / "other" / "file").read_text() == "x"
    assert (room.project / "CLAUDE.md").read_text() == "x"
    assert not any(str(facts["daemon"]) in _command(pid) for pid in process_tree.all_processes())


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""


def test_the_same_attempts_work_outside(room: Room, tmp_path: Path) -> None:
    """Only those that harm nothing but the made-up home: an attempt that never works would show nothing."""
    with subprocess.Popen(["sleep", "600"]) as neighbour:
        try:
            facts = _facts(room, tmp_path, neighbour.pid)
            script = room.project / "escapes.py"
            safe = [
                *_names("write_"),
                *(name for name in _names("read_") if name not in _SYSTEM_READS),
                *("rename_over_instructions", "socket_in_home", "socket_in_temporary", "abstract_socket"),
                *("other_local_service", "git_remote_add", "move_ci_aside", "move_git_aside"),
            ]
            script.write_text(ESCAPES.read_text())
            (room.project / "facts.json").write_text(json.dumps(facts))
            subprocess.run(
                [sys.executable, "-I", str(script), *safe],
                check=True,
                cwd=room.project,
                env={**os.environ, "HOME": str(room.home)},
            )
        finally:
            neighbour.kill()
            Path(str(facts["temporary_socket"])).unlink()
    told = json.loads((room.project / "told.json").read_text())
    assert {name: words for name, words in told.items() if words != "done"} == {}
    assert len(told) >= 25


_SYSTEM_READS = {
    "read_disk_device",
    "read_outer_memory",
    "read_key_ring",
    "read_by_parent_root",
    "read_after_chmod",
}


def _names(beginning: str) -> list[str]:
    found = re.findall(rf'(?:^def |^    ")({beginning}\w+)', ESCAPES.read_text(), re.MULTILINE)
    return list(dict.fromkeys(found))
