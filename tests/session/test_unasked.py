"""A CLI that works without asking is named as such at the start of the run (W8)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from copilot import cli

UNASKED = [
    ("pi", []),
    ("pi", ["-e", "asks.ts"]),
    ("claude", ["--dangerously-skip-permissions"]),
    ("claude", ["--permission-mode", "bypassPermissions"]),
    ("claude", ["--permission-mode=bypassPermissions", "do it"]),
    ("codex", ["--dangerously-bypass-approvals-and-sandbox"]),
    ("codex", ["--full-auto"]),
    ("codex", ["-a", "never"]),
    ("codex", ["--yolo", "do it"]),
    ("gemini", ["-y"]),
    ("gemini", ["--approval-mode=yolo"]),
    ("qwen", ["--yolo"]),
    ("copilot", ["--allow-all-tools"]),
    ("aider", ["--yes-always"]),
    ("cursor-agent", ["--force"]),
    ("some-new-agent", ["--yolo"]),
    ("some-new-agent", ["-y"]),
    ("some-new-agent", ["--auto-approve"]),
    ("some-new-agent", ["--auto-approve", "true"]),
    ("some-new-agent", ["--auto-approve=on"]),
]
ASKED = [
    ("claude", ["--permission-mode", "plan", "say yes"]),
    ("codex", ["-a", "on-request", "never mind"]),
    ("gemini", ["--approval-mode", "default"]),
    ("some-new-agent", ["-i", "--auto-approve", "false"]),
    ("some-new-agent", ["--auto-approve=0"]),
    ("some-new-agent", ["--yellow", "-ye", "x-y"]),
    ("some-new-agent", ["-p", "explain what --yolo does"]),
]


def _notes(folder: Path, capsys: pytest.CaptureFixture[str], name: str, arguments: list[str]) -> list[str]:
    """The notes of a run of a program of this name, which ends at once."""
    program = folder / name
    program.write_text(f"#!{sys.executable}\n", "utf-8")
    program.chmod(0o755)
    words = ["--headless", "--cwd", str(folder), "--log", str(folder / "run"), "--provider", "rules"]
    cli.main([*words, "--", str(program), *arguments])
    return [line for line in capsys.readouterr().out.splitlines() if " note " in line]


@pytest.mark.parametrize(("name", "arguments"), UNASKED)
def test_it_is_told_that_copilot_will_not_be_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, arguments: list[str]
) -> None:
    told = [line for line in _notes(tmp_path, capsys, name, arguments) if "guards nothing" in line]
    assert len(told) == 1 and "not asked" in told[0]
    if name != "pi":
        assert arguments[0].partition("=")[0] in told[0]


@pytest.mark.parametrize(("name", "arguments"), ASKED)
def test_a_cli_that_asks_is_not_warned_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, arguments: list[str]
) -> None:
    assert not [line for line in _notes(tmp_path, capsys, name, arguments) if "guards nothing" in line]
