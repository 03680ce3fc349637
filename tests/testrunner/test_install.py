"""The entries that make a CLI use the server: what is in the project's file stays, nothing else is touched."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

from copilot.errors import InputError
from copilot.testrunner.install import (
    ENTRIES,
    SERVER,
    Entry,
    entry_of,
    entry_text,
    server_command,
    write_entry,
)
from copilot.timebox.testing import OWN_PLACE
from tests.front_door import copilot

COMMAND = ("copilot-terminal", "mcp")


def read(entry: Entry, text: str) -> dict[str, object]:
    whole = tomllib.loads(text) if entry.is_toml else json.loads(text)
    servers = whole[entry.key]
    assert isinstance(servers, dict)
    return servers


@pytest.mark.parametrize("cli", sorted(ENTRIES))
def test_an_entry_is_added_to_what_is_there_and_only_once(cli: str, tmp_path: Path) -> None:
    entry = entry_of(cli)
    path = tmp_path / entry.file
    path.parent.mkdir(parents=True, exist_ok=True)
    other = (
        '# mine\nmodel = "m"\n\n[mcp_servers.other]\ncommand = "x"'
        if entry.is_toml
        else json.dumps({"mine": 1, entry.key: {"other": {"command": "x"}}}, indent=4)
    )
    path.write_text(other)
    path.chmod(0o640)
    assert write_entry(tmp_path, entry, COMMAND) is True
    text = path.read_text()
    servers = read(entry, text)
    assert servers["other"] == {"command": "x"} and servers[SERVER] == entry.form(COMMAND)
    assert text.startswith(other) if entry.is_toml else '\n    "mine": 1' in text
    assert path.stat().st_mode & 0o777 == 0o640
    assert write_entry(tmp_path, entry, COMMAND) is False
    assert path.read_text() == text
    assert [one.name for one in path.parent.iterdir() if one.is_file()] == [path.name]
    assert read(entry, entry_text(entry, COMMAND))[SERVER] == entry.form(COMMAND)


@pytest.mark.parametrize("cli", sorted(ENTRIES))
@pytest.mark.parametrize("folder", ["\U0001f680", 'a "b"', "a\\b", "\x7f"])
def test_a_path_of_any_characters_survives(cli: str, folder: str, tmp_path: Path) -> None:
    entry, command = entry_of(cli), (f"/{folder}/copilot-terminal", "mcp")
    assert write_entry(tmp_path, entry, command)
    assert read(entry, (tmp_path / entry.file).read_text())[SERVER] == entry.form(command)


@pytest.mark.parametrize("cli", sorted(ENTRIES))
def test_a_new_file_has_the_entry_alone(cli: str, tmp_path: Path) -> None:
    entry = entry_of(cli)
    assert write_entry(tmp_path, entry, COMMAND)
    assert (tmp_path / entry.file).read_text() == entry_text(entry, COMMAND)


@pytest.mark.parametrize(
    ("cli", "text", "why"),
    [
        ("claude", '{"mcpServers": {} // note\n}', "not plain JSON"),
        ("claude", "[]", "not a table"),
        ("claude", '{"mcpServers": []}', "not a table"),
        ("claude", json.dumps({"mcpServers": {SERVER: {"command": "other"}}}), "differs"),
        ("codex", "a = ", "not TOML"),
        ("codex", f'[mcp_servers.{SERVER}]\ncommand = "other"\n', "differs"),
        ("codex", 'mcp_servers = {a = {command = "x"}}\n', "by hand"),
    ],
)
def test_what_cannot_be_changed_safely_is_left(cli: str, text: str, why: str, tmp_path: Path) -> None:
    entry = entry_of(cli)
    path = tmp_path / entry.file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    with pytest.raises(InputError, match=why):
        write_entry(tmp_path, entry, COMMAND)
    assert path.read_text() == text


def test_a_link_out_of_the_project_is_not_followed(tmp_path: Path) -> None:
    project, outside = tmp_path / "project", tmp_path / "user.json"
    project.mkdir()
    outside.write_text("{}")
    (project / ".mcp.json").symlink_to(outside)
    with pytest.raises(InputError, match="leads out"):
        write_entry(project, entry_of("claude"), COMMAND)
    assert outside.read_text() == "{}"


def test_the_command_is_this_installation_by_its_whole_path(tmp_path: Path) -> None:
    python = str(tmp_path / "python")
    assert server_command(python) == (python, "-m", "copilot", "mcp")
    (tmp_path / "copilot-terminal").write_text("#!/bin/sh\n")
    assert server_command(python) == (str(tmp_path / "copilot-terminal"), "mcp")
    assert Path(server_command()[0]).is_absolute()


def test_on_the_command_line(tmp_path: Path) -> None:
    shown = copilot("mcp", "install", "claude", cwd=tmp_path)
    assert shown.code == 0 and "a path of this machine" in shown.err
    entry = json.loads(shown.out)["mcpServers"][SERVER]
    elsewhere = {"PATH": "/nowhere", "HOME": str(tmp_path)}
    started = subprocess.run(
        [entry["command"], *entry["args"]], env=elsewhere, stdin=subprocess.DEVNULL, timeout=200, check=False
    )
    assert started.returncode == 0, "it starts wherever the CLI was started from"
    assert not list(tmp_path.iterdir())
    written = copilot("mcp", "install", "claude", "--write", cwd=tmp_path)
    assert written.out == ".mcp.json: added\n" and (tmp_path / ".mcp.json").is_file()
    unknown = copilot("mcp", "install", "emacs", cwd=tmp_path)
    assert unknown.code == 2 and "no known CLI" in unknown.err


def test_run_test_says_by_its_exit_code_how_it_ended(tmp_path: Path) -> None:
    test = "import unittest\nclass A(unittest.TestCase):\n    def test_it(self): self.assertTrue({})\n"
    for value, code in ((True, 0), (False, 1)):
        (tmp_path / "test_a.py").write_text(test.format(value))
        done = copilot("run-test", "unittest", "test_a.py", cwd=tmp_path)
        assert done.code == code, done.err
        assert done.out.splitlines()[-1].startswith("pass" if value else "fail")
    (tmp_path / "test_a.py").write_text("import unittest\nclass A(unittest.TestCase):\n    pass\n")
    none = copilot("run-test", "unittest", "test_a.py", cwd=tmp_path)
    last = none.out.splitlines()[-1]
    assert "but no test ran" in last or none.code, "Python 3.12 has an exit code for it"
    (tmp_path / "test_a.py").write_text("import time; time.sleep(60)")
    silent = copilot("run-test", "unittest", "test_a.py", "--silence", "1s", cwd=tmp_path)
    assert silent.code == 3 and "no_output" in silent.out
    assert "nothing was written for 1 s (--silence)" in silent.err
    missing = copilot("run-test", "flutter", cwd=tmp_path)
    assert missing.code == 2 and "no such program" in missing.err and not missing.out
    refused = copilot("run-test", "make", "--json", cwd=tmp_path)
    assert refused.code == 2 and json.loads(refused.out)["status"] == "error"
    wrong = copilot("run-test", "pytest", "--timeout", "soon", cwd=tmp_path)
    assert wrong.code == 2 and "--timeout" in wrong.err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_run_test_that_is_told_to_end_leaves_nothing_behind(number: int, tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text("print('started', flush=True); import time; time.sleep(60)")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    command = (sys.executable, "-m", "copilot", "run-test", "unittest", "test_a.py")
    running = subprocess.Popen(
        command, cwd=tmp_path, env={**os.environ, "TMPDIR": str(scratch)}, stderr=subprocess.PIPE, text=True
    )
    while not any("started" in log.read_text() for log in tmp_path.glob(f"{OWN_PLACE}/*/raw.log")):
        assert running.poll() is None
        time.sleep(0.02)
    running.send_signal(number)
    _, said = running.communicate(timeout=200)
    assert (running.returncode, said) == (130, "copilot: error: interrupted\n")
    assert not list(scratch.iterdir())
