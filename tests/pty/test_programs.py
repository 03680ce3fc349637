"""Finding the coding CLI, and never ourselves under its name; what the child's environment holds."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from copilot.errors import InputError
from copilot.pty.programs import child_environment, find_program, find_programs, is_ours, resolve_program

PIP_SCRIPT = """#!/usr/bin/python3
# -*- coding: utf-8 -*-
import re
import sys
from copilot.cli import main
if __name__ == '__main__':
    sys.exit(main())
"""
LONG_PATH_SCRIPT = """#!/bin/sh
'''exec' "/a very long/path/bin/python" "$0" "$@"
' '''
from copilot.cli import main
"""
GITHUB_SCRIPT = """#!/usr/bin/env node
// GitHub Copilot CLI; com.github.copilot.cli, see https://example.invalid/copilot
import("./index.js");
"""


def program(folder: Path, text: str, name: str = "copilot") -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    "script", [PIP_SCRIPT, LONG_PATH_SCRIPT, '#!/bin/sh\nexec python3 -m copilot "$@"\n']
)
def test_theirs_is_found_further_along_the_path(tmp_path: Path, script: str) -> None:
    ours = program(tmp_path / "a", script)
    theirs = program(tmp_path / "b", GITHUB_SCRIPT)
    path = f"{tmp_path}/a:{tmp_path}/b"
    assert [(found.path, found.ours) for found in find_programs("copilot", path=path)] == [
        (str(ours), True),
        (str(theirs), False),
    ]
    assert find_program("copilot", path=path) == str(theirs)
    assert resolve_program("copilot", folder="/", environment={"PATH": path}) == str(theirs)


def test_a_link_to_ours_is_ours(tmp_path: Path) -> None:
    program(tmp_path / "a", PIP_SCRIPT)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "copilot").symlink_to(tmp_path / "a" / "copilot")
    assert is_ours(tmp_path / "b" / "copilot")
    assert len(list(find_programs("copilot", path=f"{tmp_path}/b:{tmp_path}/a"))) == 1


def test_the_installed_start_script_is_recognised() -> None:
    script = Path(sys.executable).parent / "copilot"
    if not script.exists():
        pytest.skip("not installed with its start script")
    assert is_ours(script) and is_ours(script.with_name("copilot-terminal"))
    assert not is_ours(sys.executable)


def test_we_never_start_ourselves(tmp_path: Path) -> None:
    ours = program(tmp_path / "a", PIP_SCRIPT)
    with pytest.raises(InputError, match="only this program itself is on PATH"):
        resolve_program("copilot", folder="/", environment={"PATH": f"{tmp_path}/a"})
    with pytest.raises(InputError, match="is this program itself"):
        resolve_program(str(ours), folder="/", environment={})


def test_a_name_with_a_slash_is_relative_to_the_folder(tmp_path: Path) -> None:
    theirs = program(tmp_path / "bin", GITHUB_SCRIPT, "cli")
    assert resolve_program("bin/cli", folder=str(tmp_path), environment={}) == str(theirs)
    (tmp_path / "bin" / "data").write_text("x")
    assert find_program("data", path=str(tmp_path / "bin")) is None
    assert find_program("bin", path=str(tmp_path)) is None


def test_the_environment_describes_our_terminal_and_hides_our_settings() -> None:
    base = {
        "PATH": "/bin",
        "HOME": "/home/x",
        "ANTHROPIC_API_KEY": "the-user's-own",
        "TMUX": "1",
        "TMUX_PANE": "%1",
        "TERM_PROGRAM": "vscode",
        "TERM_PROGRAM_VERSION": "1",
        "KITTY_WINDOW_ID": "1",
        "VTE_VERSION": "7000",
        "WT_SESSION": "x",
        "LINES": "24",
        "COLUMNS": "80",
        "TERM": "dumb",
        "COPILOT_API_KEY": "secret",
        "COPILOT_GITHUB_TOKEN": "theirs",
    }
    kept = {"PATH": "/bin", "HOME": "/home/x", "ANTHROPIC_API_KEY": "the-user's-own"}
    ours = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
    assert child_environment(base) == kept | ours
    with_token = child_environment(base, keep=["COPILOT_GITHUB_TOKEN"])
    assert with_token == kept | ours | {"COPILOT_GITHUB_TOKEN": "theirs"}
    assert "PATH" in child_environment(os.environ)
