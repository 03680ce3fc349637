"""The doctor: says what is there and what is not, never a key, and 1 only for what would stop a run."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from copilot import cli
from copilot.core.reply import LEVEL_WORDS, Autonomy
from copilot.guard import shfmt_check

KEY = "sk-ant-" + "test-" + "q" * 40


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH of our own, empty at first; and a folder that is no project."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.chdir(tmp_path)
    return folder


def program(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def report(capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any], str]:
    """Exit code, JSON report, and all that was printed."""
    code = cli.main(["doctor", "--json"])
    printed = capsys.readouterr()
    assert not printed.err
    return code, json.loads(printed.out), printed.out


def details(found: dict[str, Any], area: str) -> dict[str, tuple[str, str]]:
    return {one["name"]: (one["health"], one["detail"]) for one in found["findings"] if one["area"] == area}


def test_a_bare_machine_is_healthy_and_told_what_is_missing(
    programs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, found, _ = report(capsys)
    assert code == 0 and found["healthy"]
    assert details(found, "tools")["git"][0] == "missing"
    assert details(found, "keys")["anthropic"][0] == "missing"


def test_a_key_is_present_or_not_and_never_shown(
    programs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    _, found, printed = report(capsys)
    assert details(found, "keys")["anthropic"] == ("ok", "ANTHROPIC_API_KEY is set")
    health, detail = details(found, "keys")["kept back"]
    assert health == "info" and detail.startswith(
        "ANTHROPIC_API_KEY: each goes to CLIs whose profile names it"
    )
    assert KEY not in printed


def test_the_second_shell_parser_is_really_run(
    programs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, found, _ = report(capsys)
    assert details(found, "tools")["shfmt"][0] == "ok"
    broken = program(programs, "shfmt", "#!/bin/sh\nexit 1\n")
    monkeypatch.setattr(shfmt_check, "shfmt_program", lambda: str(broken))
    shfmt_check.shfmt_tree.cache_clear()
    code, found, _ = report(capsys)
    health, detail = details(found, "tools")["shfmt"]
    assert health == "warning" and "is held" in detail
    assert code == 0, "a run goes on without it, more is held"


def test_githubs_copilot_is_told_from_ours(programs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ours = f"#!{sys.executable}\nimport sys\nfrom copilot.cli import main\nsys.exit(main())\n"
    other = programs.parent / "other"
    other.mkdir()
    theirs = program(programs, "copilot", "#!/bin/sh\necho 1.2.3\n")
    _, found, _ = report(capsys)
    assert str(theirs) in details(found, "copilot")["theirs"][1]
    assert "ours" not in details(found, "copilot")
    theirs.unlink()
    program(programs, "copilot", ours)
    _, found, _ = report(capsys)
    assert set(details(found, "copilot")) == {"ours"}


def test_where_theirs_stands_first_the_second_name_is_told(
    programs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    later = programs.parent / "later"
    later.mkdir()
    program(programs, "copilot", "#!/bin/sh\necho 1.2.3\n")
    program(later, "copilot", f"#!{sys.executable}\nfrom copilot.cli import main\n")
    monkeypatch.setenv("PATH", f"{programs}:{later}")
    _, found, _ = report(capsys)
    (order,) = [one for one in found["findings"] if one["name"] == "order"]
    assert order["health"] == "warning"
    assert "copilot-terminal" in order["fix"]


def test_the_version_of_a_coding_cli_is_asked(programs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program(programs, "demo-coder", "#!/bin/sh\necho demo-coder 1.0.0\n")
    _, found, _ = report(capsys)
    assert details(found, "CLIs")["demo-coder"][0] == "ok"
    program(programs, "demo-coder", "#!/bin/sh\necho demo-coder 9.9.9\n")
    _, found, _ = report(capsys)
    health, detail = details(found, "CLIs")["demo-coder"]
    assert health == "info" and "measured on 1.0.0" in detail


def test_a_bad_settings_file_or_profile_is_an_error_and_exit_1(
    programs: Path, capsys: pytest.CaptureFixture[str], clean_user: Path
) -> None:
    folder = clean_user / "config" / "copilot"
    (folder / "profiles").mkdir(parents=True)
    (folder / "config.toml").write_text("autonmy = 1", encoding="utf-8")
    (folder / "profiles" / "mine.toml").write_text("nme = 1", encoding="utf-8")
    code, found, _ = report(capsys)
    assert code == 1 and not found["healthy"]
    assert "did you mean 'autonomy'?" in details(found, "settings")["user file"][1]
    assert details(found, "profiles")["mine"][0] == "error"


def test_a_bad_variable_is_an_error_and_githubs_are_left_alone(
    programs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COPILOT_ALLOW_ALL", "1")
    _, found, _ = report(capsys)
    assert "left to GitHub" in details(found, "settings")["COPILOT_ALLOW_ALL"][1]
    monkeypatch.setenv("COPILOT_AUTONOMY", "max")
    code, _, _ = report(capsys)
    assert code == 1


def test_the_readable_report_says_the_same(programs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["doctor"]) == 0
    printed = capsys.readouterr().out
    assert "git: not on PATH" in printed
    assert "install git" in printed


def test_it_says_what_the_start_screen_says(programs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, found, _ = report(capsys)
    levels = details(found, "levels")
    assert list(levels) == [level.value for level in Autonomy]
    assert all(words in levels[level][1] for level, words in LEVEL_WORDS.items())
    assert "copilot demo" in details(found, "to begin")["demo"][1]


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="there is no /proc")
def test_whether_runs_can_be_written_is_tried_and_nothing_is_left_of_that(
    programs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Root has all permissions in `/proc`, and can make nothing there."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(home))
    assert details(report(capsys)[1], "folders")["runs"][0] == "ok"
    assert not list(home.iterdir())
    monkeypatch.setenv("HOME", "/proc/nohome")
    code, found, _ = report(capsys)
    health, said = details(found, "folders")["runs"]
    assert code == 1 and health == "error" and said.startswith("nothing can be written in /proc: ")
