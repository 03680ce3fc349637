"""`copilot judge` and `copilot redact` as commands."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from copilot.cli import main
from copilot.errors import InputError
from copilot.guard.commands import redact_command
from copilot.replay.judge_command import judge_command
from tests.redaction_corpus.lines import fill


def run_judge(text: str, *arguments: str) -> list[dict[str, str]]:
    result = CliRunner().invoke(judge_command, arguments, input=text, catch_exceptions=False)
    assert result.exit_code == 0
    return [json.loads(line) for line in result.output.splitlines()]


def test_one_answer_per_line_of_strings_and_objects(tmp_path: Path) -> None:
    lines = '"ls"\n\n{"command": "rm -rf build"}\n"rm -rf /"\n'
    answers = run_judge(lines, "--cwd", str(tmp_path))
    assert [one["verdict"] for one in answers] == ["allow", "hold", "forbid"]
    assert [one["risk"] for one in answers] == ["none", "high", "forbidden"]
    assert all(
        set(one) == {"risk", "verdict", "reason", "rule"} and one["rule"] and one["reason"] for one in answers
    )


def test_the_verdict_follows_the_level_and_the_grants() -> None:
    assert run_judge('"ls"', "--autonomy", "watch")[0]["verdict"] == "hold"
    assert run_judge('"npm test"', "--autonomy", "assist")[0]["verdict"] == "hold"
    assert run_judge('"npm install x"', "--allow", "shell:npm install x")[0]["verdict"] == "allow"


def test_links_that_lead_out_of_the_project_are_outside(tmp_path: Path) -> None:
    (tmp_path / "out").symlink_to("/etc")
    assert run_judge('"cat out/hostname"', "--cwd", str(tmp_path))[0]["verdict"] == "hold"


@pytest.mark.parametrize("line", ["ls", "[1]", "3", '{"cmd": "ls"}', '"open', "\\xff"])
def test_a_bad_line_is_named(line: str) -> None:
    with pytest.raises(InputError, match="stdin line 2"):
        CliRunner().invoke(judge_command, [], input=f'"ls"\n{line}\n', catch_exceptions=False)


@pytest.mark.invariant(8)
def test_redact_copies_everything_but_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    value, token = fill("{A14}q", "cli"), fill("ghp_{A36}", "cli")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MY_SECRET", value)
    data = f"a {value} b\nt {token}\n".encode() + b"\xff\xfe end"
    result = CliRunner().invoke(redact_command, [], input=data, catch_exceptions=False)
    output = result.stdout_bytes
    assert value.encode() not in output and token.encode() not in output
    assert output.startswith(b"a [secret:known:") and output.endswith(b"\xff\xfe end")
    assert os.environ["MY_SECRET"] == value


@pytest.mark.parametrize("data", ["", "\n \n"])
def test_nothing_to_judge_is_bad_input(data: str) -> None:
    with pytest.raises(InputError, match="stdin: there is nothing to judge; write one JSON string"):
        CliRunner().invoke(judge_command, [], input=data, catch_exceptions=False)


def test_a_bare_command_is_told_how_it_is_written() -> None:
    with pytest.raises(InputError) as told:
        CliRunner().invoke(judge_command, [], input="rm -rf build\n", catch_exceptions=False)
    message = str(told.value)
    assert message.startswith("stdin line 1: not JSON; ")
    _, _, example = message.partition("echo '")
    quoted, _, rest = example.partition("'")
    assert rest == " | copilot judge"
    assert CliRunner().invoke(judge_command, [], input=quoted, catch_exceptions=False).exit_code == 0


def test_redacting_nothing_is_told_and_no_fault() -> None:
    result = CliRunner().invoke(redact_command, [], input=b"", catch_exceptions=False)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "copilot: note: stdin was empty: there was nothing to redact\n"
    assert CliRunner().invoke(redact_command, [], input=b"a\n").stderr == ""


@pytest.mark.parametrize("command", ["judge", "redact"])
def test_at_a_terminal_it_says_what_it_waits_for(
    command: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    ours, theirs = os.openpty()
    os.write(ours, b'"ls"\n\x04')
    with os.fdopen(theirs) as terminal:
        monkeypatch.setattr("sys.stdin", terminal)
        assert main([command]) == 0
    os.close(ours)
    (note,) = capfd.readouterr().err.splitlines()
    assert note.startswith(f"copilot: note: {command} reads ") and note.endswith("^D ends it")
