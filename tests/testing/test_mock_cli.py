"""The mock program on PATH: its queue, its parts, its limits, and parallel calls."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from copilot.testing import MockCli

pytestmark = pytest.mark.row("PH-46")


def call(folder: Path, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(
        ["agent", *arguments], env=environment, cwd=cwd or folder, capture_output=True, text=True, check=False
    )


def test_a_reply_has_text_error_code_events_and_files(tmp_path: Path) -> None:
    events: list[object] = [{"type": "start"}, "raw\n", b"\xc3\xa9\n"]
    replies: list[dict[str, object]] = [
        {"text": "hello\n", "events": events, "files": {"out/a.txt": "made"}},
        {"stderr": "no key", "exit_code": 3, "delay": 0.01},
    ]
    mock = MockCli(tmp_path / "bin", "agent", replies)
    first, second = call(mock.folder, "-p", "x", cwd=tmp_path), call(mock.folder)
    assert (first.returncode, first.stdout) == (0, 'hello\n{"type": "start"}\nraw\né\n')
    assert (tmp_path / "out" / "a.txt").read_text() == "made"
    assert (second.returncode, second.stderr) == (3, "no key")
    assert [one["arguments"] for one in mock.calls] == [["-p", "x"], []]
    mock.check()


def test_nothing_repeats_for_ever_and_what_is_left_over_is_told(tmp_path: Path) -> None:
    mock = MockCli(tmp_path / "bin", "agent", [{"text": "once"}])
    with pytest.raises(AssertionError, match="agent: called 0 times, 1 replies"):
        mock.check()
    assert [call(mock.folder).returncode for _ in range(2)] == [0, 97]
    assert [one["reply"] for one in mock.calls] == [1, None]
    with pytest.raises(AssertionError, match="called 2 times"):
        mock.check()


def test_its_own_limit_ends_a_call(tmp_path: Path) -> None:
    mock = MockCli(tmp_path / "bin", "agent", [{"delay": 600}], seconds=0.05)
    done = call(mock.folder)
    assert done.returncode == 98 and "over its limit of 0.05 s" in done.stderr


def test_unknown_keys_and_files_outside_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="reply 1: unknown key txt; known are text, stderr"):
        MockCli(tmp_path / "a", "agent", [{"txt": "x"}])
    with pytest.raises(ValueError, match="leads out of the folder"):
        MockCli(tmp_path / "b", "agent", [{"files": {"../x": ""}}])


def test_parallel_calls_never_share_a_reply(tmp_path: Path) -> None:
    count = 24
    mock = MockCli(tmp_path / "bin", "agent", [{"text": str(number)} for number in range(count)])
    calls = [
        subprocess.Popen([str(mock.folder / "agent")], stdout=subprocess.PIPE, text=True)
        for _ in range(count)
    ]
    said = sorted(int(one.communicate()[0]) for one in calls)
    assert said == list(range(count))
    assert sorted(one["reply"] for one in mock.calls) == list(range(1, count + 1))
    mock.check()
