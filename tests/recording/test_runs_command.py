"""`copilot runs`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from copilot.recording.commands import runs_command
from tests.recording.test_run_folder import begin, play


def run_command(*arguments: str) -> tuple[str, str]:
    result = CliRunner().invoke(runs_command, arguments)
    assert result.exit_code == 0, result.output
    return result.stdout, result.stderr


def test_runs_are_listed(tmp_path: Path) -> None:
    play(run := begin(tmp_path / "20260101T000000Z-claude-0001"))
    run.close()
    lines = run_command("--in", str(tmp_path))[0].splitlines()
    assert lines[0].split() == [
        "run",
        "started",
        "profile",
        "outcome",
        "steps",
        "held",
        "files",
        "cost",
        "time",
        "size",
    ]
    cells = lines[1].split()
    assert cells[0] == "20260101T000000Z-claude-0001" and cells[3:9] == [
        "claude",
        "completed",
        "1",
        "0",
        "-",
        "$0.2500",
    ]
    assert cells[9] == "3s" and cells[-1] == "kB"


def test_runs_as_json(tmp_path: Path) -> None:
    begin(tmp_path / "a").close()
    begin(tmp_path / "b").close()
    objects = [json.loads(line) for line in run_command("--in", str(tmp_path), "--json")[0].splitlines()]
    assert {run["run"] for run in objects} == {"a", "b"}
    assert objects[0]["outcome"] == "interrupted" and objects[0]["bytes"] > 0


def test_no_runs_is_said_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert (
        run_command()[0]
        == f"No runs in {tmp_path}/copilot/runs. A session records itself there; try: copilot demo\n"
    )
    assert run_command("--json")[0] == ""


def test_what_a_manifest_says_cannot_drive_the_terminal(tmp_path: Path) -> None:
    begin(tmp_path / "run").close()
    path = tmp_path / "run" / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["profile"]["name"] = "\x1b]52;c;ZXZpbA==\x07"
    manifest["outcome"] = {"word": "\x9b2Jdone\u202e"}
    path.write_text(json.dumps(manifest))
    (tmp_path / "run" / "transcript.jsonl").write_bytes(b"\x1b]0;x\x07\n")
    out, err = run_command("--in", str(tmp_path))
    assert all(letter.isprintable() or letter == "\n" for letter in out + err)
    as_json = run_command("--in", str(tmp_path), "--json")[0]
    assert as_json.strip().isprintable()
