"""`copilot detect` and `copilot explain`: a recording's clock, timers included."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from copilot.config.profile_files import load_profile
from copilot.core.screen_rules import Clause, ScreenRules
from copilot.recording.asciicast import read_cast
from copilot.recording.manifest import SCHEMA_VERSION, write_manifest
from copilot.replay.commands import detect_command, explain_at, explain_command
from copilot.replay.detect import cast_of, choose_profile, detections_of, recorded_version
from tests.scoring.labels import CORPUS


def cast(folder: Path, events: list[list[object]], version: int = 2) -> Path:
    header: dict[str, object] = {"version": 2, "width": 80, "height": 24}
    if version == 3:
        header = {"version": 3, "term": {"cols": 80, "rows": 24}}
    path = folder / f"v{version}.cast"
    path.write_text("\n".join(json.dumps(item) for item in [header, *events]) + "\n")
    return path


@pytest.mark.row("CP-27")
@pytest.mark.parametrize("version", [2, 3])
def test_a_silent_prompt_settles_at_its_due_time(tmp_path: Path, version: int) -> None:
    gap = 5.0 if version == 3 else 6.0
    path = cast(tmp_path, [[1.0, "o", "Continue? [y/N] "], [gap, "o", "n\r\nbye\r\n"]], version)
    found = list(detections_of(path, load_profile("generic")))
    asked = next(item for item in found if item["kind"] == "yes_no")
    assert 1.3 < asked["t"] < 1.6
    assert asked["options"][1] == {"key": "n Enter", "label": "no", "selected": True}
    assert set(asked) == {"t", "kind", "question", "options", "rule", "evidence"}


def test_a_resize_is_honoured(tmp_path: Path) -> None:
    path = cast(tmp_path, [[0.1, "o", "Continue? [y/N] "], [2.0, "r", "40x10"], [4.0, "o", ""]])
    kinds = [item["kind"] for item in detections_of(path, load_profile("generic"))]
    assert kinds.count("yes_no") == 1


def test_the_exit_of_a_recorded_child(tmp_path: Path) -> None:
    path = cast(tmp_path, [[0.1, "o", "working\r\n"], [1.0, "x", "0"]], version=3)
    assert list(detections_of(path, load_profile("generic")))[-1]["kind"] == "exited"


def test_the_profile_is_recognised() -> None:
    assert choose_profile(read_cast(CORPUS / "claude" / "rm_rf_deny.cast"), None).name == "claude"
    assert choose_profile(read_cast(CORPUS / "codex" / "write_file.cast"), None).name == "codex"
    assert choose_profile(read_cast(CORPUS / "classic" / "npm_init.cast"), None).name == "generic"
    assert choose_profile(read_cast(CORPUS / "decoys" / "cat_transcript.cast"), None).name == "generic"


def test_the_commands_print_lines() -> None:
    recording = str(CORPUS / "claude" / "rm_rf_deny.cast")
    printed = CliRunner().invoke(detect_command, [recording, "--json"])
    assert printed.exit_code == 0
    objects = [json.loads(line) for line in printed.output.splitlines()]
    assert any(item["kind"] == "permission" for item in objects)
    plain = CliRunner().invoke(detect_command, [recording])
    assert "Do you want to proceed?" in plain.output
    why = CliRunner().invoke(explain_command, [recording, "--at", "6.5"])
    assert why.exit_code == 0
    assert "MATCH" in why.output
    assert "claude.permission" in why.output
    assert "subject: shell: rm -rf build/" in why.output


def test_a_run_folder_knows_its_own_profile(tmp_path: Path) -> None:
    path = cast(tmp_path, [[0.1, "o", "hello"]])
    lines = path.read_text("utf-8").splitlines()
    header = {**json.loads(lines[0]), "title": "copilot: demo"}
    (tmp_path / "session.cast").write_text("\n".join([json.dumps(header), *lines[1:]]) + "\n")
    recording = read_cast(cast_of(tmp_path))
    assert choose_profile(recording, None).name == "demo"


def test_a_key_that_follows_at_once_does_not_hide_the_frame_before_it(tmp_path: Path) -> None:
    drawn = [[0.005, "o", "Continue? [y/N] "], [0.008, "i", "?"], [5.0, "o", "\r\nbye\r\n"]]
    path = cast(tmp_path, drawn)
    asked = next(item for item in detections_of(path, load_profile("generic")) if item["kind"] == "yes_no")
    assert asked["t"] < 2.0


def test_the_rules_of_the_recorded_version_count(tmp_path: Path) -> None:
    path = cast(tmp_path, [[0.1, "o", "Say the word: "], [5.0, "o", "\r\nbye\r\n"]])
    path.rename(tmp_path / "session.cast")
    rule = replace(
        load_profile("generic").screen.rules[0], id="old", kind="menu", region="prompt_line", priority=99
    )
    old = replace(rule, options="", all=(Clause(pattern="^Say the word:"),), any=(), not_=(), versions="<2")
    profile = replace(load_profile("generic"), screen=ScreenRules(rules=(old,)))
    for version, kinds in (("1.9", ["menu"]), ("2.1", [])):
        write_manifest(tmp_path, {"schema_version": SCHEMA_VERSION, "versions": {"child": version}})
        found = [item["kind"] for item in detections_of(tmp_path / "session.cast", profile)]
        assert [kind for kind in found if kind == "menu"] == kinds
        explained = list(explain_at(read_cast(cast_of(tmp_path)), profile, 4.0, recorded_version(tmp_path)))
        assert explained[0] == f"at 4.000 s, profile generic, version {version}"
        assert any("old (menu)" in line for line in explained) == bool(kinds)
